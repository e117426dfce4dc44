"""Whole queries as text, one clause a line."""

from __future__ import annotations

from rsp_conformance.model.algebra import BGP
from rsp_conformance.model.expressions import Expression, FunctionCall, Operation, Variable
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.text.builtin_functions import SPELLING
from rsp_conformance.text.printer.expressions import constraint_text, expression_text
from rsp_conformance.text.printer.patterns import group_lines, indented, values_lines
from rsp_conformance.text.printer.style import Style
from rsp_conformance.text.printer.terms import term_text, triple_text

OPERATORS = {
    StreamOperator.RSTREAM: "RStream",
    StreamOperator.ISTREAM: "IStream",
    StreamOperator.DSTREAM: "DStream",
}


def query_lines(query: Query, style: Style) -> list[str]:
    """The lines of QUERY."""
    # No IRI printed is relative; but IRI("a") is resolved against the base when it is evaluated.
    prologue = [] if query.base is None else [f"BASE <{query.base}>"]
    prologue += [f"PREFIX {prefix}: <{namespace}>" for prefix, namespace in style.prefixes]
    return [*prologue, *_registration(query, style), *_FORMS[query.form](query, style)]


def _registration(query: Query, style: Style) -> list[str]:
    if style.star:
        return _registration_of_a_stream(query, style)
    if query.operator is None and query.name is None and query.computed_every is None:
        return []
    words = ["REGISTER"]
    if query.operator is not None:
        words.append(OPERATORS[query.operator])
    elif query.name is not None:
        words.append("QUERY")
    if query.name is not None:
        words.append(style.iri(query.name.value))
    if query.computed_every is not None:
        words += ("COMPUTED EVERY", style.span(query.computed_every))
    return [" ".join((*words, "AS"))]


NAMELESS = IRI("urn:rsp:answers")
"""What RSP-QL* registers a query as that has no name."""


def _registration_of_a_stream(query: Query, style: Style) -> list[str]:
    """RSP-QL* registers every query as a stream, and streaming operators it has none."""
    if query.operator is not None:
        raise ValueError(f"RSP-QL* has no {query.operator.value}")
    words = ["REGISTER STREAM", style.iri((query.name or NAMELESS).value)]
    if query.computed_every is not None:
        words += ("COMPUTED EVERY", style.span(query.computed_every))
    return [" ".join((*words, "AS"))]


def select_lines(query: Query, style: Style) -> list[str]:
    """A SELECT query without prologue and registration."""
    words = ["SELECT"]
    if query.distinct or query.reduced:
        words.append("DISTINCT" if query.distinct else "REDUCED")
    if query.projection is None:
        words.append("*")
    elif query.projection:
        words += (_projection(item, style) for item in query.projection)
    else:
        raise ValueError("a SELECT query without variables cannot be written")
    return [*" ".join(words).split("\n"), *_rest(query, style)]


def _projection(item: Projection, style: Style) -> str:
    name = f"?{item.variable.name}"
    if item.expression is None:
        return name
    return f"({expression_text(item.expression, style)} AS {name})"


def _ask(query: Query, style: Style) -> list[str]:
    return ["ASK", *_rest(query, style)]


def _construct(query: Query, style: Style) -> list[str]:
    triples = [f"{triple_text(triple, style)} ." for triple in query.template]
    return ["CONSTRUCT {", *indented(triples), "}", *_rest(query, style)]


def _describe(query: Query, style: Style) -> list[str]:
    what = " ".join(term_text(term, style) for term in query.described) or "*"
    return [f"DESCRIBE {what}", *_rest(query, style, with_pattern=query.pattern != BGP())]


_FORMS = {
    Form.SELECT: select_lines,
    Form.ASK: _ask,
    Form.CONSTRUCT: _construct,
    Form.DESCRIBE: _describe,
}


def _rest(query: Query, style: Style, with_pattern: bool = True) -> list[str]:
    """All that the forms share: dataset, pattern and solution modifiers."""
    lines = [f"FROM {style.iri(graph.value)}" for graph in query.default_graphs]
    lines += (f"FROM NAMED {style.iri(graph.value)}" for graph in query.named_graphs)
    lines += (_window(window, style) for window in query.windows)
    if with_pattern:
        lines += ("WHERE {", *indented(group_lines(query.pattern, style)), "}")
    if query.group_by is not None:
        lines += _keys("GROUP BY", [_group_key(key, style) for key in query.group_by])
    if query.having:
        lines += _keys("HAVING", [constraint_text(e, style) for e in query.having])
    if query.order_by:
        lines += _keys("ORDER BY", [_order_key(key, style) for key in query.order_by])
    if query.limit is not None:
        lines.append(f"LIMIT {query.limit}")
    if query.offset is not None:
        lines.append(f"OFFSET {query.offset}")
    if query.values is not None:
        lines += values_lines(query.values, style)
    return lines


def _keys(head: str, keys: list[str]) -> list[str]:
    return " ".join((head, *keys)).split("\n")


def _window(window: WindowDeclaration, style: Style) -> str:
    size = f"RANGE {style.span(window.width)}"
    if window.slide is not None:
        size += f" STEP {style.span(window.slide)}"
    elif style.explicit_step or style.star:
        size += f" STEP {style.span(1)}"
    return (
        f"FROM {'NAMED ' if window.named else ''}WINDOW {style.iri(window.name.value)} "
        f"ON {'' if style.star else 'STREAM '}{style.iri(window.stream.value)} [{size}]"
    )


def _is_call(expression: Expression) -> bool:
    return isinstance(expression, FunctionCall) or (
        isinstance(expression, Operation) and expression.name in SPELLING
    )


def _group_key(key: GroupKey, style: Style) -> str:
    text = expression_text(key.expression, style)
    if key.variable is not None:
        return f"({text} AS ?{key.variable.name})"
    return text if isinstance(key.expression, Variable) or _is_call(key.expression) else f"({text})"


def _order_key(key: OrderKey, style: Style) -> str:
    if key.descending:
        return f"DESC({expression_text(key.expression, style)})"
    if isinstance(key.expression, Variable):
        return term_text(key.expression, style)
    return constraint_text(key.expression, style)
