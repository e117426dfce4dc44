"""The shape of a query: its operators within each other, without names and terms."""

from __future__ import annotations

from typing import Any

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Pattern,
    SubSelect,
    TriplePattern,
    Values,
)
from rsp_conformance.model.expressions import Aggregate, Exists, Operation, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.walk import children


def shape(node: Any) -> str:
    """The shape of a query, a pattern or an expression."""
    match node:
        case Query():
            return _query(node)
        case BGP(triples):
            return "+".join(map(_triple, triples)) or "{}"
        case Filter(condition, inner):
            return f"Filter[{shape(condition)}]({shape(inner)})"
        case Extend(inner, _, expression):
            return f"Bind[{shape(expression)}]({shape(inner)})"
        case Graph(name, inner):
            return f"Graph{'?' if isinstance(name, Variable) else ''}({shape(inner)})"
        case Values(_, rows):
            return "Values?" if any(None in row for row in rows) else "Values"
        case SubSelect(query):
            return f"({_query(query)})"
        case Exists(pattern, negated):
            return f"{'Not' if negated else ''}Exists({shape(pattern)})"
        case Aggregate(name, _, distinct):
            return f"{name}{' DISTINCT' if distinct else ''}"
        case Operation(name, arguments):
            texts = [shape(a) for a in arguments if not isinstance(a, Variable | IRI)]
            return name + "".join(f"<{text}>" for text in texts if text)
    if isinstance(node, Pattern):
        tested = getattr(node, "condition", None)
        head = type(node).__name__ + (f"[{shape(tested)}]" if tested is not None else "")
        return f"{head}({', '.join(map(shape, children(node)))})"
    return ""


def _triple(triple: TriplePattern) -> str:
    predicate = triple.predicate
    if isinstance(predicate, IRI):
        return "t"
    return "t?" if isinstance(predicate, Variable) else type(predicate).__name__


def _query(query: Query) -> str:
    words = ["Select"]
    if query.distinct:
        words.append("distinct")
    if is_grouped(query):
        words += [shape(p.expression) for p in query.projection or () if p.expression is not None]
        words.append(f"by {len(query.group_by or ())}")
    if query.having:
        words.append("having")
    if query.limit is not None:
        words.append("cut")
    return f"{' '.join(words)}: {shape(query.pattern)}"
