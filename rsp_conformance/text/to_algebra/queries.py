"""Whole queries: prologue, registration, dataset, forms and solution modifiers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from lark import Token

from rsp_conformance.model.algebra import BGP
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.query import (
    Form,
    GroupKey,
    OrderKey,
    Projection,
    Query,
    StreamOperator,
)
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import Span, WindowDeclaration
from rsp_conformance.text.durations import parse_duration
from rsp_conformance.text.to_algebra.checks import check_group_keys, check_selection
from rsp_conformance.text.to_algebra.context import RULES, Context, rule
from rsp_conformance.text.to_algebra.expressions import no_aggregate
from rsp_conformance.text.to_algebra.groups import Group, block_of_triples
from rsp_conformance.text.to_algebra.terms import variable_of
from rsp_conformance.text.to_algebra.triples import Block

PATHS = (InversePath, SequencePath, AlternativePath, RepeatedPath, NegatedPropertySet)


@dataclass(frozen=True, slots=True)
class Selection:
    """A SELECT clause; ``items`` None is ``*``, else each item with the place of its variable."""

    distinct: bool
    reduced: bool
    items: tuple[tuple[Projection, Token], ...] | None
    star: Token | None


@dataclass(frozen=True, slots=True)
class Registration:
    """What stands between REGISTER and AS."""

    operator: StreamOperator | None
    name: IRI | None
    computed_every: Span | None


@dataclass(frozen=True, slots=True)
class _DefaultGraph:
    name: IRI


@dataclass(frozen=True, slots=True)
class _NamedGraph:
    name: IRI


# ------------------------------------------------------------------------------------- prologue


@rule("span")
def span(context: Context, parts: list[Any]) -> tuple[Span, Token]:
    """A length of time and its place."""
    token = parts[0]
    try:
        value: Span = int(token) if token.type == "INTEGER" else parse_duration(str(token))
    except ValueError as error:
        context.error(
            token, str(error), expected="a duration such as PT5S, or a number of instants"
        )
    return value, token


def _positive(context: Context, what: str, value: tuple[Span, Token]) -> Span:
    length, token = value
    if (length if isinstance(length, int) else length.milliseconds) < 1:
        context.error(token, f"{what} is at least one instant", expected="a positive length")
    return length


@rule("registration")
def registration(context: Context, parts: list[Any]) -> Registration:
    """``REGISTER … AS``, in whatever order its words came."""
    operator = name = every = None
    for part in parts:
        if isinstance(part, Token):
            operator = StreamOperator(str(part).upper())
        elif isinstance(part, IRI):
            name = part
        else:
            (every,) = part
    return Registration(operator, name, every)


# -------------------------------------------------------------------------------------- dataset


@rule("refused_size")
def refused_size(context: Context, parts: list[Any]) -> None:
    """Windows that are no sliding windows over time."""
    token = next(part for part in parts if isinstance(part, Token) and part.type == "REFUSED_SIZE")
    word = str(token).upper()
    kind = {"NOW": "NOW windows", "UNBOUNDED": "UNBOUNDED windows"}.get(
        word, f"windows by count ({word})"
    )
    context.refuse(
        token,
        f"{kind} are not supported; write [RANGE width STEP slide] with lengths of time",
        expected="RANGE",
    )


@rule("window_declaration")
def window_declaration(context: Context, parts: list[Any]) -> tuple[WindowDeclaration, Token]:
    """``WINDOW w ON STREAM s [RANGE r STEP s]``, and its place."""
    token, name, stream, *size = parts
    return WindowDeclaration(name, stream, **dict(size)), token


@rule("window_in_default")
def window_in_default(context: Context, parts: list[Any]) -> tuple[WindowDeclaration, Token]:
    """``FROM WINDOW …``: the window is merged into the default graph."""
    declaration, token = parts[0]
    return replace(declaration, named=False), token


@rule("datasets")
def datasets(context: Context, parts: list[Any]) -> dict[str, Any]:
    """All FROM clauses, as fields of the query."""
    windows: dict[IRI, WindowDeclaration] = {}
    for declaration, token in (part for part in parts if isinstance(part, tuple)):
        if declaration.name in windows:
            context.error(
                token,
                f"the window {declaration.name!r} is declared twice; give one another name",
                expected="a new name",
            )
        windows[declaration.name] = declaration
    return {
        "windows": tuple(windows.values()),
        "default_graphs": tuple(p.name for p in parts if isinstance(p, _DefaultGraph)),
        "named_graphs": tuple(p.name for p in parts if isinstance(p, _NamedGraph)),
    }


# ---------------------------------------------------------------------------- solution modifiers


@rule("group_condition")
def group_condition(context: Context, parts: list[Any]) -> tuple[GroupKey, Token | None]:
    """One condition of GROUP BY, with the place of the variable that names it."""
    no_aggregate(context, parts[0], "in GROUP BY")
    if len(parts) == 1:
        return GroupKey(parts[0]), None
    return GroupKey(parts[0], variable_of(parts[1])), parts[1]


@rule("order_condition")
def order_condition(context: Context, parts: list[Any]) -> OrderKey:
    """One condition of ORDER BY."""
    first = parts[0]
    return OrderKey(parts[-1], isinstance(first, Token) and first.type == "DESC")


# ----------------------------------------------------------------------------------------- forms


@rule("projection")
def projection(context: Context, parts: list[Any]) -> tuple[Projection, Token]:
    """``?x`` or ``(… AS ?x)``, with the place of the variable."""
    token = parts[-1]
    return Projection(variable_of(token), parts[0] if len(parts) > 1 else None), token


@rule("select_clause")
def select_clause(context: Context, parts: list[Any]) -> Selection:
    """``SELECT DISTINCT …``."""
    words = {part.type: part for part in parts if isinstance(part, Token)}
    items = None if "STAR" in words else tuple(p for p in parts if isinstance(p, tuple))
    return Selection("DISTINCT" in words, "REDUCED" in words, items, words.get("STAR"))


def _select(
    context: Context,
    selection: Selection,
    group: Group,
    dataset: dict[str, Any],
    modifier: dict[str, Any],
) -> Query:
    pattern = group.pattern
    modifier = _group_keys(context, group, modifier)
    query = Query(
        pattern=pattern,
        projection=_projections(selection),
        distinct=selection.distinct,
        reduced=selection.reduced,
        **dataset,
        **modifier,
    )
    check_selection(context, query, selection.items, selection.star)
    return query


def _projections(selection: Selection) -> tuple[Projection, ...] | None:
    """What is selected; a variable written twice is one column."""
    if selection.items is None:
        return None
    return tuple(dict.fromkeys(projection for projection, _ in selection.items))


def _group_keys(context: Context, group: Group, modifier: dict[str, Any]) -> dict[str, Any]:
    """The modifiers with the keys of GROUP BY checked and without their places."""
    if "group_by" not in modifier:
        return modifier
    check_group_keys(context, group.pattern, modifier["group_by"])
    return modifier | {"group_by": tuple(key for key, _ in modifier["group_by"])}


@rule("select_query")
def select_query(context: Context, parts: list[Any]) -> Query:
    """``SELECT …``."""
    selection, dataset, group, modifier = parts
    return _select(context, selection, group, dataset, modifier)


@rule("sub_select")
def sub_select(context: Context, parts: list[Any]) -> Query:
    """``SELECT …`` within a group."""
    selection, group, modifier, values = parts
    return replace(_select(context, selection, group, {}, modifier), values=values)


@rule("ask_query")
def ask_query(context: Context, parts: list[Any]) -> Query:
    """``ASK …``."""
    dataset, group, modifier = parts
    modifier = _group_keys(context, group, modifier)
    return Query(form=Form.ASK, pattern=group.pattern, **dataset, **modifier)


@rule("construct_template")
def construct_template(context: Context, parts: list[Any]) -> tuple[Token, Block]:
    """The template and the place where it begins."""
    token, *blocks = parts
    block = blocks[0] if blocks else Block((), ())
    for triple in block.triples:
        if isinstance(triple.predicate, PATHS):
            context.error(
                token,
                "a property path cannot stand in a CONSTRUCT template",
                expected="triples without paths",
            )
    return token, block


@rule("construct_query")
def construct_query(context: Context, parts: list[Any]) -> Query:
    """``CONSTRUCT { … } WHERE { … }``."""
    (_, template), dataset, group, modifier = parts
    modifier = _group_keys(context, group, modifier)
    return Query(
        form=Form.CONSTRUCT,
        template=template.triples,
        pattern=group.pattern,
        **dataset,
        **modifier,
    )


@rule("construct_where")
def construct_where(context: Context, parts: list[Any]) -> Query:
    """``CONSTRUCT WHERE { … }``: the pattern is the template."""
    dataset, (_, template), modifier = parts
    pattern = block_of_triples(context, [template])
    modifier = _group_keys(context, Group(pattern), modifier)
    return Query(
        form=Form.CONSTRUCT, template=template.triples, pattern=pattern, **dataset, **modifier
    )


@rule("describe_query")
def describe_query(context: Context, parts: list[Any]) -> Query:
    """``DESCRIBE …``, with or without a pattern."""
    described = tuple(part for part in parts if isinstance(part, IRI | Variable))
    dataset, modifier = (part for part in parts if isinstance(part, dict))
    group = next((part for part in parts if isinstance(part, Group)), Group(BGP()))
    modifier = _group_keys(context, group, modifier)
    return Query(
        form=Form.DESCRIBE, described=described, pattern=group.pattern, **dataset, **modifier
    )


@rule("rspql_query")
def rspql_query(context: Context, parts: list[Any]) -> Query:
    """The whole query."""
    query: Query = next(part for part in parts if isinstance(part, Query))
    registered = next((part for part in parts if isinstance(part, Registration)), None)
    if registered is not None:
        query = replace(
            query,
            operator=registered.operator,
            name=registered.name,
            computed_every=registered.computed_every,
        )
    return replace(
        query,
        values=parts[-1],
        prefixes=tuple(context.prefixes.items()),
        base=context.base,
    )


# What the rules yield that check nothing.
RULES.update(
    {
        # ``BASE <…>``
        "base_declaration": lambda context, parts: context.rebase(str(parts[0])[1:-1]),
        # ``PREFIX p: <…>``
        "prefix_declaration": lambda context, parts: context.declare(
            str(parts[0])[:-1], context.iri(parts[1]).value
        ),
        "prologue": lambda _, parts: None,  # All declarations; each has been noted already
        # ``COMPUTED EVERY n``
        "computed": lambda context, parts: (_positive(context, "COMPUTED EVERY", parts[0]),),
        # ``RANGE n``
        "range": lambda context, parts: ("width", _positive(context, "RANGE", parts[0])),
        "step": lambda context, parts: (
            "slide",
            _positive(context, "STEP", parts[0]),
        ),  # ``STEP n``
        "default_graph": lambda _, parts: _DefaultGraph(parts[0]),  # ``FROM g``
        "named_graph": lambda _, parts: _NamedGraph(parts[0]),  # ``FROM NAMED g``
        "named_window": lambda _, parts: parts[0],  # ``FROM NAMED WINDOW …``
        "group_clause": lambda _, parts: ("group_by", parts),  # ``GROUP BY …``
        "having_clause": lambda _, parts: ("having", tuple(parts[1:])),  # ``HAVING …``
        "order_clause": lambda _, parts: ("order_by", tuple(parts)),  # ``ORDER BY …``
        "limit": lambda _, parts: ("limit", int(parts[0])),  # ``LIMIT n``
        "offset": lambda _, parts: ("offset", int(parts[0])),  # ``OFFSET n``
        "solution_modifier": lambda _, parts: dict(parts),  # All of them, as fields of the query
        # VALUES after the query, or None
        "values_clause": lambda _, parts: parts[0] if parts else None,
        "where_clause": lambda _, parts: parts[0],  # ``WHERE { … }``
    }
)
