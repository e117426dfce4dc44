"""Functions on quoted triples (RDF-star 6.4; SPARQL 1.2, 17.4.6)."""

from __future__ import annotations

from collections.abc import Callable

from rsp_conformance.model.terms import IRI, Literal, Term, Triple
from rsp_conformance.sparql.values import boolean


def triple_of(subject: Term, predicate: Term, value: Term) -> Term | None:
    """TRIPLE: an error where the three terms are no triple; ``<< s p o >>`` means the same."""
    if isinstance(subject, Literal) or not isinstance(predicate, IRI):
        return None
    return Triple(subject, predicate, value)


def _part(name: str) -> Callable[[Term], Term | None]:
    def part(term: Term) -> Term | None:
        return getattr(term, name) if isinstance(term, Triple) else None

    return part


TRIPLE_FUNCTIONS: dict[str, tuple[Callable[..., Term | None], int, int | None]] = {
    "TRIPLE": (triple_of, 3, 3),
    "SUBJECT": (_part("subject"), 1, 1),
    "PREDICATE": (_part("predicate"), 1, 1),
    "OBJECT": (_part("object"), 1, 1),
    "ISTRIPLE": (lambda term: boolean(isinstance(term, Triple)), 1, 1),
}
