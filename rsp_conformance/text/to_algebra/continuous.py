"""Additions of C-SPARQL, CQELS-QL, SPARQLstream and the W3C community group, read as RSP-QL.

A window without a name is called w1, w2 and so on; in CQELS-QL 2 it has the name of its stream.
Names that are not IRIs are read as relative IRIs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token, Tree

from rsp_conformance.model.algebra import Window
from rsp_conformance.model.expressions import Aggregate, Variable
from rsp_conformance.model.iris import resolve
from rsp_conformance.model.query import OrderKey, Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import substituted, within
from rsp_conformance.model.windows import Duration, Span, WindowDeclaration
from rsp_conformance.text.to_algebra.context import Context, rule
from rsp_conformance.text.to_algebra.groups import Group
from rsp_conformance.text.to_algebra.queries import (
    Selection,
    construct_query,
    construct_where,
    select_clause,
    stream_operator,
)

_ORDER = {
    "bare_stream_pattern": 0,
    "window": 0,
    "triples_block": 1,
    "graph": 2,
    "group_or_union": 2,
    "optional": 3,
    "bind": 4,
}
"""The order in which CQELS-QL 2 evaluates the parts of a group; that of filters does not matter."""


def in_order_of_evaluation(tree: Tree[Any]) -> Tree[Any]:
    """Return a parse tree with the parts of each group in CQELS-QL 2's order of evaluation."""
    parts = [in_order_of_evaluation(p) if isinstance(p, Tree) else p for p in tree.children]
    if tree.data == "group_graph_pattern":
        parts.sort(key=lambda part: _ORDER.get(part.data, len(_ORDER)))
    return Tree(tree.data, parts, tree.meta)


def _relative(context: Context, name: str) -> IRI:
    return IRI(resolve(name, context.base))


def _size(context: Context, sizes: tuple[Any, ...]) -> dict[str, Any]:
    """Return width, slide and lag, from the parts between the brackets of a window."""
    fields = dict(size for size in sizes if size is not None)
    if "lag" in fields:
        lag, token = fields["lag"]
        fields |= {"width": _width(context, fields["width"], lag, token), "lag": lag}
    tumbling = fields.pop("tumbling", False)
    if tumbling and isinstance(fields["width"], int | Duration):
        fields.setdefault("slide", fields["width"])
    return fields


def _width(context: Context, back: Span, lag: Span, token: Token) -> Span:
    """Return the width of a window in the past.

    Args:
        context: the state of reading.
        back: how long before the present it begins.
        lag: how long before the present it ends.
        token: the place of the lag.
    """
    if isinstance(back, Duration) and isinstance(lag, Duration):
        width: Span = Duration(back.milliseconds - lag.milliseconds)
    elif isinstance(back, int) and isinstance(lag, int):
        width = back - lag
    else:
        context.error(
            token,
            "a window in the past begins and ends by lengths of one kind",
            expected="two durations, or two numbers of instants",
        )
    if (width if isinstance(width, int) else width.milliseconds) < 1:
        context.error(token, "the window ends before it begins", expected="a shorter length")
    return width


def _declared(
    context: Context, stream: IRI, sizes: tuple[Any, ...], name: IRI | None = None
) -> WindowDeclaration:
    """Declare a window over `stream`, with the name `name` or a numbered one."""
    name = name or _relative(context, f"w{len(context.windows) + 1}")
    window = WindowDeclaration(name, stream, **_size(context, sizes))
    context.windows.append(window)
    return window


# Registration


@rule
def bare_name(context: Context, token: Token) -> IRI:
    """Return a name that is not an IRI."""
    return _relative(context, str(token))


@rule
def bare_registration(_: Context, token: Token, name: IRI, *computed: Any) -> dict[str, Any]:
    """``REGISTER QUERY Name AS``; ``REGISTER STREAM`` is RSTREAM.

    Args:
        _: the state of reading, which the rule does not need.
        token: the word ``QUERY`` or ``STREAM``.
        name: the name as an IRI.
        computed: the fields of COMPUTED EVERY, if it is written.
    """
    fields = {"name": name, **(computed[0] if computed else {})}
    return fields | {"operator": StreamOperator.RSTREAM} if token.upper() == "STREAM" else fields


@rule
def streaming_select(context: Context, operator: Token, *parts: Any) -> Selection:
    """``SELECT ISTREAM …``."""
    selection = select_clause(context, *parts)
    fields = {"operator": stream_operator(context, operator)}
    return replace(selection, fields=selection.fields | fields)


@rule
def streaming_construct(context: Context, operator: Token, *parts: Any) -> Query:
    """``CONSTRUCT ISTREAM { … } WHERE { … }``."""
    return replace(construct_query(context, *parts), operator=stream_operator(context, operator))


@rule
def streaming_construct_where(context: Context, operator: Token, *parts: Any) -> Query:
    """``CONSTRUCT ISTREAM WHERE { … }``."""
    return replace(construct_where(context, *parts), operator=stream_operator(context, operator))


# Windows


@rule
def window_declaration(
    context: Context, token: Token, name: IRI, stream: IRI, *sizes: Any
) -> tuple[WindowDeclaration, Token]:
    """``WINDOW :w ON STREAM :s [RANGE 5 STEP 1]``, and its place.

    Args:
        context: the state of reading.
        token: the word ``WINDOW``, the place for errors about the window.
        name: the name of the window.
        stream: the stream that it reads.
        sizes: RANGE, STEP and the like, each as a field and its value.
    """
    return WindowDeclaration(name, stream, **_size(context, sizes)), token


@rule
def window_named_last(
    context: Context, token: Token, stream: IRI, *parts: Any
) -> tuple[WindowDeclaration, Token]:
    """``WINDOW ON STREAM :s [RANGE 5 STEP 1] AS :w``.

    Args:
        context: the state of reading.
        token: the word ``WINDOW``, the place for errors about the window.
        stream: the stream that it reads.
        parts: the sizes of the window, and last its name.
    """
    *sizes, name = parts
    return window_declaration(context, token, name, stream, *sizes)


@rule
def tumbling(_: Context) -> tuple[str, bool]:
    """``TUMBLING``: the slide is the width."""
    return "tumbling", True


@rule
def until(_: Context, token: Token, *spans: tuple[Span, Token]) -> tuple[str, Any] | None:
    """``TO NOW``, or ``TO NOW - 2s`` of a window in the past, with the place of the length."""
    return next((("lag", own) for own in spans if own[0] not in (0, Duration(0))), None)


@rule
def merged_stream(context: Context, stream: IRI, *sizes: Any) -> tuple[WindowDeclaration, None]:
    """``FROM STREAM <s> [RANGE 5s STEP 1s]``: the window is merged into the default graph."""
    return replace(_declared(context, stream, sizes), named=False), None


@rule
def bare_stream(context: Context, token: Token, *sizes: Any) -> tuple[WindowDeclaration, Token]:
    """``FROM STREAM Name [FUTURE 5s STEP 1s]``: a window with the name of its stream."""
    name = _relative(context, str(token))
    return bare_window(context, token, name, name, *sizes)


@rule
def bare_window(
    context: Context, token: Token, name: IRI, stream: IRI, *sizes: Any
) -> tuple[WindowDeclaration, Token]:
    """``FROM NAMED WINDOW :w ON Name [RANGE 5s]``; without STEP windows do not overlap.

    Args:
        context: the state of reading, to which the window is added.
        token: the place for errors about the window.
        name: the name of the window.
        stream: the stream that it reads.
        sizes: RANGE, STEP and the like, each as a field and its value.
    """
    return _declared(context, stream, (*sizes, ("tumbling", True)), name), token


@rule
def stream_pattern(context: Context, stream: IRI, *parts: Any) -> Window:
    """``STREAM <s> [RANGE 5s SLIDE 1s] { … }``; equal windows are one window."""
    *sizes, group = parts
    window = _declared(context, stream, tuple(sizes))
    for known in context.windows:
        if replace(known, name=window.name) == window:
            break
    if known is not window:
        context.windows.remove(window)
    return Window(known.name, group.pattern)


@rule
def bare_stream_pattern(context: Context, token: Token, group: Group) -> Window:
    """``STREAM Name { … }``.

    Args:
        context: the state of reading, with the windows declared before.
        token: the name of the stream, which is also that of its window.
        group: the group that is matched in the window.
    """
    name = _relative(context, str(token))
    if all(window.name != name for window in context.windows):
        context.error(
            token,
            f"the stream {token} has no window; add FROM STREAM {token} […]",
            expected="a stream of FROM STREAM",
        )
    return Window(name, group.pattern)


# Queries


@rule
def order_after(_: Context, variable: Variable, token: Token) -> OrderKey:
    """``?x DESC``.

    Args:
        _: the state of reading, which the rule does not need.
        variable: the key of ORDER BY.
        token: the word ``ASC`` or ``DESC``.
    """
    return OrderKey(variable, token.upper() == "DESC")


def completed(context: Context, query: Query) -> Query:
    """Return a query with the parts that its language implies."""
    if context.language.implied is not None:
        windows = tuple(context.windows)
        return replace(query, operator=context.language.implied, windows=windows)
    if context.language.name != "cqels-ql-2":
        return query
    pattern, graphs = query.pattern, query.default_graphs + query.named_graphs
    bare = not graphs and not any(isinstance(part, Window) for part in within(pattern))
    if bare and len(query.windows) == 1:
        pattern = Window(query.windows[0].name, pattern)
    aliases = {
        item.variable: item.expression
        for item in query.projection or ()
        if any(isinstance(part, Aggregate) for part in within(item.expression))
    }
    having = tuple(substituted(condition, aliases) for condition in query.having)
    return replace(query, pattern=pattern, having=having)
