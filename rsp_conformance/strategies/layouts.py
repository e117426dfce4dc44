"""How a query is written: the dimension of texts.

``?s :p ?o ; :q ?x`` is the algebra of ``?s :p ?o . ?s :q ?x``, and a parser may know one and not
the other. How a query is written has nothing to do with windows or values, so most cases are
written plainly, and in any other one only some of the choices are made (swarm testing).

Some queries are rare, and one choice alone writes them otherwise: a list as ``( ?x )``. These are
written so more often.
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
"""One case in twelve is written otherwise: each form of text is then met in 1 of 50 cases."""

_NAMED: Final = (False, False, True)
_ASKED: Final = (False, True, True)
"""Two cases in three if a choice writes something rare, one in three if that is only a name."""


def draw_layout(draw: st.DrawFn, query: Query) -> Layout | None:
    """A layout for QUERY, None for the plain one; about a third of its choices are made."""
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
    """The choices that write what is rare in QUERY."""
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
    """Whether OPERAND is a product whose first factor is a number."""
    return (
        isinstance(operand, Operation)
        and operand.name in ("*", "/")
        and (isinstance(operand.arguments[0], Literal) or _begins_with_number(operand.arguments[0]))
    )
