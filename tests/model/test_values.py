"""Settings, dials, outcomes, trials and what findings hold; cases keep their hash."""

from __future__ import annotations

import copy
import pickle
from dataclasses import fields, replace
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from rsp_conformance.campaigns.unit import VERDICTS
from rsp_conformance.cli.replaying import ERROR, FAILED, FIXED, status_of
from rsp_conformance.files.earl import OUTCOMES
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, VALUES, Dials, floors, parse_dial, write_dial
from rsp_conformance.model.finding import AT_START, last_lines
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.query import Query
from rsp_conformance.model.setting import Setting
from rsp_conformance.model.trial import Stimulus, Trial, Variant, pair
from rsp_conformance.strategies.written import WrittenCase, WrittenQuery
from rsp_conformance.text.parse import parse_query


def test_equal_settings_are_equal_whatever_the_order() -> None:
    one = Setting.of({"t0": "0", "bounds": "[o,c)"}, ["b", "a"])
    other = Setting.of({"bounds": "[o,c)", "t0": "0"}, ["a", "b", "a"])
    assert one == other and one.digest == other.digest
    assert str(one) == "bounds=[o,c) + t0=0 + a + b"


def test_a_setting_is_its_parts_together() -> None:
    whole = Setting.of({"bounds": "[o,c)"}, ["a", "b"])
    assert [str(part) for part in whole.parts] == ["bounds=[o,c)", "a", "b"]
    together = Setting()
    for part in whole.parts:
        assert len(part) == 1 and len(whole.without(part)) == 2
        together |= part
    assert together == whole and len(whole) == 3


def test_of_two_values_of_a_dial_the_last_counts() -> None:
    both = Setting.of({"bounds": "[o,c)"}) | Setting.of({"bounds": "(o,c)"})
    assert both == Setting.of({"bounds": "(o,c)"})
    assert both.turned(Dials()) == Dials(bounds="(o,c)")
    assert Setting().turned(Dials()) == Dials()


def test_a_setting_that_only_compares_less_forgives() -> None:
    assert Setting.of({"t0": "any", "time_tolerance": "2"}).forgives
    assert not Setting().forgives
    assert not Setting.of({"time_tolerance": "0"}).forgives
    assert not Setting.of({"t0": "any"}, ["a"]).forgives
    assert not Setting.of({"bounds": "[o,c)"}).forgives


def test_a_dial_or_a_value_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown dial"):
        Setting.of({"bound": "[o,c)"})
    with pytest.raises(ValueError, match="bounds"):
        Setting.of({"bounds": "[o,c"})


# --- Dials are read by the types that they declare ------------------------------------------------

WORDS = {
    dial: get_args(declared)
    for dial, declared in get_type_hints(Dials).items()
    if get_origin(declared) is Literal
}


@pytest.mark.parametrize("dial", WORDS)
def test_a_dial_takes_the_words_of_its_type_and_no_other(dial: str) -> None:
    for word in WORDS[dial]:
        assert getattr(Dials().with_dial(dial, word), dial) == word
        with pytest.raises(ValueError, match=dial):
            parse_dial(dial, word + "x")
    assert getattr(Dials(), dial) in WORDS[dial]


@pytest.mark.parametrize("dial", DIALS)
def test_every_dial_reads_what_it_writes(dial: str) -> None:
    assert parse_dial(dial, Dials().text(dial)) == getattr(Dials(), dial)


def test_the_values_to_try_are_all_of_a_dial_or_those_without_a_number() -> None:
    assert {*DIALS} - {*VALUES} == {"time_tolerance", "unit"}
    for dial, values in VALUES.items():
        parsed = [parse_dial(dial, value) for value in values]
        assert len({*parsed}) == len(values) > 1
        assert getattr(Dials(), dial) in parsed
        assert [write_dial(value) for value in parsed] == [*values]
    assert WORDS.items() <= VALUES.items()


def test_floors_are_values_of_t0() -> None:
    assert [str(parse_dial("t0", value)) for value in floors([2, 5])] == [
        "first-element-floor(2)",
        "first-element-floor(5)",
        "first-element-close-floor(2)",
        "first-element-close-floor(5)",
    ]


# --- Outcomes: their two questions, and the tables that say what faces call them ------------------


def test_only_what_was_compared_accuses() -> None:
    assert {outcome for outcome in Outcome if outcome.accuses} == {Outcome.WRONG, Outcome.FAILED}
    assert {outcome for outcome in Outcome if outcome.compares} == {
        Outcome.RIGHT,
        Outcome.WRONG,
        Outcome.FAILED,
    }


def test_every_face_has_a_name_for_every_outcome() -> None:
    """And none of them says that an engine failed which no outcome accuses."""
    accusing = {outcome for outcome in Outcome if outcome.accuses}
    assert {*OUTCOMES} == {*VERDICTS} == {*Outcome}
    assert {outcome for outcome in Outcome if OUTCOMES[outcome] == "failed"} == accusing
    assert {outcome for outcome in Outcome if status_of(outcome) == FAILED} == accusing
    assert [outcome for outcome in Outcome if status_of(outcome) == FIXED] == [Outcome.RIGHT]
    assert status_of(Outcome.DISPUTED) == ERROR
    assert VERDICTS[Outcome.RIGHT] == "correct" and VERDICTS[Outcome.DISPUTED] == "disagreement"


# --- Trials: a case is one of a single variant ----------------------------------------------------

CASE = Case(Query(), until=7)
LATER = Case(Query(), until=8)


def test_a_case_is_a_trial_of_one() -> None:
    trial = Trial.of(CASE)
    assert trial.stimuli == (Stimulus(CASE),)
    assert Trial.of(trial) is trial


def test_a_repeated_case_is_a_trial_of_two_equal_stimuli() -> None:
    trial = pair(CASE, CASE, "again")
    assert trial.stimuli == (Stimulus(CASE), Stimulus(CASE))
    assert trial != Trial.of(CASE) and trial.digest != Trial.of(CASE).digest


def test_a_digest_covers_all_variants_and_how_they_are_sent() -> None:
    settled = Trial((Variant("", Stimulus(CASE, "settled")),))
    trials = [
        Trial.of(CASE),
        Trial.of(LATER),
        settled,
        pair(CASE, LATER, "later"),
        pair(LATER, CASE, "later"),
    ]
    assert len({trial.digest for trial in trials}) == len({*trials}) == len(trials)
    assert pair(CASE, LATER, "later").digest == trials[3].digest


# --- What findings hold ---------------------------------------------------------------------------


def test_what_a_run_wrote_by_itself_goes_before_what_was_written_at_the_start() -> None:
    start, own, later = (f"{AT_START}a banner",), ("at parser.js:7",), ("at parser.js:8",)
    assert last_lines((), start, own, later) == own
    assert last_lines((), start, ()) == start
    assert last_lines((), ()) == ()


# --- Cases and queries keep their hash ------------------------------------------------------------

TEXT = "PREFIX : <http://ex.org/>\nSELECT ?x WHERE { ?x :p ?y FILTER(?y > 3) }"


@pytest.fixture
def query() -> Query:
    return parse_query(TEXT)


def test_equal_values_have_equal_hashes(query: Query) -> None:
    other = parse_query("PREFIX e: <http://ex.org/> SELECT ?x WHERE { ?x e:p ?y FILTER(?y > 3) }")
    assert query == other and query.prefixes != other.prefixes
    assert hash(query) == hash(other) == hash(query)
    assert hash(Case(query)) == hash(Case(other))
    assert len({Case(query), Case(other), Case(query, until=7)}) == 2


def test_a_generated_value_has_the_hash_of_the_plain_one(query: Query) -> None:
    named = {field.name: getattr(query, field.name) for field in fields(Query)}
    written = WrittenQuery(**named)
    assert written == query and hash(written) == hash(query)
    case = WrittenCase(written, until=7)
    assert case == Case(query, until=7) and hash(case) == hash(Case(query, until=7))
    assert case != Case(query, until=8) and case != query


def test_it_is_neither_copied_nor_pickled(query: Query) -> None:
    """In another process texts have other hashes."""
    case = Case(query, until=7)
    assert hash(case) == case._hash
    for other in (replace(case), copy.copy(case), pickle.loads(pickle.dumps(case))):
        assert other == case and not hasattr(other, "_hash")
        assert hash(other) == hash(case)
