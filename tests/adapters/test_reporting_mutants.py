"""Mutants of reporting against the window operator of an engine that has them."""

from __future__ import annotations

from random import Random

import pytest

from rsp_conformance.model.answers import Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.terms import IRI
from tests.builders.reference import run
from tests.builders.terms import EX
from tools.curation.mutant_examples import Example

Arrivals = list[tuple[int, str]]
Fired = list[tuple[int, set[str]]]

KOLIBRIE = Dials().with_dials(
    {
        "bounds": "[o,c)",
        "t0": "first-aligned-close",
        "report": "WC",
        "empty_answers": "no",
        "answer_time": "arrival",
        "trigger": ">=",
        "clock": "own",
    }
)


def fired_by_kolibrie(width: int, slide: int, arrivals: Arrivals) -> Fired:
    """What Kolibrie's CSPARQLWindow hands out, and at which arrival: the newest window it has.

    An arrival opens the windows that it falls into, and the next one to close. One of those that
    are closed by then fires, empty or not, and all that the arrival does not fall into are dropped.
    """
    windows: dict[tuple[int, int], set[str]] = {}
    fired: Fired = []
    last = 0
    for t, name in arrivals:
        first = -(-t // slide) * slide - width
        for opens in range(first, t + 1, slide):
            windows.setdefault((opens, opens + width), set())
        closed = [window for window in windows if window[1] <= t]
        if closed and t > last:
            last = t
            if content := windows[max(closed)]:
                fired.append((t, content))
        windows = {
            (opens, closes): content | {name}
            for (opens, closes), content in windows.items()
            if opens <= t < closes
        }
    return fired


def fired_by_reference(width: int, slide: int, arrivals: Arrivals, fault: str) -> Fired:
    """The same by `reference` with mutants, up to the last arrival."""
    query = (
        f"SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE {width} STEP {slide}] "
        "WHERE { WINDOW :w { ?x :p ?y } }"
    )
    elements = tuple(f"s {t}: {name} p b" for t, name in arrivals)
    case = Example(query, elements, until=arrivals[-1][0]).case()
    found: Fired = []
    for answer in run(case, KOLIBRIE, fault=fault, advances="elements"):
        assert isinstance(answer.content, Rows) and isinstance(answer.t, int)
        rows = [row["x"] for row in answer.content.solutions()]
        names = {row.value.removeprefix(EX) for row in rows if isinstance(row, IRI)}
        if answer.t <= arrivals[-1][0]:
            found.append((answer.t, names))
    return found


def test_of_windows_closed_by_an_arrival_at_the_last_close_the_newest_alone_is_answered() -> None:
    arrivals = [(1, "a"), (4, "b")]
    assert fired_by_reference(3, 1, arrivals, "none") == [(4, {"a"})] * 3
    assert fired_by_reference(3, 1, arrivals, "newest-only") == [(4, {"a"})]


@pytest.mark.parametrize("part", range(2))
def test_two_mutants_are_kolibries_windows(part: int) -> None:
    random = Random(part)
    for _ in range(25):
        width, slide = random.randint(1, 6), random.randint(1, 6)
        instants = sorted(random.randint(1, 20) for _ in range(random.randint(1, 6)))
        arrivals = [(t, f"x{number}") for number, t in enumerate(instants)]
        fired = fired_by_kolibrie(width, slide, arrivals)
        seen = fired_by_reference(width, slide, arrivals, "newest-only,opened-by-arrivals")
        assert seen == fired, (width, slide, arrivals)
