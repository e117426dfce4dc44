"""Layouts: how the text of a query is written.

``?s :p ?o ; :q ?x`` has the same algebra as ``?s :p ?o . ?s :q ?x``, and a parser may handle one
and not the other. A layout has nothing to do with windows or values. So most cases are written
plainly, and any other case makes only some of the choices (swarm testing).

Some things are rare in queries, and only one choice writes them in another way: a list as ``( ?x
)``. Queries with such a thing get a layout more often.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from hypothesis import strategies as st

from rsp_conformance.model.expressions import Operation
from rsp_conformance.model.layout import CHOICES, Layout
from rsp_conformance.model.query import Query, abbreviated
from rsp_conformance.model.terms import IRI, RDF_NIL, BlankNode, Literal
from rsp_conformance.model.walk import within
from rsp_conformance.strategies.draws import pick
from rsp_conformance.text.printer.names import prefixed

_WRITTEN: Final = (*(False,) * 11, True)
"""One case in twelve gets a layout: then each form of text occurs in about 1 of 50 cases."""

_NAMED: Final = (False, False, True)
_ASKED: Final = (False, True, True)
"""Two cases in three get a layout if it writes something rare, one in three if only a name."""


def draw_layout(draw: st.DrawFn, query: Query) -> Layout | None:
    """Draw a layout for a query, None for the plain one; about a third of its choices are made."""
    asked = frozenset(_asked(query))
    if not pick(draw, _NAMED if asked == {"names"} else _ASKED if asked else _WRITTEN):
        return None
    made = {}
    for name, most in CHOICES.items():
        value = pick(
            draw, (0, *range(1, most + 1), 1, 1) if name in asked else (0, 0, *range(most + 1))
        )
        made[name] = value if most > 1 else bool(value)
    return Layout(**made)


def _asked(query: Query) -> Iterator[str]:
    """The choices that write something rare in the query."""
    if query.is_its_own_template:
        yield "where"
    for part in within(query):
        if isinstance(part, BlankNode):
            yield "anonymous"
        elif isinstance(part, Operation):
            if part.name in ("+", "-") and _begins_with_number(part.arguments[-1]):
                yield "signs"
        elif isinstance(part, IRI):
            if part == RDF_NIL:
                yield "collections"
            elif abbreviated(part.value, query.prefixes)[0] == "<" and prefixed(
                part.value, query.prefixes
            ):
                yield "names"


def _begins_with_number(operand: Any) -> bool:
    """Whether an operand is a product or quotient that begins with a number."""
    return (
        isinstance(operand, Operation)
        and operand.name in ("*", "/")
        and (isinstance(operand.arguments[0], Literal) or _begins_with_number(operand.arguments[0]))
    )
