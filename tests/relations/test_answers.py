"""What relations make of answers: right ones that look odd, and wrong ones that look right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Aggregate
from rsp_conformance.model.observation import Observation
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, BlankNode, Term, Triple
from rsp_conformance.model.trial import Stimulus, pair
from rsp_conformance.model.walk import within
from rsp_conformance.relations.data import RENAMING, looked_into, renamed
from rsp_conformance.relations.queries import OPERATORS, under_each_operator
from rsp_conformance.relations.specified import specified
from rsp_conformance.text.parse import parse_query
from tests.builders.drawing import draw_many
from tests.builders.terms import EX
from tests.generators.profiles import subject

STREAM = IRI(f"{EX}s1")
QUERY = """PREFIX : <http://ex.org/>
SELECT ?x FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 3 STEP 1] WHERE { WINDOW :w1 { ?x :p ?y } }"""


def case(*elements: tuple[Term, int], until: int) -> Case:
    """Elements of one triple about a resource each."""
    return Case(
        parse_query(QUERY),
        tuple(
            StreamElement(STREAM, t, (Triple(about, IRI(f"{EX}p"), IRI(f"{EX}b")),))  # type: ignore[arg-type]
            for about, t in elements
        ),
        until=until,
    )


def observation(
    tested: EngineUnderTest, asked: Case, *rows: Sequence[Term], t: int = 3
) -> Observation:
    """One answer, at T."""
    answers = (Observed(t, Rows(("x",), tuple(tuple(row) for row in rows))),)
    return Observation(Stimulus(asked), tested.dials(asked), "", answers)


def test_a_former_name_is_not_the_answer_under_the_new_one() -> None:
    tested, a = subject({}), IRI(f"{EX}a")
    first = case((a, 2), until=3)
    trial = pair(first, renamed(first, "é"), "renamed")
    asked = trial.variants[1].case
    given = observation(tested, first, [a])
    right = observation(tested, asked, [IRI(f"{EX}aé")])
    stale = observation(tested, asked, [a])
    assert RENAMING.contradiction(trial, [given, right]) is None
    found = RENAMING.contradiction(trial, [given, stale])
    assert found is not None and "not-renamed" in found.says


def test_blank_nodes_of_answers_are_called_anything() -> None:
    tested = subject({})
    first = case((BlankNode("b"), 2), (BlankNode("c"), 2), until=3)
    trial = pair(first, renamed(first, "1"), "renamed")
    given = observation(tested, first, [BlankNode("b")], [BlankNode("c")])
    # One label is that of another node of the case, and one a former label.
    other = observation(tested, trial.variants[1].case, [BlankNode("b1")], [BlankNode("b")])
    assert RENAMING.contradiction(trial, [given, other]) is None


@pytest.mark.parametrize(
    "aggregate, suffix, told",
    [
        ("GROUP_CONCAT(?x)", "1", True),
        ("COUNT(?x)", "zz", False),
        # ":a" is before ":a.b", and so is ":a-" before ":a.b-"; but ":a.bzz" is before ":azz".
        ("MIN(?x)", "-", False),
        ("MIN(?x)", "zz", True),
        ("MAX(?x)", "zz", True),
    ],
)
def test_what_an_aggregate_tells_of_a_name_is_not_the_same_under_another(
    aggregate: str, suffix: str, told: bool
) -> None:
    given = case((IRI(f"{EX}a"), 1), (IRI(f"{EX}a.b"), 2), until=3)
    query = parse_query(QUERY.replace("SELECT ?x", f"SELECT ({aggregate} AS ?v)"))
    assert looked_into(replace(given, query=query), suffix) is told


def test_no_drawn_trial_shows_the_text_of_a_name() -> None:
    drawn = draw_many(RENAMING.trials(subject({})), 150)
    everything = [part for trial in drawn for part in within(trial.variants[0].case.query)]
    used = {part.name for part in everything if isinstance(part, Aggregate)}
    assert "GROUP_CONCAT" not in used and used >= {"COUNT", "MIN"}


def test_an_evaluation_that_is_dropped_may_be_the_last_of_its_stamp() -> None:
    # The windows that close at 8 and 9 are evaluated at 9 and 10, both on the arrival at 9: the
    # second one, without rows, is dropped, and Dstream's answer is all that is seen of it.
    tested = subject(
        {
            **{"bounds": "(o,c)", "window": "last-closed", "t0": "5", "empty_answers": "no"},
            **{"answer_time": "arrival", "trigger": ">="},
        }
    )
    a, b = IRI(f"{EX}a"), IRI(f"{EX}b")
    plain = case((a, 6), (b, 9), (b, 10), until=15)
    trial = under_each_operator(plain, plain.query)
    own = {stimulus: tested.dials_of(stimulus) for stimulus in trial.stimuli}
    (answers,) = specified(trial, own)
    labels = [variant.label for variant in trial.variants]
    stamps = {
        label: [answer.t for answer in e.observed] for label, e in zip(labels, answers, strict=True)
    }
    assert stamps["RSTREAM"][:2] == [9, 10] and 9 in stamps["DSTREAM"]
    assert OPERATORS.contradiction(trial, answers) is None
