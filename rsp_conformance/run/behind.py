"""The bugs behind an unexplained bug.

**What is sought.** If the broadest of several bugs has no mutant, it spoils nearly every answer,
and answers that two bugs have spoilt tell nothing about the other: an engine that keeps the rows of
earlier evaluations was never found to ignore VALUES as well. So cases are needed in which the broad
bug can't show.

**How.** Nobody knows what the bug is, but small experiments tell on what it depends. A *way* takes
one thing away from a case: the overlap of windows, instants at which nothing arrives, elements that
arrive together, or all evaluations after the first one with rows. `PROBES` failing cases that
nothing explains are asked again without each of them. The way that makes most of them right comes
first: `MOST` failing cases are asked so, and the answers that are still wrong are searched. If
nearly all of the cases are right then, or explained by what the search finds, the broad bug can't
show there. So these answers count from now on, and the answers that the broad bug has spoilt don't,
since they speak against every other name. Otherwise the next way has its turn.

**What it guarantees.** It is said that a bug shows *only if* something holds only if small cases
that show it are right without that. A bug behind it is named by the same search, with the same
promise, as all others.

**What it costs.** `PROBES` cases for each way, and `MOST` cases and a brief search for each that is
tried then: a few percent of the cases of a run. Nothing if most wrong answers are explained.

**What it does not find.** A bug that shows only together with the broad bug: a bug of the second
evaluation stays behind one that needs two evaluations. Nor does any way take a feature or a window
of the query away. If the broad bug needs one of them, it leaves alone the cases that have none, and
these show the other bugs in any case; but it isn't said that it shows *only if* that is there.

**Its numbers** were chosen, and not tuned.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Final

from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.windows import Duration, WindowDeclaration, span_in_instants
from rsp_conformance.run.record import Record
from rsp_conformance.spec.correctness import rspql_queries
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.written import changed

PROBES: Final = 12
"""The number of failing cases that are asked without the thing that each way takes away."""
FEWEST: Final = 4
"""A way is tried only if at least so many of them have that thing."""
NEARLY_ALL: Final = 0.75
"""A way counts if this part of the cases is right without it, or explained by the causes found
then."""
MOST: Final = 120
"""The number of failing cases that are asked without it: as many as two properties have."""
MARK: Final[IRI] = vocabulary.name("mark")
"""The predicate of elements that only arrive."""


LONGEST: Final = 200
"""A case with more elements is not made: it would tell no more."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to take one thing away from a case.

    Attributes:
        needs: the thing, as it is said of a bug: "only if ...".
        without: makes the case without it, under some dials; None if the case hasn't got it.
    """

    needs: str
    without: Callable[[Case, Dials], Case | None]


def _without_overlap(case: Case, dials: Dials) -> Case | None:
    """The case with every window at most as wide as its slide."""
    windows = tuple(_tumbling(own, dials.unit) for own in case.query.windows)
    if windows == case.query.windows:
        return None
    return changed(case, query=replace(case.query, windows=windows))


def _tumbling(window: WindowDeclaration, unit: int) -> WindowDeclaration:
    if not isinstance(window.width, int | Duration):
        return window
    slide = 1 if window.slide is None else window.slide
    overlaps = span_in_instants(window.width, unit) > span_in_instants(slide, unit)
    if not overlaps:
        return window
    lag = None if window.lag is None else span_in_instants(window.lag, unit)
    return replace(window, width=span_in_instants(slide, unit), lag=lag)


def _without_gaps(case: Case, _: Dials) -> Case | None:
    """The case with an arrival at each instant on each stream.

    So no two windows close between two arrivals.
    """
    if not case.elements:
        return None
    there = {(own.stream, own.t) for own in case.elements}
    mark = (Triple(MARK, MARK, MARK),)
    instants = range(case.registered + 1, case.until + 1)
    if len(instants) * len(case.streams) > LONGEST:
        return None
    marks = [
        StreamElement(stream, t, mark)
        for t in instants
        for stream in case.streams
        if (stream, t) not in there
    ]
    if not marks:
        return None
    return changed(case, elements=tuple(sorted((*case.elements, *marks), key=_instant)))


def _instant(element: StreamElement) -> int:
    return element.t


def _without_company(case: Case, _: Dials) -> Case | None:
    """The case with only the first element of each instant."""
    first = {own.t: own for own in reversed(case.elements)}
    if len(first) == len(case.elements):
        return None
    return changed(case, elements=tuple(first[t] for t in sorted(first)))


def _without_more_evaluations(case: Case, dials: Dials) -> Case | None:
    """The case up to its first evaluation with rows, with windows that don't overlap."""
    own = _without_overlap(case, dials) or case
    try:
        with limited():
            starts = next(iter(rspql_queries(own, dials)))
            steps = [*Expectation(own, dials).steps(starts)]
    except (Unsupported, LimitExceeded, ValueError):
        return None
    first = next((step.t for step in steps if not is_empty(step.evaluation.content)), None)
    if first is None or steps[-1].t <= first:
        return None
    kept = tuple(element for element in own.elements if element.t <= first)
    return changed(own, elements=kept, until=first)


WAYS: Final[Sequence[Way]] = (
    Way("windows overlap", _without_overlap),
    Way("some instant has no arrival", _without_gaps),
    Way("elements arrive together", _without_company),
    Way("an evaluation follows one with rows", _without_more_evaluations),
)
"""The ways; those that leave most of a case come first."""


class Behind:
    """Asks failing cases again without the things that the bug behind them may need.

    Args:
        ask: asks a case in place of that of a record, and judges the answer; None if it is not
            asked.
        is_left: whether a record is wrong and nothing explains it.
    """

    def __init__(
        self, ask: Callable[[Record, Case], Record | None], is_left: Callable[[Record], bool]
    ) -> None:
        self._ask = ask
        self._is_left = is_left

    def ways(self, left: Sequence[Record]) -> list[Way]:
        """Return the ways after which some of the failing records are right, the best ones first.

        Args:
            left: records that no cause explains.
        """
        probes, parts = _spread(left, PROBES), dict[Way, float]()
        for way in WAYS:
            records = [*self.without(way, probes)]
            if len(records) >= FEWEST:
                parts[way] = sum(map(self._is_left, records)) / len(records)
        return sorted((way for way in parts if parts[way] < 1.0), key=parts.__getitem__)

    def without(self, way: Way, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records of cases without the thing that a way takes away, if they had it."""
        for own in records:
            observation = own.observations[0]
            case = way.without(observation.stimulus.case, observation.dials)
            if case is not None and (found := self._ask(own, case)) is not None:
                yield found


def _spread(records: Sequence[Record], most: int) -> list[Record]:
    """The first of some records, from as many properties as there are."""
    queues: defaultdict[str, list[Record]] = defaultdict(list)
    for own in records:
        queues[own.property_name].append(own)
    turns = zip_longest(*queues.values())
    return [*islice((own for turn in turns for own in turn if own is not None), most)]
