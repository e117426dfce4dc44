"""The cases that are measured: as the suite's strategies draw them, and with distinct contents."""

from __future__ import annotations

from random import Random

from rsp_conformance.model.algebra import BGP, TriplePattern, Window
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.features import FEATURES, RESTRICTIONS
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import WindowDeclaration

EX = "http://ex.org/"
LATER = frozenset(
    "minus exists paths subqueries functions rdf-star triple-terms uncertainty".split()
)
"""Features that the core's cases did not have."""

NEAR = IRI(EX + "isNearby")


def generated(number: int, start: int = 1) -> list[Case]:
    """NUMBER cases of the core's features, the same ones every time.

    What came later is left out: ratios stay comparable, and rdflib, the naive side, knows neither
    quoted triples nor uncertainty functions.
    """
    from rsp_conformance.strategies import cases
    from tests.builders.drawing import draw_many

    return draw_many(cases(frozenset(FEATURES) - LATER | RESTRICTIONS.keys()), number, start=start)


def distinct(number: int) -> list[tuple[Case, Dials]]:
    """NUMBER cases of one window in which no two window evaluations have equal contents.

    Every instant has an element, and no triple comes twice.
    """
    random = Random(1)
    dials = Dials().with_dial("report", "WC & NC")
    made = []
    for case in range(number):
        width, slide = random.randrange(2, 7), random.randrange(1, 4)
        elements = tuple(
            StreamElement(
                IRI(EX + "s"), t, (Triple(IRI(f"{EX}p{case}x{t}"), NEAR, IRI(EX + "abc"[t % 3])),)
            )
            for t in range(20)
        )
        window = IRI(EX + "w")
        query = Query(
            Window(window, BGP((TriplePattern(Variable("who"), NEAR, Variable("place")),))),
            operator=StreamOperator.RSTREAM,
            windows=(WindowDeclaration(window, IRI(EX + "s"), width, slide),),
        )
        # The end comes with the last element: later windows would hold the same few elements.
        made.append((Case(query, elements, until=19), dials))
    return made
