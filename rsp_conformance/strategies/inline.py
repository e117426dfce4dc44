"""VALUES with several columns and UNDEF, within a group and at the end of the query."""

from __future__ import annotations

from itertools import cycle, islice

from hypothesis import strategies as st

from rsp_conformance.model.algebra import Values
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, Literal, Term
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.query_builder import NUMBER, RESOURCE, TEXT, Sketch

Row = tuple[Term | None, ...]


def inline_data(draw: st.DrawFn, sketch: Sketch) -> Values:
    """Rows over one or two variables in scope, at times with one that is new.

    An UNDEF agrees with every value of its variable, and leaves a new one unbound.
    """
    known = [v for v in sketch.of_kind(RESOURCE, TEXT, NUMBER) if v not in sketch.unbound]
    known = [v for v in known if _written(sketch, v)]
    shape = pick(draw, ("one", "undef", "two", "two-undef", "new", "new-undef", "none", "twice"))
    number = pick(draw, (0, 1))
    variables = list(islice(cycle(known), number, number + 2))
    if not variables:
        fresh = sketch.fresh(RESOURCE)
        return Values((fresh,), ((_written(sketch, fresh)[0],),))
    first, second = variables
    one, other = (list(islice(cycle(_written(sketch, v)), 2)) for v in variables)
    if shape in ("two", "two-undef") and first != second:
        rows: tuple[Row, ...] = ((one[0], other[0]), (one[1], other[1]))
        if shape == "two-undef":
            rows = ((one[0], None), (None, other[1]))
        return Values((first, second), rows)
    if shape.startswith("new"):
        fresh = sketch.fresh(RESOURCE)
        a, b = islice(cycle(_written(sketch, fresh)), 2)
        if shape == "new-undef":
            sketch.unbound.add(fresh)
        return Values((first, fresh), ((one[0], a), (one[1], None if shape == "new-undef" else b)))
    return Values((first,), _rows_of_one(shape, one))


def _rows_of_one(shape: str, terms: list[Term]) -> tuple[Row, ...]:
    one, two = terms
    match shape:
        case "undef" | "two-undef":
            return ((one,), (None,))
        case "none":
            return ((None,),)
        case "twice":
            return ((one,), (one,), (two,))
        case _:
            return ((one,),)


def _written(sketch: Sketch, variable: Variable) -> list[Term]:
    """The terms for VARIABLE that a query can write."""
    return [term for term in sketch.domain(variable) if isinstance(term, (IRI, Literal))]
