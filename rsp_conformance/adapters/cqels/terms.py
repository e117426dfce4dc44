"""Terms as the engine takes them, and as its answers give them: objects of Java's own classes.

IRIs, blank nodes and literals that are no number and no boolean all come back as `String`. The
data of the case tell them apart; where they cannot, the case is refused. So is a case whose answer
has a float beyond the range of floats: it comes as a double, which can be so great or so small.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.terms import (
    IRI,
    XSD,
    XSD_DOUBLE,
    XSD_FLOAT,
    BlankNode,
    GraphName,
    Literal,
    Term,
    Triple,
    is_numeric,
)
from rsp_conformance.sparql.compare.numbers import exact, number

_DATATYPES: Final[Mapping[str, str]] = {
    "java.lang.Integer": "integer",
    "java.lang.Long": "integer",
    "java.math.BigInteger": "integer",
    "java.math.BigDecimal": "decimal",
    "java.lang.Float": "float",
    "java.lang.Double": "double",
    "java.lang.Boolean": "boolean",
}
_JAVAS: Final[Mapping[str, str]] = {"Infinity": "INF", "-Infinity": "-INF"}
_NODE: Final = "blank-node-"
"""The prefix of the engine's labels of blank nodes, which no text of another term has."""


class Terms:
    """The terms of one case.

    Args:
        values: RDF4J's ValueFactory.
    """

    def __init__(self, values: Any) -> None:
        self._values = values
        self._known: defaultdict[str, set[Term]] = defaultdict(set)
        self._beyond: dict[Literal, Literal] = {}

    def statement(self, triple: Triple, graph: GraphName | None = None) -> Any:
        """`triple` as a Statement of RDF4J's, in `graph` if there is one."""
        parts = [self._value(part) for part in triple]
        if graph is not None:
            parts.append(self._value(graph))
        return self._values.createStatement(*parts)

    def solution(self, row: Any) -> dict[str, Any]:
        """Return a row of the engine's as the protocol has it; what is null is unbound."""
        found = {str(name).removeprefix("?"): row.get(name) for name in row.keySet()}
        return {name: self._json(value) for name, value in found.items() if value is not None}

    def _value(self, term: Term) -> Any:
        match term:
            case IRI():
                self._known[term.value].add(term)
                return self._values.createIRI(term.value)
            case BlankNode():
                label = _NODE + term.label
                self._known[label].add(term)
                return self._values.createBNode(label)
            case Literal():
                self._known[term.lexical].add(term)
                if term.datatype == XSD_FLOAT and number(term) is not None:
                    as_double = exact(Literal(term.lexical, XSD_DOUBLE))
                    if as_double != exact(term):
                        self._beyond[as_double] = term
                if term.language is not None:
                    return self._values.createLiteral(term.lexical, term.language)
                datatype = self._values.createIRI(term.datatype)
                return self._values.createLiteral(term.lexical, datatype)
            case _:
                raise Refused("unsupported", "quoted triples")

    def _json(self, value: Any) -> dict[str, Any]:
        kind = type(value).__name__
        term: Term
        if datatype := _DATATYPES.get(kind):
            text = str(value.toString())
            term = Literal(_JAVAS.get(text, text), XSD + datatype)
            if written := self._beyond.get(exact(term)):
                # It may be this float, whose value is infinite or 0, or a double of the same text.
                raise Refused("unsupported", f"the engine gives {written!r} as a double")
        else:
            term = self._of_text(str(value))
        binding: dict[str, Any] = ANSWERS.write(Term, term)
        return binding

    def _of_text(self, text: str) -> Term:
        """Return the term that the String `text` stands for.

        The one in the data that would come so.
        """
        found = self._known.get(text, set())
        if len(found) > 1:
            found = {term for term in found if not _comes_as_number(term)}
        if len(found) > 1:
            names = " and ".join(sorted(map(repr, found)))
            raise Refused("unsupported", f"the engine's answers do not tell {names} apart")
        return next(iter(found), Literal(text))


def _comes_as_number(term: Term) -> bool:
    if not isinstance(term, Literal):
        return False
    return term.datatype == XSD + "boolean" or (is_numeric(term) and number(term) is not None)
