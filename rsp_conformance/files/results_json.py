"""Terms and solutions in SPARQL 1.1 Query Results JSON, as the protocol sends them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rsp_conformance.model.answers import Rows, rows_from_solutions
from rsp_conformance.model.terms import IRI, XSD_STRING, BlankNode, Literal, Term, Triple


def term_to_json(term: Term) -> dict[str, Any]:
    """TERM as the value of a binding; a triple has the type ``triple``."""
    match term:
        case IRI():
            return {"type": "uri", "value": term.value}
        case BlankNode():
            return {"type": "bnode", "value": term.label}
        case Triple():
            parts = ("subject", "predicate", "object")
            value = {part: term_to_json(getattr(term, part)) for part in parts}
            return {"type": "triple", "value": value}
        case Literal():
            found: dict[str, Any] = {"type": "literal", "value": term.lexical}
            if term.language:
                found["xml:lang"] = term.language
            elif term.datatype != XSD_STRING:
                found["datatype"] = term.datatype
            return found


def term_from_json(value: Mapping[str, Any]) -> Term:
    """The term that a binding's value writes; ValueError where it is none."""
    kind, content = value.get("type"), value.get("value")
    match kind:
        case "uri" if isinstance(content, str):
            return IRI(content)
        case "bnode" if isinstance(content, str):
            return BlankNode(content.removeprefix("_:"))
        case "literal" | "typed-literal" if isinstance(content, str):
            return Literal(content, value.get("datatype") or XSD_STRING, value.get("xml:lang"))
        case "triple" if isinstance(content, Mapping):
            subject = term_from_json(content.get("subject", {}))
            predicate = term_from_json(content.get("predicate", {}))
            if isinstance(subject, Literal) or not isinstance(predicate, IRI):
                raise ValueError(f"no triple: {dict(content)!r}")
            return Triple(subject, predicate, term_from_json(content.get("object", {})))
    raise ValueError(
        f"expected a term of type uri, bnode, literal or triple with a value, not {dict(value)!r}"
    )


def solutions_to_json(rows: Rows) -> list[dict[str, Any]]:
    """The rows as a list of bindings; what is unbound is absent."""
    return [
        {name: term_to_json(term) for name, term in solution.items()}
        for solution in rows.solutions()
    ]


def solutions_from_json(solutions: Iterable[Mapping[str, Any]]) -> Rows:
    """Rows from a list of bindings, columns in the order of their first appearance."""
    return rows_from_solutions(
        tuple({n: term_from_json(v) for n, v in solution.items()} for solution in solutions)
    )
