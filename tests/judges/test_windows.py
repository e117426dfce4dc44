"""Windows by count and in the past: small examples with all their evaluations, for every judge.

A line of the table is an example: its windows, its stream, its dials and the evaluations. ``a1``
is the element ``:a :p :o`` at 1, ``a+b1`` one of two triples. An evaluation is an instant and its
rows; ``-`` is an answer without rows, and two evaluations at one instant are two test points of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import pytest

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.adapters.reference.mutants import counts
from rsp_conformance.diagnosis.reference import reference_answers
from rsp_conformance.model.answers import Content, Evaluation, Observed, Rows
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.policy import Strategy
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.stream.buffer import StreamBuffer
from rsp_conformance.spark.worker.judge import judge_share
from rsp_conformance.spark.worker.registered import RegisteredQuery, Registration
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.start_classes import StartClasses
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.parse import parse_query
from tests.builders import compiled
from tests.builders.findings import background
from tests.builders.terms import iri, word

EXAMPLES = """
not full, ties      ; [ELEMENTS 2] ; a1 b3 c3 d4 e8 ; CC       ; 1 a | 3 b c | 4 c d | 8 d e
  tuple             ; = ; = ; CC tick=tuple ; 1 a | 3 a b | 3 b c | 4 c d | 8 d e
cut ties            ; [ELEMENTS 2] ; a1 b2 c2 d2 e5 ; CC       ; 1 a | 2 c d | 5 d e
  another order     ; = ; a1 d2 c2 b2 e5 ; CC                  ; 1 a | 2 b c | 5 b e
closes              ; [ELEMENTS 2] ; a1 b2 c2 d4 ; WC          ; 2 b c | 4 c d
  tuple             ; = ; = ; WC tick=tuple                    ; 2 a b | 2 b c | 4 c d
  last closed       ; = ; = ; WC tick=tuple window=last-closed ; 2 a b | 2 b c | 4 c d
last closed changes ; [ELEMENTS 2] ; a1 b2 c2 d4 ; CC window=last-closed-inclusive ; 2 b c | 4 c d
stays in a silence  ; [ELEMENTS 1] ; a1 b5 ; NC ; 1 a | 2 a | 3 a | 4 a | 5 b | 6 b | 7 b
removals            ; [ELEMENTS 1] ; a1 b5 ; CC content_change=any ; 1 a | 5 b
DSTREAM             ; DSTREAM [ELEMENTS 2] ; a1 b3 c3 d4 e8 ; CC ; 1 - | 3 a | 4 b | 8 c
  tuple             ; = ; = ; CC tick=tuple     ; 1 - | 3 - | 3 a | 4 b | 8 c
  ISTREAM           ; ISTREAM [ELEMENTS 2] ; = ; CC ; 1 a | 3 b c | 4 d | 8 e
  bag               ; DSTREAM [ELEMENTS 2] ; a1 a2 b3 ; CC window_content=bag ; 1 - | 2 - | 3 a
  set               ; = ; = ; CC                               ; 1 - | 2 - | 3 -
several triples     ; [ELEMENTS 2] ; a+b1 c2 d+e2 ; CC         ; 1 a b | 2 c d e
  by triples        ; [TRIPLES 2] ; = ; CC                     ; 1 a b | 2 d e
  a part            ; [TRIPLES 4] ; = ; CC                     ; 1 a b | 2 b c d e
  tuple             ; [TRIPLES 2] ; = ; CC tick=tuple ; 1 a | 1 a b | 2 b c | 2 c d | 2 d e
  closes            ; [TRIPLES 3] ; = ; WC tick=tuple ; 2 a b c | 2 b c d | 2 c d e
COUNT               ; COUNT [ELEMENTS 3] ; a1 a2 b4 a4 ; CC window_content=bag ; \
1 1,1 | 2 2,1 | 4 3,2
tumbling            ; [TRIPLES 3] ; a1 b2 c2 d2 e3 f3 g3 h3 i9 ; \
WC&NC tick=tuple count_slide=width ; 2 a b c | 3 d e f | 9 g h i
  several triples   ; = ; a+b1 c2 d+e2 ; WC tick=tuple count_slide=width ; 2 a b c
  CC                ; [ELEMENTS 2] ; a1 b2 c3 ; CC count_slide=width ; 1 a | 2 a b | 3 c
  at once           ; = ; a1 b1 c2 d2 ; WC count_slide=width ; 1 a b | 2 c d
  in a silence      ; = ; a1 b2 ; NC count_slide=width ; 1 a | 2 a b | 3 a b | 4 a b
  a batch begun     ; [ELEMENTS 4 STEP 4] ; a1 b2 c3 d4 e5 f6 ; WC tick=tuple ; 4 a b c d
slide beyond        ; [ELEMENTS 2 STEP 3] ; a1 b2 c3 d4 e5 f6 ; WC tick=tuple ; 2 a b | 5 d e
  CC                ; = ; = ; CC tick=tuple              ; 1 a | 2 a b | 4 d | 5 d e
  removals          ; = ; = ; CC content_change=any      ; 1 a | 2 a b | 4 d | 5 d e
  NC                ; = ; = ; NC ; 1 a | 2 a b | 4 d | 5 d e
  last closed       ; = ; = ; P(2) window=last-closed    ; 2 a b | 4 a b | 6 d e | 8 d e
slide within        ; [ELEMENTS 3 STEP 2] ; = ; WC tick=tuple ; 3 a b c | 5 c d e
  CC                ; = ; = ; CC tick=tuple ; \
1 a | 2 a b | 3 a b c | 4 c d | 5 c d e | 6 e f
  fill              ; = ; = ; WC tick=tuple n0=fill      ; 2 a b | 4 b c d | 6 d e f
  later             ; = ; = ; WC tick=tuple n0=1         ; 4 b c d | 6 d e f
  later, CC         ; = ; = ; CC n0=1 ; 2 b | 3 b c | 4 b c d | 5 d e | 6 d e f
  fill, CC          ; = ; = ; CC n0=fill ; 1 a | 2 a b | 3 b c | 4 b c d | 5 d e | 6 d e f
  fill, last closed ; = ; = ; CC n0=fill window=last-closed ; 2 a b | 4 b c d | 6 d e f
  triples           ; [TRIPLES 3 STEP 2] ; a+b1 c2 d+e2 ; WC tick=tuple ; 2 a b c | 2 c d e
  one by one, fill  ; [ELEMENTS 2] ; a1 b2 c3 ; WC n0=fill ; 1 a | 2 a b | 3 b c
closes inside       ; [ELEMENTS 2 STEP 2] ; a1 b2 c2 d3 e4 ; WC tick=tuple ; 2 a b | 3 c d
  time              ; = ; = ; WC                         ; 3 c d
  last closed       ; = ; = ; WC window=last-closed      ; 2 a b | 3 c d
DSTREAM of batches  ; DSTREAM [ELEMENTS 2 STEP 2] ; a1 b2 c3 d4 ; WC ; 2 - | 4 a b
NOW                 ; [NOW] ; a1 b2 c2 d2 e5 ; CC              ; 1 a | 2 b c d | 5 e
  tuple             ; = ; = ; CC tick=tuple                    ; 1 a | 2 b | 2 b c | 2 b c d | 5 e
  removals          ; = ; = ; CC content_change=any ; 1 a | 2 b c d | 3 - | 5 e | 6 -
  closes, tuple     ; = ; = ; WC&NC tick=tuple                 ; 1 a | 2 b c d | 5 e
  closes            ; = ; a1 b2 ; WC                           ; 1 a | 2 b | 3 - | 4 -
  periodic          ; = ; a1 b2 c2 d2 e5 ; P(1) ; 1 a | 2 b c d | 3 - | 4 - | 5 e | 6 - | 7 -
  last closed       ; = ; a1 b2 ; CC window=last-closed bounds=[o,c) ; 1 a | 2 b
  DSTREAM           ; DSTREAM [NOW] ; a1 b2 ; WC               ; 1 - | 2 a | 3 b | 4 -
  registration      ; [NOW] ; a0 b1 ; WC&NC                    ; 0 a | 1 b
NOW, one element    ; [NOW] ; a1 b2 c2 d2 e5 ; CC tick=tuple now=element ; \
1 a | 2 b | 2 c | 2 d | 5 e
  time              ; = ; = ; CC now=element             ; 1 a | 2 d | 5 e
  periodic          ; = ; = ; P(1) now=element ; 1 a | 2 d | 3 - | 4 - | 5 e | 6 - | 7 -
NOW, the last       ; [NOW] ; a1 b2 c2 d2 e5 ; P(1) now=last ; \
1 a | 2 d | 3 d | 4 d | 5 e | 6 e | 7 e
  CC                ; = ; = ; CC tick=tuple now=last     ; 1 a | 2 b | 2 c | 2 d | 5 e
  removals          ; = ; = ; CC content_change=any now=last ; 1 a | 2 d | 5 e
  NC                ; = ; a2 b4 ; NC now=last            ; 2 a | 3 a | 4 b | 5 b | 6 b
  DSTREAM           ; DSTREAM [NOW] ; a1 b2 ; CC now=last ; 1 - | 2 a
UNBOUNDED           ; COUNT [RANGE UNBOUNDED] ; a1 a2 b4 a4 ; CC ; 1 1,1 | 2 1,1 | 4 2,2
  bag               ; = ; = ; CC window_content=bag            ; 1 1,1 | 2 2,1 | 4 4,2
  ISTREAM           ; NEW [RANGE UNBOUNDED] ; = ; CC window_content=bag ; 1 a | 2 - | 4 b
  stays             ; [RANGE UNBOUNDED] ; a1 b4 ; NC ; 1 a | 2 a | 3 a | 4 a b | 5 a b | 6 a b
  periodic          ; N [RANGE UNBOUNDED] ; a3 b5 ; P(2)       ; 2 0 | 4 1 | 6 2 | 8 2
  background        ; OWNER [RANGE UNBOUNDED] ; a1 ; P(2)      ; 2 ax | 4 ay | 6 ay
  time and all      ; ALL ; ak@1 uk@1 vk@3 bk@5 ; WC t0=0      ; 2 au | 4 - | 6 bu bv
in the past         ; LONG [FROM NOW-5 TO NOW-2 STEP 1] ; a1 b3 c6 ; WC&NC t0=0 ; \
5 a b | 6 b | 7 b | 8 c | 9 c | 10 c
  CC                ; = ; = ; CC t0=0                    ; 3 a | 5 a b | 8 c
  tuple             ; = ; a1 b3 b3 c6 ; CC tick=tuple t0=0 ; 3 a | 5 a b | 8 c
  removals          ; = ; a1 b3 c6 ; CC t0=0 content_change=any ; 3 a | 5 a b | 6 b | 8 c
  NC                ; = ; = ; NC t0=0 ; 3 a | 4 a | 5 a b | 6 b | 7 b | 8 c | 9 c | 10 c
  periodic          ; LONG [FROM NOW-5 TO NOW-2] ; = ; P(3) t0=0 ; 5 a b | 8 c
  before the start  ; = ; = ; P(3) t0=-3                 ; 2 - | 5 a b | 8 c
  tumbling          ; LONG [FROM NOW-5 TO NOW-2 STEP 3] ; a1 b3 c6 ; WC t0=0 ; 5 a b | 8 c
  in a gap          ; LONG [FROM NOW-4 TO NOW-2 STEP 4] ; a1 b3 c6 ; WC t0=0 ; 4 a | 8 c
  last closed       ; LONG [FROM NOW-4 TO NOW-1 STEP 2] ; a1 b3 c6 ; \
CC t0=0 window=last-closed ; 5 a b | 9 c
  inclusive         ; = ; = ; CC t0=0 window=last-closed-inclusive ; 4 a b | 8 c
  DSTREAM           ; PAST [FROM NOW-5 TO NOW-2 STEP 3] ; a1 b3 c6 ; WC t0=0 ; 5 - | 8 a b
  first element     ; LONG [FROM NOW-5 TO NOW-2 STEP 3] ; a1 b3 c6 ; WC t0=first-element ; 6 b | 9 c
before an element   ; N [ELEMENTS 2] ; a3 b5 ; P(2) ; 2 0 | 4 1 | 6 2 | 8 2
at the registration ; AVG [ELEMENTS 10] ; 30v0 10v1 50v1 50v1 60v2 ; CC window_content=bag ; \
0 30 | 1 35 | 2 40
  tuple             ; = ; = ; CC tick=tuple window_content=bag ; 0 30 | 1 20 | 1 30 | 1 35 | 2 40
two patterns        ; TWO [TRIPLES 2] ; ap1 bq2 cp3 dp4 eq5 fr6 gr7 hq8 ; CC empty_answers=no ; \
2 ab | 3 cb | 5 de
another stream      ; [RANGE TRIPLES 3] ; \
a1@1 b1@1 a2@2 b2@2 a3@3 b3@3 a4@4 b4@4 a5@5 b5@5 a6@6 b6@6 ; \
WC&NC tick=tuple count_slide=width ; 3 a1 a2 a3 | 6 a4 a5 a6
time and count      ; BOTH ; ak@1 uk@1 vk@3 bk@5 wk@6 ; WC&NC t0=0 ; 3 au av | 4 au av | 6 bv bw | \
8 bv bw
  all               ; = ; = ; WC&NC t0=0 report_windows=all ; 6 bv bw
  bound             ; = ; = ; WC[w1]&NC[w1] t0=0 ; 4 au av | 6 bv bw | 8 bv bw
  tuple             ; = ; = ; CC tick=tuple t0=0 ; 1 - | 1 au | 3 au av | 5 bu bv | 6 bv bw
  closes, tuple     ; = ; = ; WC&NC tick=tuple t0=0 ; 3 au av | 4 au av | 6 bv bw | 8 bv bw
"""


@dataclass(frozen=True)
class Example:
    """A case under dials, with all its evaluations as text."""

    name: str
    case: Case
    dials: Dials
    expected: str


_P = "PREFIX : <http://ex.org/> "
_ONE = "FROM NAMED WINDOW :w ON STREAM :s "
_BODY = " WHERE { WINDOW :w { ?x :p ?y } }"
_HEADS = {
    "": f"SELECT ?x {_ONE}%s{_BODY}",
    "LONG": f"SELECT ?x {_ONE}%s{_BODY}",
    "PAST": f"REGISTER DSTREAM AS SELECT ?x {_ONE}%s{_BODY}",
    "DSTREAM": f"REGISTER DSTREAM AS SELECT ?x {_ONE}%s{_BODY}",
    "ISTREAM": f"REGISTER ISTREAM AS SELECT ?x {_ONE}%s{_BODY}",
    "COUNT": f"SELECT (COUNT(?x) AS ?n) (COUNT(DISTINCT ?x) AS ?m) {_ONE}%s{_BODY}",
    "NEW": f"REGISTER ISTREAM AS SELECT DISTINCT ?x {_ONE}%s{_BODY}",
    "ALL": "SELECT ?x ?z FROM NAMED WINDOW :w1 ON STREAM :s [RANGE 2 STEP 2] "
    "FROM NAMED WINDOW :w2 ON STREAM :u [RANGE UNBOUNDED] WHERE { WINDOW :w1 { ?x :p ?y } "
    "WINDOW :w2 { ?z :q ?y } }",
    "N": f"SELECT (COUNT(?x) AS ?n) {_ONE}%s{_BODY}",
    "OWNER": f"SELECT ?x ?o {_ONE}%s WHERE {{ WINDOW :w {{ ?x :p ?y }} ?x :owner ?o }}",
    "AVG": f"SELECT (AVG(?y) AS ?n) {_ONE}%s{_BODY}",
    "TWO": "REGISTER ISTREAM AS SELECT ?x ?y "
    f"{_ONE}%s WHERE {{ WINDOW :w {{ ?x :p ?o . ?y :q ?o }} }}",
    "BOTH": "SELECT ?x ?z FROM NAMED WINDOW :w1 ON STREAM :s [RANGE 4 STEP 2] "
    "FROM NAMED WINDOW :w2 ON STREAM :u [ELEMENTS 2] WHERE { WINDOW :w1 { ?x :p ?y } "
    "WINDOW :w2 { ?z :q ?y } }",
}


_OWNERS = background(("a owner x", 0, 3), ("a owner y", 4, None))


def elements(text: str) -> Iterator[StreamElement]:
    for part in text.split():
        if of := re.fullmatch(r"(\w)k@(\d+)", part):
            first = of[1] in "ab"
            triple = Triple(iri(of[1]), iri("p" if first else "q"), iri("k"))
            yield StreamElement(iri("s" if first else "u"), int(of[2]), (triple,))
        elif of := re.fullmatch(r"([ab]\d)@(\d+)", part):
            triple = Triple(iri(of[1]), iri("p"), iri("o"))
            yield StreamElement(iri("s" if of[1][0] == "a" else "u"), int(of[2]), (triple,))
        elif of := re.fullmatch(r"(\d+)v(\d+)", part):
            yield StreamElement(iri("s"), int(of[2]), (Triple(iri("a"), iri("p"), word(of[1])),))
        elif of := re.fullmatch(r"([a-h])([pqr])(\d+)", part):
            triple = Triple(iri(of[1]), iri(of[2]), iri("o"))
            yield StreamElement(iri("s"), int(of[3]), (triple,))
        else:
            of = re.fullmatch(r"([\w+]+?)(\d+)", part)
            assert of is not None, part
            graph = tuple(Triple(iri(s), iri("p"), iri("o")) for s in of[1].split("+"))
            yield StreamElement(iri("s"), int(of[2]), graph)


def examples() -> Iterator[Example]:
    """The rows of the table; ``=`` is what stands in the row before."""
    before, group = ["", "", ""], ""
    for line in EXAMPLES.strip().splitlines():
        name, *fields, expected = map(str.strip, line.split(";"))
        given = [old if new == "=" else new for old, new in zip(before, fields, strict=True)]
        group = group if line.startswith(" ") else name
        size, stream, setting = before = given
        head, bracket, window = map(str.strip, size.partition("["))
        text = _HEADS[head] % f"[{window}" if bracket else _HEADS[head]
        report, *turned = setting.split()
        values = dict(one.split("=") for one in (f"report={report}", *turned))
        arrived = tuple(elements(stream))
        ends = {"BOTH": 9, "N": 8, "LONG": 10, "PAST": 10, "OWNER": 6}
        dials = Dials().with_dials(values)
        case = Case(
            parse_query(_P + text),
            arrived,
            _OWNERS if head == "OWNER" else Background(),
            until=ends.get(head, arrived[-1].t + 2),
        )
        yield Example(group if group == name else f"{group}: {name}", case, dials, expected)


def told(answers: Sequence[Evaluation | Observed]) -> str:
    return " | ".join(f"{one.t} {rows(one.content)}" for one in answers)


def rows(content: Content) -> str:
    assert isinstance(content, Rows)
    found = []
    for row in content.rows:
        words = [t.value.rpartition("/")[2] if isinstance(t, IRI) else t.lexical for t in row]  # type: ignore[union-attr]
        found.append(("" if isinstance(row[0], IRI) else ",").join(words))
    return " ".join(sorted(found)) or "-"


def by_specification(case: Case, dials: Dials) -> dict[Vector, str]:
    expectation = Expectation(case, dials)
    return {z: told(expectation.answer(z)) for z in expectation.queries()}


def by_spark(case: Case, dials: Dials) -> dict[Vector, str]:
    shipped = Shipment().case(Task("case", case, dials, ()), judged=False)
    ((found, *_),) = judge_share([shipped], 20.0)
    assert isinstance(found, dict), found
    return {z: told(answers) for z, answers in found.items()}


def by_reference(case: Case, dials: Dials) -> dict[Vector, str]:
    starts = Expectation(case, dials).queries()
    return {z: told(reference_answers(case, dials, z)) for z in starts}


@pytest.mark.parametrize("judged", [by_specification, by_spark, by_reference])
@pytest.mark.parametrize("example", [*examples()], ids=lambda own: own.name)
def test_every_judge_has_the_evaluations_of_the_examples(
    example: Example, judged: Callable[[Case, Dials], dict[Vector, str]]
) -> None:
    found = judged(example.case, example.dials)
    assert set(found.values()) == {example.expected}


@pytest.mark.parametrize("example", [*examples()], ids=lambda own: own.name)
def test_the_evaluations_are_right_and_any_other_row_is_wrong(example: Example) -> None:
    case, dials = example.case, example.dials
    expectation = Expectation(case, dials)
    right = [Observed(e.t, e.content) for e in expectation.answer(next(expectation.queries()))]
    first = right[0].content
    assert isinstance(first, Rows)
    changed = Rows(first.variables, (*first.rows, (iri("z"),) * len(first.variables)))
    wrong = [replace(right[0], content=changed), *right[1:]]
    for answers, correct in ((right, True), (wrong, False), (right[1:], False)):
        assert judge(case, dials, answers).correct is correct
        assert compiled.verdict(case, dials, answers).correct is correct


def test_no_element_comes_before_the_registration() -> None:
    """The design's E15 is no case (decision 55): registered at 3, its window held a before.

    The whole stream, as CQL counts it, would have ``3 a``, for a is deleted by b and c.
    """
    text, arrived = _P + _HEADS["DSTREAM"] % "[ELEMENTS 2]", tuple(elements("a1 b3 c3 d4 e8"))
    with pytest.raises(ValueError, match="element at 1 is earlier than the registration"):
        Case(parse_query(text), arrived, registered=3, until=10)
    case = Case(parse_query(text), arrived[1:], registered=3, until=10)
    for judged in (by_specification, by_spark, by_reference):
        assert set(judged(case, Dials(report=Strategy("CC"))).values()) == {"3 - | 4 b | 8 c"}


def test_where_windows_by_count_start_may_be_open() -> None:
    text = _P + _HEADS[""] % "[ELEMENTS 3 STEP 2]"
    case = Case(parse_query(text), tuple(elements("a1 b2 c3 d4 e5 f6")), until=8)
    dials = Dials().with_dials({"report": "WC", "tick": "tuple", "n0": "any"})
    found = {(0,): "3 a b c | 5 c d e", (1,): "4 b c d | 6 d e f"}
    for judged in (by_specification, by_spark, by_reference):
        assert judged(case, dials) == found
    for starts in found:
        answers = [Observed(e.t, e.content) for e in Expectation(case, dials).answer(starts)]
        for verdict in (judge(case, dials, answers), compiled.verdict(case, dials, answers)):
            assert verdict.correct and verdict.t0 == starts


def test_of_windows_that_start_after_the_last_unit_one_is_judged() -> None:
    text = _P + _HEADS[""] % "[ELEMENTS 1 STEP 1000000]"
    case = Case(parse_query(text), tuple(elements("a1 b2 c3")), until=8)
    dials = Dials().with_dials({"report": "WC", "n0": "any"})
    assert [z for _, z in StartClasses(case, dials).by_bound(())] == [(0,), (1,), (2,), (3,)]
    (last,) = [Observed(e.t, e.content) for e in Expectation(case, dials).answer((2,))]
    for answers, correct in (([last], True), ([], True), ([replace(last, t=4)], False)):
        assert judge(case, dials, answers).correct is correct
        assert compiled.verdict(case, dials, answers).correct is correct


def test_of_long_streams_a_window_that_holds_all_is_refused_by_name() -> None:
    case = Case(parse_query(_P + _HEADS[""] % "[RANGE UNBOUNDED]"))
    registered = RegisteredQuery(Registration.of(case, Dials(report=Strategy("CC"))))
    with pytest.raises(Unsupported, match="UNBOUNDED windows over a stream in chunks"):
        StreamBuffer(registered)


@pytest.mark.parametrize(
    ("size", "stream", "refused"),
    [
        ("[TRIPLES 2]", "named", "triples over a stream with named elements"),
        ("[RANGE UNBOUNDED]", "plain", "waits for the close of UNBOUNDED windows"),
    ],
)
def test_what_no_judge_evaluates_is_refused_by_name(size: str, stream: str, refused: str) -> None:
    (element,) = elements("a1")
    name = iri("g") if stream == "named" else None
    case = Case(parse_query(_P + _HEADS[""] % size), (replace(element, name=name),), until=3)
    with pytest.raises(Unsupported, match=refused):
        by_specification(case, Dials())
    with pytest.raises(Unsupported):
        by_reference(case, Dials())
    shipped = Shipment().case(Task("case", case, Dials(), ()), judged=True)
    ((found, *_),) = judge_share([shipped], 20.0)
    assert isinstance(found, Unsupported)


def test_elements_and_triples_of_one_stream_are_not_both_counted() -> None:
    text = (
        "SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [TRIPLES 2] FROM NAMED WINDOW :v ON STREAM :s "
        "[ELEMENTS 2] WHERE { WINDOW :w { ?x :p ?y } WINDOW :v { ?x :p ?y } }"
    )
    single, several = (
        Case(parse_query(_P + text), tuple(elements(stream)), until=3) for stream in ("a1", "a+b1")
    )
    assert by_specification(single, Dials(report=Strategy("CC"))) == {(0, 0): "1 a"}
    with pytest.raises(Unsupported, match="elements and triples of one stream"):
        by_specification(several, Dials())


MUTANTS = """
count-never-evicts ; not full, ties        ; 1 a | 3 a b c | 4 a b c d | 8 a b c d e
count-tumbles      ; not full, ties        ; 1 a | 3 c | 4 c d | 8 e
count-slides       ; tumbling              ; \
2 a b c | 2 b c d | 3 c d e | 3 d e f | 3 e f g | 3 f g h | 9 g h i
count-slides       ; slide within          ; 3 a b c | 4 b c d | 5 c d e | 6 d e f
count-tumbles      ; slide within          ; 3 a b c | 6 d e f
batch-flushed      ; tumbling: a batch begun ; 4 a b c d | 7 e f
one-too-many       ; not full, ties        ; 1 a | 3 a b c | 4 b c d | 8 c d e
full-only          ; not full, ties        ; 3 b c | 4 c d | 8 d e
whole-instants     ; cut ties              ; 1 a | 2 b c d | 5 b c d e
first-of-ties      ; cut ties              ; 1 a | 2 b c | 5 b e
eviction-silent    ; DSTREAM               ; 1 - | 3 - | 4 - | 8 -
distinct-counted   ; DSTREAM: bag          ; 1 - | 3 -
distinct-counted   ; COUNT                 ; 1 1,1 | 4 2,2
count-triples      ; several triples       ; 1 a b | 2 d e
count-elements     ; several triples: by triples ; 1 a b | 2 c d e
count-per-pattern  ; two patterns          ; 2 ab | 3 cb | 4 db | 5 ce de | 8 ch dh
count-all-streams  ; time and count: tuple ; 1 - | 1 au | 3 au av | 5 bv | 6 bw
count-never-evicts ; two patterns          ; 2 ab | 3 cb | 4 db | 5 ae ce de | 8 ah ch dh
count-all-streams  ; another stream        ; 2 a1 a2 | 3 a3 | 5 a4 a5 | 6 a6
count-never-evicts ; NOW                   ; 1 a | 2 a b c d | 5 a b c d e
count-never-evicts ; NOW, the last: CC     ; 1 a | 2 a b | 2 a b c | 2 a b c d | 5 a b c d e
now-sticks         ; NOW: periodic         ; \
1 a | 2 b c d | 3 b c d | 4 b c d | 5 e | 6 e | 7 e
now-one            ; NOW                   ; 1 a | 2 d | 5 e
past-ignored       ; in the past           ; 5 a b | 6 b c | 7 b c | 8 c | 9 c | 10 c
unbounded-emptied  ; UNBOUNDED: bag        ; 1 1,1 | 2 1,1 | 4 2,2
shared-kind        ; time and count        ; 3 au av | 5 au av bu bv | 6 av aw bv bw
"""
"""What `reference` with a mutant answers to an example: that of the table, or of a row below it."""


def mutated() -> Iterator[tuple[str, str, str]]:
    for line in MUTANTS.strip().splitlines():
        name, example, expected = map(str.strip, line.split(";"))
        yield name, example, expected


@pytest.mark.parametrize(("name", "example", "expected"), [*mutated()])
def test_what_each_mutant_makes_of_an_example(name: str, example: str, expected: str) -> None:
    (own,) = (one for one in examples() if one.name == example)
    (start,) = Expectation(own.case, own.dials).queries()
    answers = reference_answers(own.case, own.dials, start, mutants=(name,))
    assert told(answers) == expected != own.expected


def test_every_mutant_of_windows_by_count_has_an_example() -> None:
    known = {one.name for one in vars(counts).values() if isinstance(one, Mutant)}
    assert {name for name, _, _ in mutated()} == known
