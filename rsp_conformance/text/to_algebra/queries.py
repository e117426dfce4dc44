"""Whole queries: prologue, registration, dataset, forms and solution modifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lark import Token

from rsp_conformance.model.algebra import Pattern
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.instants import LATEST
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import (
    group_variables,
    in_scope,
    is_grouped,
    outside_aggregates,
)
from rsp_conformance.model.windows import Count, Duration, Reach, Span, Unit, WindowDeclaration
from rsp_conformance.text.durations import parse_duration, parse_length
from rsp_conformance.text.to_algebra.context import RULES, Context, rule
from rsp_conformance.text.to_algebra.expressions import no_aggregate
from rsp_conformance.text.to_algebra.groups import Group, block_of_triples
from rsp_conformance.text.to_algebra.terms import Block, variable_of


@dataclass(frozen=True, slots=True)
class Selection:
    """A SELECT clause as fields of the query, and the places of its variables or of its star."""

    fields: dict[str, Any]
    items: tuple[tuple[Projection, Token], ...]
    star: Token | None


# Registration

_SPANS: dict[str, Callable[[str], Span]] = {
    "INTEGER": int,
    "DURATION": parse_duration,
    "LENGTH": parse_length,
}


@rule
def span(context: Context, token: Token) -> tuple[Span, Token]:
    """Return a length of time and its place."""
    try:
        return _SPANS[token.type](str(token)), token
    except ValueError as error:
        expected = "a duration such as PT5S, or a number of instants"
        context.error(
            token,
            str(error),
            expected="a length such as 5s" if token.type == "LENGTH" else expected,
        )


def _positive(context: Context, what: str, value: tuple[Span, Token]) -> Span:
    length, token = value
    if (length if isinstance(length, int) else length.milliseconds) < 1:
        context.error(token, f"{what} is at least one instant", expected="a positive length")
    return length


def stream_operator(context: Context, token: Token) -> StreamOperator:
    """Return the operator that a token names; REGISTER and the query form cannot name two."""
    operator = StreamOperator(str(token).upper())
    if context.operator is not None and context.operator is not operator:
        context.error(
            token,
            f"{operator.value} stands where REGISTER has {context.operator.value}; name one",
            expected="one streaming operator",
        )
    context.operator = operator
    return operator


@rule
def registration(context: Context, *parts: Any) -> dict[str, Any]:
    """``REGISTER … AS``, in any order of its words, as fields of the query."""
    fields: dict[str, Any] = {}
    for part in parts:
        if isinstance(part, Token):
            fields["operator"] = stream_operator(context, part)
        else:
            fields |= {"name": part} if isinstance(part, IRI) else part
    return fields


# Dataset


@rule
def datasets(context: Context, *clauses: tuple[Any, Any]) -> dict[str, Any]:
    """Return all FROM clauses, as fields of the query."""
    windows: dict[IRI, WindowDeclaration] = {}
    for declaration, token in clauses:
        if not isinstance(declaration, WindowDeclaration):
            continue
        if declaration.name in windows:
            context.error(
                token,
                f"the window {declaration.name!r} is declared twice; give one another name",
                expected="a new name",
            )
        windows[declaration.name] = declaration
    return {
        "windows": tuple(windows.values()),
        "default_graphs": tuple(name for kind, name in clauses if kind == "default"),
        "named_graphs": tuple(name for kind, name in clauses if kind == "named"),
    }


# Solution modifiers


@rule
def group_condition(
    context: Context, expression: Expression, token: Token | None = None
) -> tuple[GroupKey, Token | None]:
    """One condition of GROUP BY, with the place of the variable that names it.

    Args:
        context: the state of reading.
        expression: the key.
        token: the variable after AS; None for a key without a name.
    """
    no_aggregate(context, expression, "in GROUP BY")
    return GroupKey(expression, None if token is None else variable_of(token)), token


@rule
def order_condition(context: Context, *parts: Any) -> OrderKey:
    """One condition of ORDER BY."""
    return OrderKey(parts[-1], isinstance(parts[0], Token) and parts[0].type == "DESC")


# Forms


@rule
def projection(context: Context, *parts: Any) -> tuple[Projection, Token]:
    """``?x`` or ``(… AS ?x)``, with the place of the variable."""
    *expressions, token = parts
    return Projection(variable_of(token), *expressions), token


@rule
def select_clause(context: Context, *parts: Any) -> Selection:
    """``SELECT DISTINCT …``; a variable written twice is one column."""
    words = {part.type: part for part in parts if isinstance(part, Token)}
    items = tuple(part for part in parts if isinstance(part, tuple))
    shown = None if "STAR" in words else tuple(dict.fromkeys(item for item, _ in items))
    fields = {"distinct": "DISTINCT" in words, "reduced": "REDUCED" in words, "projection": shown}
    return Selection(fields, items, words.get("STAR"))


def _query(context: Context, group: Group, modifier: dict[str, Any], **fields: Any) -> Query:
    """Return a query of any form; its GROUP BY keys are checked and their places dropped."""
    keys: Sequence[tuple[GroupKey, Token | None]] | None = modifier.get("group_by")
    if keys is not None:
        _check_group_keys(context, group.pattern, keys)
        modifier = modifier | {"group_by": tuple(key for key, _ in keys)}
    return Query(pattern=group.pattern, **modifier, **fields)


@rule
def select_query(
    context: Context,
    selection: Selection,
    dataset: dict[str, Any],
    group: Group,
    modifier: dict[str, Any],
) -> Query:
    """``SELECT …``.

    Args:
        context: the state of reading.
        selection: the SELECT clause.
        dataset: the fields of the query that FROM gives: windows and graphs.
        group: the group after WHERE.
        modifier: the fields of the query that GROUP BY, ORDER BY and the like give.
    """
    query = _query(context, group, modifier, **dataset, **selection.fields)
    _check_selection(context, query, selection.items, selection.star)
    return query


@rule
def sub_select(
    context: Context, selection: Selection, group: Group, modifier: dict[str, Any], values: Any
) -> Query:
    """``SELECT …`` within a group.

    Args:
        context: the state of reading.
        selection: the SELECT clause.
        group: the group after WHERE.
        modifier: the fields of the query that GROUP BY, ORDER BY and the like give.
        values: the VALUES at the end; None if there are none.
    """
    return replace(select_query(context, selection, {}, group, modifier), values=values)


@rule
def construct_template(context: Context, token: Token, block: Block | None = None) -> Block:
    """Return the template of a CONSTRUCT.

    Args:
        context: the state of reading.
        token: the place at which the template begins.
        block: its triples; None for an empty template.
    """
    block = block or Block()
    for triple in block.triples:
        if not isinstance(triple.predicate, IRI | Variable):
            context.error(
                token,
                "a CONSTRUCT template cannot contain a property path",
                expected="triples without paths",
            )
    return block


@rule
def construct_query(
    context: Context, block: Block, dataset: dict[str, Any], group: Group, modifier: dict[str, Any]
) -> Query:
    """``CONSTRUCT { … } WHERE { … }``.

    Args:
        context: the state of reading.
        block: the template.
        dataset: the fields of the query that FROM gives: windows and graphs.
        group: the group after WHERE.
        modifier: the fields of the query that ORDER BY, LIMIT and the like give.
    """
    form = {"form": Form.CONSTRUCT, "template": block.triples}
    return _query(context, group, modifier, **dataset, **form)


@rule
def construct_where(
    context: Context, dataset: dict[str, Any], block: Block, modifier: dict[str, Any]
) -> Query:
    """``CONSTRUCT WHERE { … }``: the pattern is also the template.

    Args:
        context: the state of reading.
        dataset: the fields of the query that FROM gives: windows and graphs.
        block: the triples of template and pattern.
        modifier: the fields of the query that ORDER BY, LIMIT and the like give.
    """
    group = Group(block_of_triples(context, [block]))
    return construct_query(context, block, dataset, group, modifier)


@rule
def describe_query(context: Context, *parts: Any) -> Query:
    """``DESCRIBE …``, with or without a pattern."""
    described = tuple(part for part in parts if isinstance(part, IRI | Variable))
    dataset, modifier = (part for part in parts if isinstance(part, dict))
    group = next((part for part in parts if isinstance(part, Group)), Group())
    form = {"form": Form.DESCRIBE, "described": described}
    return _query(context, group, modifier, **dataset, **form)


@rule
def range_(context: Context, *spans: tuple[Span, Token]) -> tuple[str, Span]:
    """``RANGE 5s``, and in CQELS-QL ``RANGE 1m 30s``."""
    lengths = [_positive(context, "RANGE", span) for span in spans]
    if len(lengths) == 1:
        return "width", lengths[0]
    return "width", Duration(sum(n.milliseconds for n in lengths if isinstance(n, Duration)))


@rule
def counted(context: Context, word: Token, number: Token) -> tuple[str, Count]:
    """``ELEMENTS 3``, also written ``ROWS 3``, and ``TRIPLES 3``.

    Args:
        context: the state of reading.
        word: the unit that is counted.
        number: how many the window holds.
    """
    unit: Unit = "triples" if word.type == "TRIPLES" else "elements"
    try:
        return "width", Count(unit, int(number))
    except ValueError as error:
        context.error(number, str(error), expected="a positive number")


@rule
def units_step(context: Context, number: Token) -> tuple[str, int]:
    """``STEP 2`` of a window by count.

    Args:
        context: the state of reading.
        number: by how many units the window slides.
    """
    if not 1 <= int(number) <= LATEST:
        context.error(number, f"STEP takes a number from 1 to {LATEST}", expected="a number")
    return "slide", int(number)


@rule
def now(_: Context) -> tuple[str, Reach]:
    """``NOW``: the present instant's elements."""
    return "width", Reach.NOW


@rule
def unbounded(_: Context) -> tuple[str, Reach]:
    """``RANGE UNBOUNDED``: all elements that have come."""
    return "width", Reach.UNBOUNDED


@rule
def registered_query(context: Context, *parts: Any) -> Query:
    """Return the whole query."""
    *before, query, values = parts
    registered = [part for part in before if part is not None]
    assert isinstance(query, Query)
    prefixes = tuple(context.prefixes.items())
    query = replace(query, values=values, prefixes=prefixes, base=context.base)
    return replace(query, **registered[0]) if registered else query


# Rules of SPARQL for SELECT and GROUP BY beyond the grammar (SPARQL 1.1, 18.2.4, 19.8)


def _check_group_keys(
    context: Context, pattern: Pattern, keys: Sequence[tuple[GroupKey, Token | None]]
) -> None:
    """Check that ``GROUP BY (… AS ?v)`` names a variable that is not in scope."""
    named = [token for _, token in keys if token is not None]
    taken = set(in_scope(pattern)) if named else set()
    for token in named:
        if token[1:] in taken:
            context.error(
                token,
                f"GROUP BY cannot assign {token}: it is already in scope; take another variable",
                expected="a variable that is not in scope",
            )
        taken.add(token[1:])


def _check_selection(
    context: Context, query: Query, items: Sequence[tuple[Projection, Token]], star: Token | None
) -> None:
    """Check that SELECT assigns new variables, and that a grouped query selects grouped values."""
    grouped = is_grouped(query)
    if grouped and star is not None:
        context.error(
            star,
            "SELECT * cannot stand with GROUP BY or aggregates; name the variables",
            expected="variables of GROUP BY, or aggregates",
        )
    taken = set(in_scope(query.pattern)) if any(p.expression for p, _ in items) else set()
    shown = set(group_variables(query))
    for projection, token in items:
        name = projection.variable.name
        if projection.expression is None:
            if grouped and name not in shown:
                _not_grouped(context, token, name)
            taken.add(name)
            continue
        if name in taken:
            context.error(
                token,
                f"SELECT cannot assign {token}: it is already in scope; take another variable",
                expected="a variable that is not in scope",
            )
        if grouped:
            for part in outside_aggregates(projection.expression):
                if isinstance(part, Variable) and part.name not in shown:
                    _not_grouped(context, token, part.name)
        taken.add(name)
        shown.add(name)


def _not_grouped(context: Context, token: Token, name: str) -> None:
    context.error(
        token,
        f"?{name} is not in GROUP BY; add it there, or aggregate it, as in (SAMPLE(?{name}) AS ?v)",
        expected="a variable of GROUP BY, or an aggregate",
    )


# Rules that check nothing.
RULES.update(
    {
        "base_declaration": lambda context, token: context.rebase(str(token)[1:-1]),
        "prefix_declaration": lambda context, name, iri: context.declare(
            str(name)[:-1], context.iri(iri).value
        ),
        "prologue": lambda *_: None,  # All declarations; each has been noted already
        "computed": lambda context, span: {
            "computed_every": _positive(context, "COMPUTED EVERY", span)
        },
        "step": lambda context, span: ("slide", _positive(context, "STEP", span)),
        "default_graph": lambda _, name: ("default", name),  # ``FROM g``
        "named_graph": lambda _, name: ("named", name),  # ``FROM NAMED g``
        # ``FROM WINDOW …``: the window is merged into the default graph
        "window_in_default": lambda _, window: (replace(window[0], named=False), window[1]),
        "ask_query": lambda context, dataset, group, modifier: _query(
            context, group, modifier, form=Form.ASK, **dataset
        ),
        # Solution modifiers, as fields of the query
        "group_clause": lambda _, *keys: ("group_by", keys),
        "having_clause": lambda _, token, *conditions: ("having", conditions),
        "order_clause": lambda _, *keys: ("order_by", keys),
        "limit": lambda _, number: ("limit", int(number)),
        "offset": lambda _, number: ("offset", int(number)),
        "solution_modifier": lambda _, *fields: dict(fields),
        "values_clause": lambda _, values=None: values,  # VALUES after the query
    }
)
