"""Times and lengths that nobody would come to the end of are refused before anything is walked."""

from __future__ import annotations

from typing import Any

import pytest

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.judge.spans import check_spans
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, parse_dial
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.parse import parse_query
from tests.builders import compiled
from tests.builders.drivers import Replying
from tests.hostile.readers import short

HUGE = 10**40
LONG = 10**5_000
S = IRI("http://ex.org/s")


def query(span: str = "RANGE 4 STEP 2", windows: int = 1) -> str:
    """A query over so many windows of this span."""
    declared = " ".join(f"FROM NAMED WINDOW <w:{n}> ON STREAM {S} [{span}]" for n in range(windows))
    return f"SELECT * {declared} WHERE {{ WINDOW <w:0> {{ ?s ?p ?o }} }}"


def case(span: str = "RANGE 4 STEP 2", windows: int = 1, **fields: Any) -> Case:
    """A case without elements over such a query."""
    return Case(parse_query(query(span, windows)), **{"until": 10, **fields})


DIAL_VALUES: list[tuple[str, Any]] = [
    ("t0", -(10**12)),
    ("t0", -1_000_001),
    ("t0", HUGE),
    ("t0", LONG),
    ("t0", "9" * 5_000),
    ("t0", True),
    ("t0", None),
    ("t0", {"a": [1] * 100_000}),
    ("t0", f"first-element-floor({HUGE})"),
    ("t0", "first-element-floor(0)"),
    ("t0", "first-element-close-floor(0)"),
    ("unit", 0),
    ("unit", HUGE),
    ("time_tolerance", HUGE),
    ("numbers", "tolerance(1e999999999)"),
    ("numbers", "tolerance(1e-999999999)"),
    ("report", f"P({HUGE})"),
    ("report", "P(" + "9" * 6_000 + ")"),
    ("report", "!" * 990 + "WC"),
    ("report", "WC & " * 100_000 + "WC"),
    ("stream_operators", ["R"] * 100_000),
    ("bounds", "(" * 1_000_000),
    ("no-such-dial" * 10_000, 1),
]


@pytest.mark.parametrize(("dial", "value"), DIAL_VALUES, ids=short)
def test_a_dial_is_refused_in_one_short_line(dial: str, value: Any) -> None:
    with pytest.raises(ValueError) as caught:
        parse_dial(dial, value)
    said = str(caught.value)
    assert len(said) < 2_500
    assert "\n" not in said
    assert "dial" in said


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"until": HUGE}, "the latest instant is"),
        ({"until": LONG}, "the latest instant is"),
        ({"until": -1}, "until -1: instants start at 0"),
        ({"until": -HUGE}, "instants start at 0"),
        ({"registered": HUGE, "until": HUGE}, "the latest instant is"),
        ({"registered": -1}, "registered at -1: instants start at 0"),
        ({"registered": -(10**12)}, "instants start at 0"),
        (
            {"elements": (StreamElement(S, HUGE, (Triple(S, S, S),)),), "until": 9},
            "the latest instant is",
        ),
        (
            {"elements": (StreamElement(S, LONG, (Triple(S, S, S),)),), "until": 9},
            "a number of some 5001 digits",
        ),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_a_case_without_end_is_none(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError) as caught:
        case(**fields)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("made", "dials"),
    [
        (case(until=10**9), Dials()),
        (case(until=2**63 - 1), Dials(t0="registration")),
        (case("RANGE 4 STEP 1000000"), Dials().with_dial("report", "!WC")),
        (case("RANGE 4 STEP 10", windows=12), Dials()),
        (case("RANGE 2 STEP 10000000000000000000"), Dials()),
        (case("RANGE 10000000000000000000000000000000"), Dials()),
        (case("RANGE PT99999999999999999999H"), Dials()),
        (case(registered=0, until=2 * 10**7 + 20), Dials(t0="registration")),
    ],
    ids=lambda part: None,
)
def test_a_span_without_end_is_refused_before_it_is_walked(made: Case, dials: Dials) -> None:
    with pytest.raises(ValueError) as caught:
        check_spans(made, dials)
    assert len(str(caught.value)) < 400
    asked = Replying()
    subject = EngineUnderTest.meet(InProcessEngine(asked))
    subject.profile = Profile("own", dials)
    with pytest.raises(ValueError):
        subject.ask(Stimulus(made))
    assert not asked.requests


@pytest.mark.parametrize(
    ("made", "dials"),
    [
        (case(), Dials()),
        (case(until=10**7), Dials()),
        (case(registered=17 * 10**17, until=17 * 10**17 + 50), Dials()),
        (case("RANGE PT24H STEP PT1M", until=86_400), Dials(unit=1_000)),
        (case("RANGE PT24H STEP PT1H"), Dials(t0="registration")),
        (case(), Dials(t0=-1_000_000)),
    ],
    ids=lambda part: None,
)
def test_what_can_be_walked_is_taken(made: Case, dials: Dials) -> None:
    check_spans(made, dials)


@pytest.mark.parametrize(
    ("made", "setting"),
    [
        (case(f"RANGE {10**12} STEP 2", until=20), Dials(t0="first-aligned-close")),
        (case(f"RANGE {10**12} STEP 2", until=20), Dials(t0="first-aligned-open")),
        (case("RANGE 4 STEP 1000000"), Dials()),
        (case(f"RANGE 4 STEP {10**12}"), Dials()),
        (case("RANGE 9 STEP 400", windows=2), Dials()),
        (case("RANGE PT24H STEP PT1H"), Dials()),
        (case(), Dials(t0=-(10**12))),
        (case(registered=17 * 10**11, until=17 * 10**11 + 50), Dials(t0=0)),
    ],
    ids=lambda part: None,
)
def test_what_is_long_and_has_few_evaluations_is_judged_by_both(made: Case, setting: Dials) -> None:
    check_spans(made, setting)
    verdict, compiled_verdict = judge(made, setting, ()), compiled.verdict(made, setting, ())
    assert (verdict.correct, verdict.t0) == (compiled_verdict.correct, compiled_verdict.t0)


def test_bad_input_is_what_a_command_shows() -> None:
    with pytest.raises(BadInput, match=r"give --registered, --until and t0 close"):
        check_spans(case(until=10**9), Dials(), mark="--")
