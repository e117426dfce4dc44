"""The dials that real engines asked for, by examples that are computed by hand (SEMANTICS 5, 6).

Each is what an engine does that has the behaviour, on a few elements; both semantics and the
reference engine answer it alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

from rsp_conformance.limits import SECONDS
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import XSD_BOOLEAN, XSD_DATETIME
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker.judge import judge_share
from rsp_conformance.spec.alignment_stamps import expected_stamp
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation
from tests.builders.findings import background, case_of, rows, stream
from tests.builders.reference import run

EXAMPLES = """
CQELS 2, FUTURE 5 STEP 2: opens at multiples of 2, first (-4,1], which closes from 0 on
  5 2 ; 1@1 3@3 4@4 7@7 ; t0=first-aligned-open NON_EMPTY ; 1: 1 | 3: 1 3 | 5: 1 3 4 | 7: 3 4 7
the same, registered at 1: (-4,1] closes just then, and is the first
  registered 5 2 ; 1@1 3@3 4@4 7@7 until 5 ; t0=first-aligned-open NON_EMPTY ; \
1: 1 | 3: 1 3 | 5: 1 3 4
YASPER, RANGE 5 STEP 2: closes at multiples of 2, first [-3,2)
  5 2 ; 1@1 3@3 4@4 7@7 ; t0=first-aligned-close bounds=[o,c) NON_EMPTY ; 2: 1 | 4: 1 3 | 6: 1 3 4
rsp-rs, RANGE 5 STEP 2: closes at the first element and 2k, [-2,3) first
  5 2 ; 1@1 3@3 4@4 7@7 ; t0=first-element-close bounds=[o,c) NON_EMPTY ; 3: 1 | 5: 1 3 4 | 7: 3 4
rsp-rs, tumbling 2 from a first element at 0: [0,2), [2,4), [4,6)
  2 2 ; 0@0 1@1 3@3 4@4 until 6 ; t0=first-element-close bounds=[o,c) NON_EMPTY ; \
2: 0 1 | 4: 3 | 6: 4
rsp-rs: another stream's first element says nothing
  2 2 ; r:1@1 4@4 5@5 until 7 ; t0=first-element-close bounds=[o,c) NON_EMPTY ; 6: 4 5
C-SPARQL's clock: the first element of any stream, at 3 on r, rounded to 2; (-1,4] first
  5 2 ; r:3@3 4@4 5@5 7@7 until 8 ; t0=first-element-close-floor(2) NON_EMPTY ; \
4: 4 | 6: 4 5 | 8: 4 5 7
YASPER, Kolibrie: Istream gives what was not there at all, as often as it is there
  ISTREAM 4 2 ; 1@1 b1@3 2@3 b2@4 ; t0=-2 r2s=membership ; 2: 1 | 4: 2 2
… Dstream gives nothing of which something stays
  DSTREAM 2 2 ; 1@1 b1@2 1@3 b2@3 until 6 ; t0=0 r2s=membership ; 2: | 4: | 6: 1 2
… and Rstream keeps duplicates, as under `bag`
  RSTREAM 2 2 ; 1@1 b1@2 ; t0=0 r2s=membership ; 2: 1 1
CQELS 1: what comes of a new element is new, though an equal row has just gone
  ISTREAM 2 2 ; 1@1 b1@3 2@3 b1@5 b1@6 ; t0=0 r2s=elements ; 2: 1 | 4: 1 2 | 6: 1
… and the rows of elements that stay are not, each as often as it comes, as under `bag`
  ISTREAM 4 2 ; 1@1 b1@2 c1@3 until 4 ; t0=-2 r2s=elements ; 2: 1 1 | 4: 1
… and Dstream gives what came of elements that have gone
  DSTREAM 2 2 ; 1@1 b1@3 until 6 ; t0=0 r2s=elements ; 2: | 4: 1 | 6: 1
rsp-rs, on Oxigraph: 01 and 1 are one triple, and one row
  4 4 ; 01@1 1@2 until 4 ; t0=0 literals=canonical ; 4: 1
… they are counted as often as they come, where duplicates are, but once an element
  COUNT 4 4 ; 01+1@1 1@2 until 4 ; t0=0 literals=canonical window_content=bag ; 4: 2
… a number of the query and one of the background data are such numbers too
  SAME 4 4 ; 1@1 until 4 ; t0=0 literals=canonical ; 4: a
… and of booleans and dateTimes that are written in two ways each is one
  VALUES 4 4 ; 1@1 until 4 ; t0=0 literals=canonical ; 4: 2
CQELS 2: COUNT over nothing gives no row
  COUNT 2 2 ; 1@3 until 4 ; t0=0 empty_group=none ; 2: | 4: 1
… which is then no answer where empty ones are none
  COUNT 2 2 ; 1@3 until 4 ; t0=0 empty_group=none empty_answers=no ; 4: 1
… in a subquery as well, so that nothing joins with it
  WITHIN 2 2 ; 1@3 until 4 ; t0=0 empty_group=none ; 2: | 4: 1
a window whose time its own stream brings: r at 5 says nothing of (0,4], s at 7 does
  4 4 ; 2@2 r:5@5 7@7 until 8 ; t0=0 clock=own answer_time=arrival NON_EMPTY ; 7: 2 | 8: 7
… and so r's window, closed at 8, comes before that of s, which closed at 4
  TWO 4 4 ; 2@2 r:6@6 r:9@9 until 10 ; t0=0 clock=own answer_time=arrival report=WC&NC ; \
9: 6 | 10: 2
… under `all` the one that is told last gives out what both closed
  TWO 4 4 ; 2@2 r:3@3 5@5 r:6@6 until 7 ; t0=0 clock=own answer_time=arrival report_windows=all ; \
6: 2 3
"""
"""What an example shows, and below it the query with its window's width and slide, its elements,
the dials, and its answers as they are stamped, in the order in which they come. ``b1@3`` is
``\
:b :p 1`` at 3 on :s, ``1@3`` is ``:a :p 1``, ``r:1@3`` is on :r; a case ends with its last element
or at the instant that is said."""

ALL = "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [SPAN] WHERE { WINDOW :w { ?y :p ?x } }"
COUNT = ALL.replace("?x", "(COUNT(*) AS ?n)", 1)
QUERIES = {
    **{"": ALL, "registered": ALL, "COUNT": COUNT},
    **{name: f"REGISTER {name} :o AS {ALL}" for name in ("RSTREAM", "ISTREAM", "DSTREAM")},
    "SAME": "SELECT ?y FROM NAMED WINDOW :w ON STREAM :s [SPAN] "
    "WHERE { WINDOW :w { ?y :p 01 } ?y :q ?x FILTER(SAMETERM(?x, 1)) }",
    "VALUES": "SELECT (COUNT(DISTINCT ?x) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [SPAN] "
    f"WHERE {{ WINDOW :w {{ ?y :p ?z }} VALUES ?x {{ true '1'^^<{XSD_BOOLEAN}> "
    f"'2010-12-31T24:00:00'^^<{XSD_DATETIME}> '2011-01-01T00:00:00'^^<{XSD_DATETIME}> }} }}",
    "WITHIN": "SELECT ?n FROM NAMED WINDOW :w ON STREAM :s [SPAN] "
    "WHERE { { SELECT (COUNT(*) AS ?n) WHERE { WINDOW :w { ?y :p ?x } } } }",
    "TWO": "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [SPAN] FROM NAMED WINDOW :v ON STREAM :r "
    "[SPAN] WHERE { { WINDOW :w { ?y :p ?x } } UNION { WINDOW :v { ?y :p ?x } } }",
}
COLUMN = {"COUNT": "n", "WITHIN": "n", "VALUES": "n", "SAME": "y"}
"""The variable of a query's answers, if it is not ?x."""
NON_EMPTY = "report=WC&NC empty_answers=no"
PLAIN = {"t0": "1", "r2s": "bag", "literals": "term", "empty_group": "row", "clock": "any"}
"""Other values, under which the answers are wrong."""


class Example(NamedTuple):
    """A case under dials, and its answers as they are stamped."""

    what: str
    case: Case
    dials: dict[str, str]
    expected: Sequence[tuple[int, Rows]]


def elements(text: str) -> list[StreamElement]:
    """The elements of an example, in order."""
    found = []
    for name, graph, t in re.findall(r"(?:(r):)?(\S+)@(\d+)", text):
        parts = (re.fullmatch(r"([a-z]?)(\d+)", part) for part in graph.split("+"))
        said = "; ".join(f"{of[1] or 'a'} p {of[2]}" for of in parts if of)
        found += stream(name or "s", (said, int(t)))
    return found


def examples() -> Iterator[Example]:
    """The rows of the table."""
    lines = EXAMPLES.strip().splitlines()
    for what, row in zip(lines[::2], lines[1::2], strict=True):
        asked, given, dials, answers = map(str.strip, row.split(";"))
        *head, width, slide = asked.split()
        name = "".join(head)
        text = QUERIES[name].replace("SPAN", f"RANGE {width} STEP {slide}")
        held = elements(given)
        until = int(given.partition("until")[2] or held[-1].t)
        data = background(("a q 001", None, None)) if name == "SAME" else None
        case = case_of(text, held, until=until, registered=int(name == "registered"), data=data)
        turned = dict(one.split("=", 1) for one in dials.replace("NON_EMPTY", NON_EMPTY).split())
        due = [
            (int(t), rows(*(f"{COLUMN.get(name, 'x')}={value}" for value in said.split())))
            for t, said in (answer.split(":") for answer in answers.split("|"))
        ]
        yield Example(what, case, turned, due)


each = pytest.mark.parametrize("example", [*examples()], ids=lambda example: example.what)


@each
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


@each
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
