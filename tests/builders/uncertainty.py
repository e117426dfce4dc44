"""An expression computed twice: by the specification, and by the reference engine's functions."""

from __future__ import annotations

from typing import TypeAlias

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import XSD, XSD_DOUBLE, Literal, Term
from rsp_conformance.model.uncertainty import DISTRIBUTION, RSPU
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import evaluate
from rsp_conformance.text.parse import parse_query
from tests.oracles import oxigraph

PREFIXES = f"PREFIX : <http://ex.org/> PREFIX rspu: <{RSPU}> PREFIX xsd: <{XSD}> "
Way: TypeAlias = str
"""The name of who computes."""
WAYS: tuple[Way, ...] = ("specification", "reference")
_SOLUTIONS = {"specification": evaluate.solutions, "reference": oxigraph.solutions}


def query(text: str) -> Query:
    """TEXT, where ``N(1,2)!`` is a distribution's literal."""
    words = text.split("!")
    for place, word in enumerate(words[:-1]):
        start = max(word.rfind("N("), word.rfind("U("))
        words[place] = f'{word[:start]}"{word[start:]}"^^rspu:distribution'
    return parse_query(PREFIXES + "".join(words))


def solutions(query: Query, dataset: Dataset, way: Way) -> Relation:
    return _SOLUTIONS[way](query, dataset)


def value(expression: str, way: Way) -> Term | None:
    """What EXPRESSION yields; None is an error."""
    found = solutions(query(f"SELECT ({expression} AS ?value) {{}}"), Dataset(), way)
    return found.rows[0][0]


def refusal(expression: str, way: Way) -> str:
    """Why EXPRESSION is refused."""
    try:
        found = value(expression, way)
    except Unsupported as refused:
        return refused.what
    raise AssertionError(f"{expression} is not refused but {found!r}")


def probability(expression: str, way: Way) -> float:
    """The probability that EXPRESSION yields."""
    found = value(expression, way)
    assert isinstance(found, Literal), f"{expression}: {found!r}"
    assert found.datatype == XSD_DOUBLE
    return float(found.lexical)


def distribution(text: str) -> Literal:
    return Literal(text, DISTRIBUTION)
