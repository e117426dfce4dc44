"""What an argument says: sentences that must be in it, and texts of random cases."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from rich.cells import cell_len

from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain import argument as arg
from rsp_conformance.explain.evidence.argued import nearest
from rsp_conformance.explain.render.answers import aligned
from rsp_conformance.explain.render.argument import because, stated
from rsp_conformance.explain.render.notation import SituationNotation
from rsp_conformance.explain.render.sentences import SENTENCES
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.algebra import Values
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.finding import Finding
from rsp_conformance.model.policy import Strategy
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.terms import BlankNode, Literal, Triple
from rsp_conformance.spec.correctness import judge, rspql_queries
from rsp_conformance.spec.trace import Expectation, answer
from tests.builders.findings import background, case_of, given, stream
from tests.explain.findings import FINDINGS, NEARBY, WHO
from tools.judges.plain import random_answers, random_case

CARL = stream("nearby", ("carl near a", 2))


def text(case: Case, dials: Dials, *observed: Observed) -> str:
    return because(case, dials, observed, judge(case, dials, observed), by_dial)


def test_right_answers_name_their_vector() -> None:
    case = case_of(WHO, NEARBY, until=9)
    right = [Observed(e.t, e.content) for e in answer(case, Dials(), (1,))]
    assert text(case, Dials(), *right) == (
        "t0(:w)=1 makes the answer right: from 1 to 9, 3 answers are expected, and they came."
    )
    nothing = Dials(t0=0).with_dial("report", "WC & NC")
    empty = case_of(WHO, until=9)
    assert "nothing is expected, and nothing else came" in text(empty, nothing)


def test_answers_in_seconds_are_said_to_come_before_the_case() -> None:
    """Milliseconds since 1970, which an engine stamps in seconds: answers come, and none counts."""
    begin = 1_700_000_000_000
    who = WHO.replace("RANGE 3 STEP 2", "RANGE 1000 STEP 1000")
    elements = stream("nearby", ("carl near a", begin + 1))
    case = replace(case_of(who, elements, until=begin + 3_000), registered=begin)
    dials = Dials(t0=begin)
    due = answer(case, dials, next(rspql_queries(case, dials)))
    seconds = [Observed(own.t // 1_000, own.content) for own in due]
    assert text(case, dials, *seconds).startswith(
        "None of the 3 answers (at 1700000001, 1700000002 and 1700000003) counts from "
        f"{begin} to {begin + 3_000}, and 3 answers are expected"
    )
    assert text(case, dials, seconds[0]).startswith("The only answer (at 1700000001) does")


def test_what_is_not_counted_where_nothing_is_due_is_said() -> None:
    nothing = Dials(t0=0).with_dial("report", "WC & NC")
    empty = case_of(WHO, until=9)
    assert text(empty, nothing, given(12, "who=carl")).endswith(
        "nothing is expected, and the only answer does not count: {?who=:carl} at t=12, it is of "
        "after 9."
    )
    arrival = nothing.with_dials({"answer_time": "arrival", "advances": "elements"})
    later = case_of(WHO, stream("nearby", ("carl near a", 11)), until=9)
    carl, eve = (given(None, f"who={who}", cause="end") for who in ("carl", "eve"))
    assert text(later, arrival, carl, carl).endswith(
        "the 2 answers do not count: of the first, {?who=:carl} at t=9, an element appended "
        "after 9 may have set it off."
    )
    assert "The elements that the kit adds after 9 set off no such answer either." in text(
        later, arrival, carl, eve
    )


COUNTED = "SELECT ?who (COUNT(?y) * 2 AS ?m) FROM NAMED WINDOW :w ON :nearby [RANGE 4 STEP 4]"


@pytest.mark.parametrize(
    ("query", "empty_answers"),
    [
        (COUNTED + " { WINDOW :w { ?who :near ?y } } GROUP BY ?who HAVING (?m > 2)", "yes"),
        (COUNTED + " { WINDOW :w { ?who :near ?y } } GROUP BY ?who HAVING (?m > 2)", "no"),
        (
            f"SELECT * FROM NAMED WINDOW :w ON :nearby [RANGE 4 STEP 4] {{ {{ "
            f"{COUNTED[: COUNTED.index('FROM')]} {{ WINDOW :w {{ ?who :near ?y }} }} "
            "GROUP BY ?who HAVING (?m > 2) } }",
            "yes",
        ),
    ],
)
def test_a_name_of_select_in_having_is_explained(query: str, empty_answers: str) -> None:
    elements = stream("nearby", ("carl near a", 1), ("carl near b", 2), ("eve near b", 3))
    case = case_of(query, elements, until=4)
    dials = Dials(t0=0).with_dial("empty_answers", empty_answers)
    said = text(case, dials, given(4, "who=carl m=4"))
    unbound = "?m is not bound in HAVING, which comes before SELECT names it (SPARQL 1.1, 18.2.4.2"
    assert unbound in said
    assert "would come out if it were." in said
    assert "No choice" not in said
    # A row that no reading gives is told as before.
    other = text(case, dials.with_dial("empty_answers", "yes"), given(4, "who=carl m=6"))
    assert "HAVING" not in other and "No choice of elements" in other


def test_the_last_answer_is_that_of_the_same_stamp() -> None:
    who = WHO.replace("RANGE 3", "RANGE 4")
    case = case_of(who, stream("nearby", ("carl near a", 3)), until=8)
    dials = Dials(t0=0).with_dials(
        {"report": "WC & NC", "answer_time": "arrival", "advances": "elements", "clock": "own"}
    )
    first, *rest = answer(case, dials, (0,))
    assert rest, "two answers are due at 8"
    said = text(case, dials, given(None, content=first.content, cause=1))
    assert "no answer comes" in said and "The engine's last answer is at 8." in said


def test_an_answer_without_an_instant_is_listed_after_those_later_than_the_end() -> None:
    """In the order in which they are compared (decision 20)."""
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=5)
    expectation = Expectation(case, Dials(t0=0, time_tolerance=2))
    answers = given(None, "who=eve"), given(7, "who=carl")
    lines = aligned(Situation(expectation, (0,), answers))
    assert [line.answer.t for line in lines if line.answer is not None] == [7, None]


SHOWN = "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [%s] WHERE { WINDOW :w { ?x :p ?y } }"


@pytest.mark.parametrize(
    ("size", "dials", "answers", "said"),
    [
        (
            "ELEMENTS 2 STEP 3",
            {"report": "WC"},
            [given(2, "x=a", "x=b"), given(3, "x=b", "x=c"), given(5, "x=d", "x=f")],
            "what came last on :s lies in no window of :w (2 elements, slide 3) (WC)",
        ),
        (
            "ELEMENTS 2 STEP 2",
            {"report": "WC", "n0": "1", "tick": "tuple"},
            [given(3, "x=b", "x=c"), given(5, "x=d")],
            "It comes from (:f :p :b, 5), and #5 of :s lies inside #4-#5",
        ),
        (
            "ELEMENTS 2",
            {"report": "CC"},
            [given(1, "x=a"), given(2, "x=a", "x=b"), given(3, "x=a", "x=b", "x=c")],
            "comes from (:a :p :b, 1) only, and #1 of :s is before #2-#3 opens",
        ),
        (
            "RANGE UNBOUNDED",
            {"report": "P(5)"},
            [given(5, "x=a", "x=b", "x=c", "x=d", "x=e")],
            "It comes from (:f :p :b, 5), and #5 of :s lies inside #1-#6",
        ),
        (
            "FROM NOW-3 TO NOW-2",
            {"t0": "0"},
            [given(3, "x=a", "x=b")],
            "comes from (:b :p :b, 2) only, and at 1 (2 before 3) it has not come yet",
        ),
        (
            "FROM NOW-4 TO NOW-2 STEP 2",
            {"t0": "0"},
            [given(4, "x=a", "x=b"), given(5, "x=c")],
            "no window of :w closes at 3 (2 before 5), they close at 2 and 4 (WC)",
        ),
        (
            "FROM NOW-4 TO NOW-2 STEP 2",
            {"t0": "0", "report": "CC"},
            [given(2, "x=a")],
            "no window of :w is open at 0 (2 before 2), the first opens at 0 (CC)",
        ),
        (
            "NOW",
            {"report": "P(5)", "now": "element"},
            [given(5, "x=e", "x=f")],
            "another element came after that of 5, which takes its place (now=element)",
        ),
    ],
)
def test_what_windows_of_other_kinds_hold(
    size: str, dials: dict[str, str], answers: list[Observed], said: str
) -> None:
    arrived = [(f"{subject} p b", t) for t, subject in enumerate("abcd", 1)]
    case = case_of(SHOWN % size, stream("s", *arrived, ("f p b", 5), ("e p b", 5)), until=6)
    assert said in text(case, Dials().with_dials(dials), *answers)


def test_no_start_is_spoken_of_without_windows_by_time() -> None:
    case = case_of("SELECT ?x WHERE { ?x :p :b }", until=4, data=background(("a p b", None, None)))
    dials = Dials().with_dial("report", "COMPUTED EVERY 2")
    assert text(case, dials, given(2, "x=a"), given(4, "x=a")).startswith("The answer is right:")
    wrong = text(case, dials, given(2, "x=a"), given(4))
    assert "It comes from the background data :a :p :b." in wrong
    assert "t0" not in wrong and "  " not in wrong
    # They begin with the registration, so no start is spoken of unless a window is by time.
    counted = WHO.replace("[RANGE 3 STEP 2]", "[ELEMENTS 2]")
    assert "ELEMENTS" in counted
    dials = Dials().with_dial("report", "CC & NC")
    said = text(case_of(counted, NEARBY, until=9), dials, given(2, "who=eve"))
    assert "start" not in said and "None" not in said
    both = counted.replace("WHERE", "FROM NAMED WINDOW :v ON :nearby [RANGE 3 STEP 2] WHERE")
    assert "No t0 in {0,1} makes" in text(
        case_of(both, NEARBY, until=9), dials, given(2, "who=eve")
    )


def unexpected(dials: dict[str, object], window: str, t: int, elements: Any = CARL) -> str:
    """What is said of an answer at T, with those that are due before it, under DIALS."""
    given_dials = Dials().with_dials(dials)
    case = case_of(WHO.replace("3 STEP 2", window), elements, until=8)
    steps = answer(case, given_dials, next(iter(rspql_queries(case, given_dials))))
    before = [Observed(e.t, e.content) for e in steps if e.t < t]
    return text(case, given_dials, *before, given(t, "who=carl"))


CLOSED, INCLUSIVE = {"window": "last-closed"}, {"window": "last-closed-inclusive"}


@pytest.mark.parametrize(
    ("dials", "window", "t", "sentence"),
    [
        ({"t0": 0}, "3 STEP 2", 4, "they close at 3 and 5"),
        ({"t0": 1}, "3 STEP 2", 3, "the first closes at 4"),
        ({"t0": 3}, "3 STEP 2", 3, "no window of :w is open at 3"),
        (CLOSED, "3 STEP 2", 3, "no window of :w has closed before 3, the first closes at 3"),
        (CLOSED, "3 STEP 2", 5, "the last window closed before 5, was so at 4 already"),
        (INCLUSIVE, "3 STEP 2", 2, "no window of :w has closed by 2, the first closes at 3"),
        (INCLUSIVE, "3 STEP 2", 4, "no window of :w closes at 4, they close at 3 and 5"),
        ({"report": "P(2)"}, "3 STEP 2", 3, "3 is not a multiple of 2 after t0=0"),
        ({"report": "CC"}, "5 STEP 5", 3, "(0,5] of :w holds what :w held before"),
        (
            {"report": "CC"},
            "2 STEP 2",
            3,
            "nothing is new in (2,4] of :w (what leaves does not count)",
        ),
    ],
)
def test_why_there_is_no_evaluation(
    dials: dict[str, object], window: str, t: int, sentence: str
) -> None:
    assert sentence in unexpected({"t0": 0, **dials}, window, t)


def test_what_is_said_of_an_evaluation_that_is_not_due() -> None:
    case = case_of(WHO, CARL, until=3)
    dials = Dials(t0=0).with_dial("report", "WC & !NC")
    found = text(case, dials, given(3, "who=carl"))
    assert (
        "The query is not evaluated at 3 by report WC & !NC: the window (0,3] of :w holds 1 "
        "element (NC)" in found
    )
    case = case_of(WHO, CARL, until=7)
    found = text(case, Dials(t0=0, empty_answers=False), given(3, "who=carl"), given(5))
    assert "The query is evaluated at 5: the window (2,5] of :w closes at 5 (WC)" in found
    assert "its answer has no rows, and under empty_answers no it is not given" in found
    case = case_of(WHO, CARL, until=4)
    found = text(case, Dials(t0=0), given(3, "who=carl"), given(3, "who=carl"))
    assert "1 answer is expected at 3, and as many have come before this one." in found
    said = unexpected({"t0": "first-element"}, "3 STEP 2", 3, elements=[])
    assert ":w never starts, since no element comes on its stream" in said


def test_elements_that_have_not_come_have_left_or_are_several() -> None:
    case = case_of(
        WHO.replace("RANGE 3 STEP 2", "RANGE 4 STEP 4"),
        stream("nearby", ("carl near a", 2), ("eve near a", 6)),
        until=8,
    )
    dials = Dials(t0=0).with_dial("report", "P(2)")
    base = [given(2, "who=carl"), given(4, "who=carl")]
    late = text(case, dials, given(2, "who=carl", "who=eve"), *base[1:], given(6), given(8))
    assert "comes from (:eve :near :a, 6) only, and at 2 it has not come yet" in late
    early = text(case, dials, *base, given(6, "who=carl", "who=eve"))
    assert "comes from (:carl :near :a, 2) only, and 2 is before (4,8] opens" in early
    case = case_of(WHO, stream("nearby", ("carl near a", 1), ("carl near a", 2)), until=9)
    found = text(
        case, Dials(t0=0), given(3, "who=carl"), *(given(5), given(7)), given(9, "who=carl")
    )
    assert "would come from (:carl :near :a, 2), and 2 is before (6,9] opens" in found


def test_blank_nodes_that_agree_only_one_by_one() -> None:
    query = (
        "SELECT ?x ?y FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
        "WHERE { WINDOW :w { ?x :p ?y } }"
    )
    nodes = [BlankNode(name) for name in ("n1", "n2", "n3", "n4")]
    elements = [
        replace(e, graph=(Triple(nodes[i], e.graph[0].predicate, nodes[i + 1]),))
        for i, e in enumerate(stream("s", ("a p b", 1), ("a p c", 2)))
    ]
    case = case_of(query, elements, until=2)
    apart = Rows(("x", "y"), ((nodes[0], nodes[1]), (nodes[2], nodes[3])))
    dials = Dials(t0=0, blank_nodes="case")
    assert "no renaming of blank nodes" in text(case, dials, Observed(2, apart))


def test_texts_of_random_cases_fit() -> None:
    """Every kind of case and of fault: a text comes, and it fits."""
    kinds = set()
    for seed in range(3_380, 3_580):
        rng = random.Random(seed)
        try:
            case, dials = random_case(rng)
            starts = rng.choice(list(rspql_queries(case, dials)))
            observed = random_answers(rng, answer(case, dials, starts), case, dials)
            verdict = judge(case, dials, observed)
        except (Unsupported, ValueError):
            continue
        finding = Finding(
            "p", "e", "1", Profile("x", dials), dials, case, "burst", "", observed, verdict
        )
        lines = failure_report(finding, more="footer", by_dial=by_dial).split("\n")
        assert len(lines) <= 60, seed
        assert all(cell_len(line) <= 80 and line.isprintable() for line in lines), seed
        paragraph = because(case, dials, observed, verdict, by_dial)
        assert paragraph.isprintable(), seed
        assert "  " not in paragraph, seed
        # "None of the 3 answers counts", "None is expected at all.", "none of the 4 t0 in".
        assert not re.search(r"\bNone\b(?! of the | is expected at all\.)", paragraph), seed
        if not verdict.correct:
            kinds.add(finding.kind)
    assert len(kinds) >= 5


KINDS = sorted(arg.kinds(arg.FactKind))
HINTS: list[Any] = [(hint, 0) for hint in arg.kinds(arg.OfWindow | arg.OfCase)]
CLAUSES = {*arg.kinds(arg.Placed | arg.Reason | arg.OfOthers), "window at", "held too", "not held"}


def complete(kind: arg.FactKind, situation: Situation) -> arg.Fact:
    """A fact of KIND with what it needs, and with nothing more but numbers."""
    step = situation.expected[0]
    fields: dict[str, Any] = {
        "parts": (arg.AnswerPart(("x",), (None,)), arg.AnswerPart(("x",), (BlankNode("b"),))),
        "t": 3,
        "other": 1,
        "instants": (3, 4),
        "hints": (("slide later", 0),),
        "strategy": Strategy("P", 2),
        "position": 0,
        "instance": step.contents[0].instance,
        "elements": (0,),
        "terms": (BlankNode("b"),),
        "clause": Values((Variable("x"),), ((None,),)),
        "facts": (arg.Fact("held too", position=0, elements=(0,)),),
        "places": (arg.Fact("never starts", t=3, position=0),),
        "expected": step.evaluation,
        "received": situation.observed[0],
    }
    needed = {name: fields[name] for name in arg.NEEDED[kind]}
    if kind == "comes from":  # Elements, or background data instead.
        needed["elements"] = (0,)
    return arg.Fact(kind, count=2, before=1, vectors=(situation.starts,), **needed)


@pytest.mark.parametrize("kind", KINDS)
def test_every_fact_has_its_sentence(kind: arg.FactKind) -> None:
    """With what is needed alone the sentence is whole; without any of that there is no fact."""
    finding = FINDINGS["istream-ignored"]()
    assert finding.verdict is not None
    situation = nearest(finding.case, finding.dials, finding.observed, finding.verdict)
    fact = complete(kind, situation)
    text = stated(fact, SituationNotation(situation))
    if kind != "windows at":  # A query without windows has none to tell of.
        assert text and text.endswith(".") is (kind not in CLAUSES)
    assert "  " not in text and not re.search(
        r"\bNone\b(?! of the | is expected at all\.)| [.,;]", text
    )
    for name in arg.NEEDED[kind]:
        with pytest.raises(TypeError, match=name):
            replace(fact, **{name: () if isinstance(getattr(fact, name), tuple) else None})
    assert sorted(SENTENCES) == KINDS, "and none is left over"


def test_a_reason_tells_its_strategy() -> None:
    why = arg.Fact("never starts", t=3, position=0)
    with pytest.raises(TypeError, match="strategy"):
        arg.Fact("evaluated", t=3, facts=(why,))
    assert arg.Fact("evaluated", t=3, facts=(replace(why, strategy=Strategy("NC")),)).facts


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_every_hint_has_its_words(hint: arg.Hint) -> None:
    finding = FINDINGS["slide-late"]()
    assert finding.verdict is not None
    situation = nearest(finding.case, finding.dials, finding.observed, finding.verdict)
    fact = arg.Fact("instant is", instants=(3,), hints=(hint,))
    text = stated(fact, SituationNotation(situation))
    assert text.startswith("3 is ") and len(text) > len("3 is .")


ONE = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]"
TWO = f"{ONE} FROM NAMED WINDOW :v ON STREAM :r [RANGE 2 STEP 2]"
PLAIN = "WHERE { WINDOW :w { ?x :p ?y } }"
NEAR = (("s", 1, "a p b"), ("s", 2, "c p d"))
ALIKE = (("s", 1, "a p b"), ("s", 2, "a p d"))
NUMBERS = (("s", 1, "a p 1"), ("s", 1, "a p 2"))
APART = (("s", 1, "a p b"), ("r", 1, "c p d"))
BOTH = ("x=a y=b", "x=c y=d")
WITHOUT = "{?x=:c, ?y=:d} would come out without "


@pytest.mark.parametrize(
    ("query", "elements", "rows", "said"),
    [
        (
            f"SELECT ?x ?y {ONE} WHERE {{ WINDOW :w {{ ?x :p ?y }} VALUES ?x {{ :a }} }}",
            NEAR,
            BOTH,
            f"{WITHOUT}VALUES ?x {{ :a }}.",
        ),
        (
            f"SELECT ?x ?y {ONE} WHERE {{ WINDOW :w {{ ?x :p ?y }} FILTER(?x = :a) }}",
            NEAR,
            BOTH,
            f"{WITHOUT}FILTER(?x = :a).",
        ),
        (
            f"SELECT ?x ?y {ONE} WHERE {{ WINDOW :w {{ ?x :p ?y MINUS {{ ?x :p :d }} }} }}",
            NEAR,
            BOTH,
            f"{WITHOUT}MINUS {{ ?x :p :d }}.",
        ),
        (
            f"SELECT ?x ?y {TWO} {PLAIN}",
            APART,
            BOTH,
            "{?x=:c, ?y=:d} comes from (:c :p :d, 1) only, and it comes on :r, while :w reads :s.",
        ),
        (
            f"SELECT ?x {ONE} {PLAIN}",
            NEAR,
            BOTH,
            "SELECT does not show ?y, and the answer has values for it.",
        ),
        (
            f"SELECT ?x ?y {ONE} {PLAIN}",
            NEAR,
            ("x=a", "x=c"),
            "SELECT shows ?y, and no row of the answer has a value for it.",
        ),
        (
            f"SELECT DISTINCT ?x {ONE} {PLAIN}",
            ALIKE,
            ("x=a", "x=a"),
            "(:a :p :b, 1) and (:a :p :d, 2) each give it, and DISTINCT leaves one.",
        ),
        (
            f"SELECT ?x {ONE} WHERE {{ WINDOW :w {{ ?y :p ?x FILTER(?x > 1) }} }}",
            NUMBERS,
            ("x=1", "x=2"),
            "would come out without FILTER(?x > 1).",
        ),
        (
            f"SELECT DISTINCT ?x {ONE} WHERE {{ WINDOW :w {{ ?y :p ?x }} }}",
            (("s", 1, "a p 1"), ("s", 1, "b p 1")),
            ("x=1", "x=1"),
            "what comes out without DISTINCT",
        ),
        (
            f"SELECT ?x {ONE} WHERE {{ WINDOW :w {{ ?y :p ?x }} }} ORDER BY ?x LIMIT 1",
            NUMBERS,
            ("x=1", "x=2"),
            "what comes out without LIMIT and OFFSET",
        ),
        (
            f"SELECT ?x ?z {ONE} WHERE {{ WINDOW :w {{ ?y :p ?x }} OPTIONAL {{ ?y :q ?z }} }}",
            NUMBERS[:1],
            ("x=1 z=-",),
            "what comes out without the background data",
        ),
    ],
    ids=[
        "VALUES",
        "FILTER",
        "MINUS",
        "another stream",
        "a variable too many",
        "a variable too few",
        "equal rows",
        "FILTER of numbers",
        "DISTINCT",
        "LIMIT",
        "background",
    ],
)
def test_why_a_row_is_wrong_is_said_of_every_kind(
    query: str, elements: Any, rows: tuple[str, ...], said: str
) -> None:
    streams = [stream(name, (what, t)) for name, t, what in elements]
    case = case_of(query, *streams, until=8, data=background(("a q 7", None, None)))
    dials = Dials(t0=0, empty_answers="no")
    found = text(case, dials, given(2, *rows))
    assert said in found and ("No choice" in found) is said.endswith("background data")


def test_braces_are_not_all_that_is_said_of_an_empty_answer() -> None:
    case = case_of(WHO, stream("nearby", ("carl far a", 1)), until=5)
    said = text(case, Dials(t0=0), given(3))
    assert "an empty answer is expected, and no answer comes." in said
    assert "has no rows, and this profile reports empty answers too." in said


def test_blank_nodes_are_other_values_only_if_nothing_else_differs() -> None:
    names, node = ("x", "y"), BlankNode("n")
    part = arg.AnswerPart(names, (node, Literal("a")))
    assert part.differing(arg.AnswerPart(names, (BlankNode("b0"), Literal("b")))) == ("y",)
    assert part.differing(arg.AnswerPart(names, (BlankNode("b0"), Literal("a")))) == ("x",)
    assert part.differing(arg.AnswerPart(names, (Literal("c"), Literal("a")))) == ("x",)
