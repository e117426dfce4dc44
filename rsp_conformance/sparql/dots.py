"""IRIs whose path has dots: who reads a query, or background data, may resolve them.

SPARQL resolves relative IRIs (4.1.1.2), and so does Turtle (6.3). But RFC 3986 takes the dots out
of the path of a reference with a scheme, too (5.2.2), and calls it wrong not to resolve what is a
URI already (6.2.2.3). W3C's group is at odds about Turtle's words, which are SPARQL's
(w3c/rdf-turtle, issue 89). So it is open; query and background data are each read in one way
throughout a case. IRIs in streams stay as they are.
"""

from __future__ import annotations

from typing import TypeVar

from rsp_conformance.model.background import Background
from rsp_conformance.model.iris import without_dots
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import rewritten, within
from rsp_conformance.sparql.open_points import DOTS
from rsp_conformance.sparql.readings import Choice, Choices, Readings

Node = TypeVar("Node", Query, Background)

IN_QUERY, IN_BACKGROUND = Choice(DOTS, "query"), Choice(DOTS, "background")
"""What may be read in another way, each by itself."""
_OPTIONS = ("kept", "resolved")


def choices_about_dots(query: Query, background: Background) -> Choices:
    """The choices that the IRIs of a case leave, whatever is evaluated."""
    found = ((IN_QUERY, query), (IN_BACKGROUND, background))
    return tuple((choice, _OPTIONS) for choice, read in found if has_dots(read))


def as_resolved(
    query: Query, background: Background, readings: Readings
) -> tuple[Query, Background]:
    """A query and background data as an engine reads them that reads dots so."""
    if (IN_QUERY, "resolved") in readings:
        query = _resolved(query, frozenset(window.name for window in query.windows))
    if (IN_BACKGROUND, "resolved") in readings:
        background = _resolved(background, frozenset())
    return query, background


def has_dots(node: Query | Background) -> bool:
    """Whether an IRI in a query or in background data has dots in its path."""
    iris = (part.value for part in within(node) if isinstance(part, IRI))
    # Most IRIs have no such segment, which a path begins with or a slash stands before.
    return any(("/." in iri or ":." in iri) and without_dots(iri) != iri for iri in iris)


def _resolved(node: Node, names: frozenset[object]) -> Node:
    """A node without the dots of its IRIs, but for names, which are those of declarations, too."""

    def change(part: object) -> object:
        is_term = isinstance(part, IRI) and part not in names
        return IRI(without_dots(part.value)) if is_term else part  # type: ignore[attr-defined]

    return rewritten(node, change)
