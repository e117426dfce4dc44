"""The dials that real engines asked for, by examples that are computed by hand (SEMANTICS 5, 6).

Each is what an engine does that has the behaviour, on a few elements; both semantics and the
reference engine answer it alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from rsp_conformance.limits import SECONDS
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import judge_share
from rsp_conformance.spec.alignment_stamps import expected_stamp
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation
from tests.builders.findings import background, case_of, rows, stream
from tests.builders.reference import run

ALL = "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s {} WHERE {{ WINDOW :w {{ ?y :p ?x }} }}"
COUNT = ALL.replace("?x", "(COUNT(*) AS ?n)", 1)
TWO = (
    "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
    "FROM NAMED WINDOW :v ON STREAM :r [RANGE 4 STEP 4] "
    "WHERE { { WINDOW :w { ?y :p ?x } } UNION { WINDOW :v { ?y :p ?x } } }"
)
NON_EMPTY = {"report": "WC & NC", "empty_answers": "no"}
PLAIN = {"t0": "1", "r2s": "bag", "literals": "term", "empty_group": "row", "clock": "any"}
"""Other values, under which the answers are wrong."""


class Example(NamedTuple):
    """A case under dials, and its answers as they are stamped, in the order in which they come."""

    what: str
    case: Case
    dials: dict[str, str]
    expected: Sequence[tuple[int, Rows]]


def values(*names: str) -> Rows:
    return rows(*(f"x={name}" for name in names))


def on(name: str, *numbers: str) -> list[StreamElement]:
    """A stream that says each of the numbers at the instant of its name."""
    return stream(name, *((f"a p {number}", int(number)) for number in numbers))


ONE_TO_SEVEN = on("s", "1", "3", "4", "7")
SLIDING, TUMBLING = ALL.format("[RANGE 5 STEP 2]"), ALL.format("[RANGE 2 STEP 2]")

EXAMPLES = [
    Example(
        "CQELS 2, FUTURE 5 STEP 2: opens at multiples of 2, first (-4,1], which closes from 0 on",
        case_of(SLIDING, ONE_TO_SEVEN, until=7),
        {"t0": "first-aligned-open", **NON_EMPTY},
        [
            (1, values("1")),
            (3, values("1", "3")),
            (5, values("1", "3", "4")),
            (7, values("3", "4", "7")),
        ],
    ),
    Example(
        "the same, registered at 1: (-4,1] closes just then, and is the first",
        case_of(SLIDING, ONE_TO_SEVEN, until=5, registered=1),
        {"t0": "first-aligned-open", **NON_EMPTY},
        [(1, values("1")), (3, values("1", "3")), (5, values("1", "3", "4"))],
    ),
    Example(
        "YASPER, RANGE 5 STEP 2: closes at multiples of 2, first [-3,2)",
        case_of(SLIDING, ONE_TO_SEVEN, until=7),
        {"t0": "first-aligned-close", "bounds": "[o,c)", **NON_EMPTY},
        [(2, values("1")), (4, values("1", "3")), (6, values("1", "3", "4"))],
    ),
    Example(
        "rsp-rs, RANGE 5 STEP 2: closes at the first element and 2k, [-2,3) first",
        case_of(SLIDING, ONE_TO_SEVEN, until=7),
        {"t0": "first-element-close", "bounds": "[o,c)", **NON_EMPTY},
        [(3, values("1")), (5, values("1", "3", "4")), (7, values("3", "4"))],
    ),
    Example(
        "rsp-rs, tumbling 2 from a first element at 0: [0,2), [2,4), [4,6)",
        case_of(TUMBLING, on("s", "0", "1", "3", "4"), until=6),
        {"t0": "first-element-close", "bounds": "[o,c)", **NON_EMPTY},
        [(2, values("0", "1")), (4, values("3")), (6, values("4"))],
    ),
    Example(
        "rsp-rs: another stream's first element says nothing",
        case_of(TUMBLING, on("s", "4", "5"), on("r", "1"), until=7),
        {"t0": "first-element-close", "bounds": "[o,c)", **NON_EMPTY},
        [(6, values("4", "5"))],
    ),
    Example(
        "C-SPARQL's clock: the first element of any stream, at 3 on r, rounded to 2; (-1,4] first",
        case_of(SLIDING, on("s", "4", "5", "7"), on("r", "3"), until=8),
        {"t0": "first-element-close-floor(2)", **NON_EMPTY},
        [(4, values("4")), (6, values("4", "5")), (8, values("4", "5", "7"))],
    ),
    Example(
        "YASPER, Kolibrie: Istream gives what was not there at all, as often as it is there",
        case_of(
            "REGISTER ISTREAM :o AS " + ALL.format("[RANGE 4 STEP 2]"),
            stream("s", ("a p 1", 1), ("b p 1", 3), ("a p 2", 3), ("b p 2", 4)),
            until=4,
        ),
        {"t0": "-2", "r2s": "membership"},
        [(2, values("1")), (4, values("2", "2"))],
    ),
    Example(
        "… Dstream gives nothing of which something stays",
        case_of(
            "REGISTER DSTREAM :o AS " + TUMBLING,
            stream("s", ("a p 1", 1), ("b p 1", 2), ("a p 1", 3), ("b p 2", 3)),
            until=6,
        ),
        {"t0": "0", "r2s": "membership"},
        [(2, values()), (4, values()), (6, values("1", "2"))],
    ),
    Example(
        "… and Rstream keeps duplicates, as under `bag`",
        case_of(
            "REGISTER RSTREAM :o AS " + TUMBLING, stream("s", ("a p 1", 1), ("b p 1", 2)), until=2
        ),
        {"t0": "0", "r2s": "membership"},
        [(2, values("1", "1"))],
    ),
    Example(
        "CQELS 1: what comes of a new element is new, though an equal row has just gone",
        case_of(
            "REGISTER ISTREAM :o AS " + TUMBLING,
            stream("s", ("a p 1", 1), ("b p 1", 3), ("a p 2", 3), ("b p 1", 5), ("b p 1", 6)),
            until=6,
        ),
        {"t0": "0", "r2s": "elements"},
        [(2, values("1")), (4, values("1", "2")), (6, values("1"))],
    ),
    Example(
        "… and the rows of elements that stay are not, each as often as it comes, as under `bag`",
        case_of(
            "REGISTER ISTREAM :o AS " + ALL.format("[RANGE 4 STEP 2]"),
            stream("s", ("a p 1", 1), ("b p 1", 2), ("c p 1", 3)),
            until=4,
        ),
        {"t0": "-2", "r2s": "elements"},
        [(2, values("1", "1")), (4, values("1"))],
    ),
    Example(
        "… and Dstream gives what came of elements that have gone",
        case_of(
            "REGISTER DSTREAM :o AS " + TUMBLING, stream("s", ("a p 1", 1), ("b p 1", 3)), until=6
        ),
        {"t0": "0", "r2s": "elements"},
        [(2, values()), (4, values("1")), (6, values("1"))],
    ),
    Example(
        "rsp-rs, on Oxigraph: 01 and 1 are one triple, and one row",
        case_of(ALL.format("[RANGE 4 STEP 4]"), stream("s", ("a p 01", 1), ("a p 1", 2)), until=4),
        {"t0": "0", "literals": "canonical"},
        [(4, values("1"))],
    ),
    Example(
        "… they are counted as often as they come, where duplicates are, but once an element",
        case_of(
            COUNT.format("[RANGE 4 STEP 4]"),
            stream("s", ("a p 01; a p 1", 1), ("a p 1", 2)),
            until=4,
        ),
        {"t0": "0", "literals": "canonical", "window_content": "bag"},
        [(4, rows("n=2"))],
    ),
    Example(
        "… a number of the query and one of the background data are such numbers too",
        case_of(
            "SELECT ?y FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
            "WHERE { WINDOW :w { ?y :p 01 } ?y :q ?x FILTER(SAMETERM(?x, 1)) }",
            stream("s", ("a p 1", 1)),
            until=4,
            data=background(("a q 001", None, None)),
        ),
        {"t0": "0", "literals": "canonical"},
        [(4, rows("y=a"))],
    ),
    Example(
        "CQELS 2: COUNT over nothing gives no row",
        case_of(COUNT.format("[RANGE 2 STEP 2]"), stream("s", ("a p 1", 3)), until=4),
        {"t0": "0", "empty_group": "none"},
        [(2, rows()), (4, rows("n=1"))],
    ),
    Example(
        "… which is then no answer where empty ones are none",
        case_of(COUNT.format("[RANGE 2 STEP 2]"), stream("s", ("a p 1", 3)), until=4),
        {"t0": "0", "empty_group": "none", "empty_answers": "no"},
        [(4, rows("n=1"))],
    ),
    Example(
        "… in a subquery as well, so that nothing joins with it",
        case_of(
            "SELECT ?n FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
            "WHERE { { SELECT (COUNT(*) AS ?n) WHERE { WINDOW :w { ?y :p ?x } } } }",
            stream("s", ("a p 1", 3)),
            until=4,
        ),
        {"t0": "0", "empty_group": "none"},
        [(2, rows()), (4, rows("n=1"))],
    ),
    Example(
        "a window whose time its own stream brings: r at 5 says nothing of (0,4], s at 7 does",
        case_of(ALL.format("[RANGE 4 STEP 4]"), on("s", "2", "7"), on("r", "5"), until=8),
        {"t0": "0", "clock": "own", "answer_time": "arrival", **NON_EMPTY},
        [(7, values("2")), (8, values("7"))],
    ),
    Example(
        "… and so r's window, closed at 8, comes before that of s, which closed at 4",
        case_of(TWO, on("s", "2"), on("r", "6", "9"), until=10),
        {"t0": "0", "clock": "own", "answer_time": "arrival", "report": "WC & NC"},
        [(9, values("6")), (10, values("2"))],
    ),
    Example(
        "… under `all` the one that is told last gives out what both closed",
        case_of(TWO, on("s", "2", "5"), on("r", "3", "6"), until=7),
        {"t0": "0", "clock": "own", "answer_time": "arrival", "report_windows": "all"},
        [(6, values("2", "3"))],
    ),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.what)
def test_by_both_semantics_and_the_engine(example: Example) -> None:
    case, dials = example.case, Dials().with_dials(example.dials)
    expected = [Observed(t, content) for t, content in example.expected]
    expectation = Expectation(case, dials)
    (z,) = expectation.queries()
    due = sorted(expectation.answer(z), key=lambda e: e.trigger or (0, 0))
    compared = [e for e in due if expectation.t_s <= e.t <= case.until]
    assert [expected_stamp(e, case, dials) for e in compared] == [t for t, _ in example.expected]
    assert judge(case, dials, expected).correct
    assert judge(case, dials, run(case, dials)).correct
    assert judge(case, dials, run(case, dials, advances="elements")).correct
    shipped = Shipment().case(Task("0", case, dials, tuple(expected)), judged=True)
    (by_worker,) = judge_share([shipped], SECONDS)
    assert by_worker.found == judge(case, dials, expected)
    for place in range(len(expected)):
        fewer = expected[:place] + expected[place + 1 :]
        assert not judge(case, dials, fewer).correct


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.what)
def test_another_value_of_the_dial_answers_otherwise(example: Example) -> None:
    given = [Observed(t, content) for t, content in example.expected]
    dials = Dials().with_dials(example.dials)
    turned = 0
    for dial, value in PLAIN.items():
        if dial in example.dials and example.dials[dial] not in (value, "0", "-2"):
            turned += 1
            same = judge(example.case, dials.with_dial(dial, value), given).correct
            assert same is ("as under" in example.what)
    assert turned
