"""How a query is written: the dimension of texts.

``?s :p ?o ; :q ?x`` is the algebra of ``?s :p ?o . ?s :q ?x``, and a parser may know one and not
the other. How a query is written has nothing to do with windows or values, so most cases are
written plainly, and in any other one only some of the choices are made (swarm testing).
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

from rsp_conformance.model.layout import CHOICES, Layout
from rsp_conformance.strategies.draws import pick

_WRITTEN: Final = (*(False,) * 11, True)
"""One case in twelve is written otherwise: each form of text is then met in 1 of 50 cases."""


def draw_layout(draw: st.DrawFn) -> Layout | None:
    """A layout, None for the plain one; about a third of its choices are made."""
    if not pick(draw, _WRITTEN):
        return None
    made = {}
    for name, most in CHOICES.items():
        value = pick(draw, (0, 0, *range(most + 1)))
        made[name] = value if most > 1 else bool(value)
    return Layout(**made)
