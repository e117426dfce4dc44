"""Which single dial explains a wrong answer, and that it never does so by comparing nothing."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from rsp_conformance.diagnosis import one_dial
from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.argument import Explanations
from rsp_conformance.explain.render.argument import explained
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import BlankNode, Triple
from rsp_conformance.model.verdict import Divergence, Kind
from rsp_conformance.spec import trace
from rsp_conformance.spec.alignment_stamps import arrival, expected_stamp
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import answer
from tests.builders.findings import background, case_of, given, rows, stream
from tests.explain.findings import FINDINGS, JOIN, NEARBY, SHOPS, WHO
from tools.judges.plain import random_answers, random_case

TWO = stream("coupon", ('alice offers "10% off"', 8), ('bob offers "free coffee"', 15))
VALUES = "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] WHERE "
NEVER_DUE = rows("never=due")
SAME = stream("s", ("a p 1", 1), ("a p 1", 2), ("b p 1", 3))


def nearby(query: str = WHO, *, until: int = 16) -> Case:
    return case_of(query, NEARBY, until=until)


def joined() -> Case:
    return case_of(JOIN, NEARBY, TWO, until=18, data=SHOPS)


def closing_together() -> Case:
    return case_of(JOIN.replace("RANGE 5", "RANGE 4"), NEARBY, TWO, until=18, data=SHOPS)


def duplicated(operator: str = "") -> Case:
    query = f"{operator}{VALUES}{{ WINDOW :w {{ ?y :p ?x }} }}"
    return case_of(query, SAME, until=8)


def over_graphs() -> Case:
    query = (
        "SELECT ?g ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
        "WHERE { GRAPH ?g { ?y :p ?x } }"
    )
    return case_of(query, SAME, until=8)


def without_window_clause() -> Case:
    query = "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] WHERE { ?y :p ?x }"
    return case_of(query, SAME, until=8, data=background(("c p 7", None, None)))


def numbered() -> Case:
    query = f"SELECT DISTINCT {VALUES.removeprefix('SELECT ')}{{ WINDOW :w {{ ?y :p ?x }} }}"
    return case_of(query, stream("s", ("a p 1", 1), ("b p 01", 2)), until=8)


def counted() -> Case:
    query = VALUES.replace("?x", "(COUNT(*) AS ?n)") + "{ WINDOW :w { ?y :p ?x } }"
    return case_of(query, stream("s", ("a p 1", 5)), until=8)


def heard_of_by_another_stream() -> Case:
    """(0,3] closes at 3; s2 brings time at 5, and s1 itself at 7."""
    own, other = stream("s1", ("carl near a", 2), ("eve near a", 7)), stream("s2", ("x y z", 5))
    return case_of(WHO.replace(":nearby", ":s1"), own, other, until=8)


def labelled() -> Case:
    """Two elements hold one label: within their elements these are two nodes, which never join."""
    query = VALUES.replace("?x", "?y ?z") + "{ WINDOW :w { ?x :p ?y . ?x :q ?z } }"
    case = case_of(query, stream("s", ("a p 1", 1), ("a q 2", 2)), until=4)
    nodes = [
        replace(e, graph=tuple(Triple(BlankNode("b"), t.predicate, t.object) for t in e.graph))
        for e in case.elements
    ]
    return replace(case, elements=tuple(nodes))


def sized(size: str) -> Case:
    query = VALUES.replace("RANGE 4 STEP 4", size) + "{ WINDOW :w { ?y :p ?x } }"
    arrived = [(f"a p {number}", (number + 1) // 2) for number in range(1, 7)]
    return case_of(query, stream("s", *arrived), until=6)


BY_ARRIVAL = {"t0": "0", "report": "WC & NC", "answer_time": "arrival"}
COUNTED, MEMBERSHIP = {"window_content": "bag", "report": "CC"}, {"r2s": "membership"}

CASES = [
    ("bounds", "[o,c)", nearby(), {}),
    ("bounds", "[o,c]", nearby(), {}),
    ("bounds", "(o,c)", nearby(), {}),
    ("bounds", "(o,c]", nearby(), {"bounds": "[o,c)"}),
    ("t0", "first-element", nearby(), {"report": "WC & NC"}),
    ("t0", "any", nearby(), {"t0": "-4", "report": "WC & NC"}),
    ("t0", "aligned-close", nearby(), {"t0": "0"}),
    ("t0", "aligned-open", nearby(), {"t0": "1"}),
    ("t0", "registration", nearby(), {"t0": "1"}),
    ("t0", "first-aligned-close", nearby(), {"t0": "0"}),
    ("t0", "first-element-floor(2)", nearby(), {"t0": "1", "report": "WC & NC"}),
    ("t0", "-3", nearby(), {"t0": "0"}),
    ("window", "last-closed", nearby(), {}),
    ("window", "active", nearby(), {"window": "last-closed", "t0": "0"}),
    ("window", "last-closed-inclusive", nearby(), {"t0": "0", "report": "COMPUTED EVERY 1"}),
    ("report", "WC & NC", nearby(), {"t0": "0"}),
    ("report", "WC", nearby(), {"t0": "0", "report": "WC & NC"}),
    ("report", "CC", nearby(), {"t0": "0"}),
    ("report", "NC", nearby(), {"t0": "0"}),
    ("report", "P(2)", nearby(), {"t0": "0"}),
    ("report", "WC[:w1] & NC[:w1]", joined(), {"t0": "0", "report": "WC[:w2] & NC[:w2]"}),
    ("report_windows", "all", closing_together(), {"t0": "0", "report": "WC & NC"}),
    ("report_windows", "first", joined(), {"t0": "0", "report": "WC & NC"}),
    ("content_change", "any", nearby(), {"t0": "0", "report": "CC"}),
    ("content_change", "insertions", nearby(), {"report": "CC", "content_change": "any"}),
    ("tick", "tuple", nearby(), {"t0": "0", "report": "CC"}),
    ("tick", "time", nearby(), {"t0": "0", "report": "CC", "tick": "tuple"}),
    ("r2s", "set", duplicated("REGISTER RSTREAM :o AS "), {"t0": "0"}),
    ("r2s", "bag", duplicated("REGISTER RSTREAM :o AS "), {"t0": "0", "r2s": "set"}),
    ("window_content", "bag", duplicated(), {"t0": "0"}),
    ("window_content", "set", duplicated(), {"t0": "0", "window_content": "bag"}),
    ("windows_in", "default", without_window_clause(), {"t0": "0"}),
    ("empty_answers", "no", nearby(), {}),
    ("empty_answers", "yes", nearby(), {"empty_answers": "no"}),
    ("t0", "first-aligned-open", nearby(), {"t0": "1"}),
    ("t0", "first-element-close", nearby(), {"t0": "2", "report": "WC & NC"}),
    ("t0", "first-element-close-floor(2)", nearby(), {"t0": "2", "report": "WC & NC"}),
    ("r2s", "membership", duplicated("REGISTER ISTREAM :o AS "), {"t0": "0", **COUNTED}),
    ("r2s", "bag", duplicated("REGISTER ISTREAM :o AS "), {"t0": "0", **COUNTED, **MEMBERSHIP}),
    ("literals", "canonical", numbered(), {"t0": "0"}),
    ("literals", "term", numbered(), {"t0": "0", "literals": "canonical"}),
    ("empty_group", "none", counted(), {"t0": "0"}),
    ("empty_group", "row", counted(), {"t0": "0", "empty_group": "none"}),
    ("graph_variable", "background", over_graphs(), {"t0": "0"}),
    ("graph_variable", "windows", over_graphs(), {"t0": "0", "graph_variable": "background"}),
    (
        "trigger",
        ">=",
        case_of(WHO, stream("nearby", ("carl near a", 2), ("eve near a", 3)), until=5),
        BY_ARRIVAL,
    ),
    ("clock", "own", heard_of_by_another_stream(), BY_ARRIVAL),
    ("blank_nodes", "element", labelled(), {"t0": "0", "blank_nodes": "case"}),
    ("count_slide", "width", sized("ELEMENTS 3"), {"report": "CC"}),
    ("count_slide", "one", sized("ELEMENTS 3"), {"report": "CC", "count_slide": "width"}),
    ("n0", "1", sized("ELEMENTS 3 STEP 2"), {}),
    ("n0", "fill", sized("ELEMENTS 3 STEP 2"), {}),
    ("now", "element", sized("NOW"), {}),
    ("now", "last", sized("NOW"), {"report": "P(1)"}),
]


@pytest.mark.parametrize(("dial", "value", "case", "base"), CASES)
def test_finds_the_dial_that_was_turned(
    dial: str, value: str, case: Case, base: dict[str, str]
) -> None:
    dials = Dials().with_dials(base)
    turned = dials.with_dial(dial, value)
    seen = 0
    for starts in rspql_queries(case, turned):
        due = answer(case, turned, starts)
        observed = [Observed(expected_stamp(e, case, turned), e.content) for e in due]
        assert judge(case, turned, observed).correct
        if not judge(case, dials, observed).correct:
            assert (dial, turned.text(dial)) in by_dial(case, dials, observed).found
            seen += 1
    assert seen, "the setting must make a difference here"


def test_finds_how_instants_are_compared() -> None:
    case = nearby()
    base = Dials(t0=0).with_dial("report", "WC & NC")
    right = answer(case, base, (0,))
    by_arrival = [Observed(arrival(e.t, case, base), e.content) for e in right]
    assert ("answer_time", "arrival") in by_dial(case, base, by_arrival).found
    late = [Observed(e.t + 1, e.content) for e in right]
    found = by_dial(case, base, late).found
    assert ("time_tolerance", "1") in found
    assert ("time_tolerance", "2") not in found, "the least tolerance says it"
    unstamped = [Observed(None, e.content) for e in right]
    assert by_dial(case, base, unstamped).found == (("answer_time", "none"),)


def test_finds_the_dial_of_numbers() -> None:
    query = (
        "SELECT (AVG(?x) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 4] "
        "WHERE { WINDOW :w { ?y :p ?x } }"
    )
    case = case_of(query, stream("s", ("a p 4", 1)), until=4)
    assert by_dial(case, Dials(t0=0), [given(4, "n=4")]).found == (("numbers", "value"),)


def test_rows_that_came_when_due_are_not_blamed_on_instants() -> None:
    found = Explanations((("answer_time", "none"), ("time_tolerance", "1")), 5)
    assert explained(found).startswith("Only the time is wrong: with answer_time=none")
    text = explained(found, timely=True)
    assert text == (
        "No single dial explains it. answer_time=none or time_tolerance=1 would accept it, "
        "but only by taking it for an answer that is expected at another time."
    )


def test_dials_that_only_compare_are_tried_whatever_the_budget(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are the cheapest, and in windows of milliseconds all others may be too costly."""
    monkeypatch.setattr(one_dial, "BUDGET", 0)
    query = (
        "SELECT (AVG(?x) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [RANGE 1000 STEP 500] "
        "WHERE { WINDOW :w { ?y :p ?x } }"
    )
    case = case_of(query, stream("s", ("a p 4", 120)), until=1_500)
    due = answer(case, Dials(), (0,))
    number = [given(e.t, "n=4") if e.t == 1_000 else Observed(e.t, e.content) for e in due]
    found = by_dial(case, Dials(), number)
    assert ("numbers", "value") in found.found
    assert found.untried


def test_every_dial_that_can_explain_is_tried() -> None:
    """``stream_operators`` says which queries are refused, ``ties`` which answers are not judged.

    The others are given.
    """
    tested = {dial for dial, *_ in CASES} | {
        "answer_time",
        "time_tolerance",
        "numbers",
    }
    assert tested == set(DIALS) - {"unit", "stream_operators", "answers", "advances", "ties"}


def test_the_most_plausible_comes_first_and_a_right_answer_needs_none() -> None:
    finding = FINDINGS["opening-end"]()
    found = by_dial(finding.case, finding.dials, finding.observed).found
    assert found[0] == ("bounds", "[o,c)")
    order = ["bounds", "t0", "window", "report", "answer_time", "time_tolerance"]
    named = [dial for dial, value in found if not value.lstrip("-").isdigit()]
    assert named == sorted(named, key=order.index)
    case = nearby()
    right = [Observed(e.t, e.content) for e in answer(case, Dials(), (0,))]
    assert by_dial(case, Dials(), right).found == ()


def test_silence_is_not_explained_by_windows_that_begin_too_late() -> None:
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=4)
    for dials in (Dials(), Dials(t0=0), Dials(t0=0).with_dial("report", "WC & NC")):
        found = by_dial(case, dials, []).found
        assert not [value for dial, value in found if dial == "t0"]


def test_no_dial_explains_by_leaving_nothing_due() -> None:
    """Under (o,c) an element of [t,t+1) is in no window, so nothing due is missing."""
    who = WHO.replace("RANGE 3 STEP 2", "RANGE 1 STEP 1")
    case = case_of(who, stream("nearby", ("carl near a", 1), ("eve near a", 2)), until=4)
    values = {"bounds": "[o,c)", "report": "WC & NC", "answer_time": "arrival", "clock": "own"}
    dials = Dials(t0=0).with_dials(values | {"trigger": ">", "advances": "elements"})
    swallowed = [given(None, "who=carl", cause=2)]
    for observed in ([], swallowed):
        # Nor is anything due after the end that the answer could be.
        right = judge(case, dials.with_dial("bounds", "(o,c)"), observed).correct
        assert right is not bool(observed)
        assert "bounds (o,c)" not in by_dial(case, dials, observed).settings(timing=False)
        assert not by_dial(case, dials, observed).settings(timing=False)
    windows = case_of(JOIN, NEARBY, TWO, until=18, data=SHOPS)
    closing = Dials(t0=0).with_dial("report", "WC & NC")
    assert ("report_windows", "all") not in by_dial(windows, closing, []).found


def test_answers_are_not_explained_away_by_a_later_t_s() -> None:
    """With t0 = 3 a wrong answer at 2 would not be compared at all."""
    case = case_of(
        WHO.replace("RANGE 3 STEP 2", "RANGE 2 STEP 2"),
        stream("nearby", ("carl near a", 1)),
        until=7,
    )
    observed = [given(2, "who=zoe"), given(5), given(7)]
    dials = Dials(t0=0)
    assert judge(case, dials.with_dial("t0", 3), observed).correct
    assert ("t0", "3") not in by_dial(case, dials, observed).found


def test_every_explanation_holds_and_bears_on_the_answer() -> None:
    """On random cases: the answer is right under it, and with a row never due it is wrong."""
    explained = 0
    for seed in range(240):
        rng = random.Random(seed)
        try:
            case, dials = random_case(rng)
            starts = rng.choice(list(rspql_queries(case, dials)))
            turned = dials.with_dial(*rng.choice([("bounds", "[o,c]"), ("empty_answers", "no")]))
            observed = random_answers(rng, answer(case, turned, starts), case, dials)
            verdict = judge(case, dials, observed)
        except (Unsupported, ValueError):
            continue
        parted = verdict.divergence
        if parted is None:
            continue
        found = by_dial(case, dials, observed).found
        assert len(set(found)) == len(found)
        for dial, value in found:
            explained += 1
            other = dials.with_dial(dial, value)
            assert other != dials
            assert judge(case, other, observed).correct
            if parted.observed is not None:
                changed = [
                    replace(a, content=NEVER_DUE) if a is parted.observed else a for a in observed
                ]
            else:
                assert parted.expected is not None
                t = parted.expected.t
                later = (i for i, a in enumerate(observed) if a.t is not None and a.t > t)
                place = next(later, len(observed))
                extra = Observed(t, NEVER_DUE)
                changed = [*observed[:place], extra, *observed[place:]]
            assert not judge(case, other, changed).correct, (seed, dial, value)
    assert explained > 25


def test_the_budget_bounds_a_search_and_says_what_was_too_costly() -> None:
    query = WHO.replace("RANGE 3 STEP 2", "RANGE 300 STEP 200")
    case = case_of(query, NEARBY, until=5_000)
    observed = [given(4_000, "who=zoe")]
    divergence = Divergence(Kind.EXTRA, 4_000, None, observed[0])
    found = by_dial(case, Dials(), observed, divergence)
    assert found.untried
    assert 0 < found.tried < 60
    assert "too costly to try: " in explained(found)
    one = Explanations((("bounds", "[o,c)"),), 5, (("report", "WC & NC"),))
    assert explained(one).endswith(" 1 more setting was too costly to try: report=WC & NC.")
    many = Explanations((), 5, tuple(("t0", str(n)) for n in range(12)))
    assert explained(many) == (
        "No single dial of the 5 settings tried explains it. "
        "12 more settings were too costly to try: t0=0, t0=1, t0=2 and 9 more."
    )


def test_settings_share_solutions_only_where_the_dataset_is_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []
    for dial, value, case, base in CASES:
        dials = Dials().with_dials(base)
        turned = dials.with_dial(dial, value)
        starts = next(rspql_queries(case, turned))
        observed = [Observed(e.t, e.content) for e in answer(case, turned, starts)]
        asked.append((case, dials, observed))
    shared = [by_dial(*each) for each in asked]
    monkeypatch.setattr(trace, "dials_read", lambda dials: dials)
    assert [by_dial(*each) for each in asked] == shared
