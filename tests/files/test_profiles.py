"""Engine profiles come back from JSON as they were, and a wrong one is refused with its place."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rsp_conformance as rsp
from rsp_conformance.files.fields import FieldError
from rsp_conformance.files.profiles import PROFILES, ProfileJson, bundled_profile, profile_names
from rsp_conformance.model.dials import DIALS, VALUES, Dials
from rsp_conformance.model.profiles import Override, Profile
from rsp_conformance.protocol.forms import REPLY
from tests.generators.profiles import profiles as settings

VALIDATOR = jsonschema.Draft202012Validator(PROFILES.schema(Profile))


SHAPES = ["ask", "!tumbling", "join"]


@given(settings(), settings(), st.sets(st.sampled_from(SHAPES)))
def test_a_profile_comes_back(dials: Any, turned: dict[str, str], when: set[str]) -> None:
    overrides = Override(frozenset(when), tuple(turned.items()))
    profile = Profile("mine", Dials().with_dials(dials), (overrides,))
    document = json.loads(json.dumps(PROFILES.write(Profile, profile)))
    assert PROFILES.read(Profile, document) == profile
    assert VALIDATOR.is_valid(document)


TURNED = {
    **{"c-sparql": "count_slide", "c-sparql-papers": "count_slide"},
    "cqels-2-range": "now",
}
"""Of the dials that are left out where they are not turned the one that a bundled profile turns."""


@pytest.mark.parametrize("name", profile_names())
def test_a_bundled_profile_comes_back_with_every_dial(name: str) -> None:
    document = PROFILES.write(Profile, bundled_profile(name))
    assert PROFILES.read(Profile, document) == bundled_profile(name)
    left_out = {"count_slide", "n0", "now", "ties"} - {TURNED.get(name, "")}
    assert [key for key in document if key in DIALS] == [d for d in DIALS if d not in left_out]


def test_cqels_2_has_windows_by_count_and_now_alike_under_both_profiles() -> None:
    """It gets the same text of them, whichever windows by time it is asked for."""
    future, ranges = bundled_profile("cqels-2"), bundled_profile("cqels-2-range").base
    for shapes in ({"count-windows", "triple-windows"}, {"now-window"}):
        found = future.resolve(shapes)
        assert found.now == (ranges.now if "now-window" in shapes else "instant")
        # Of these kinds neither bounds nor t0 say anything.
        assert replace(found, bounds=ranges.bounds, now=ranges.now) == ranges
    assert future.resolve({"unbounded-window"}) == future.base
    assert (future.base.text("report"), future.base.tick) == ("WC & NC", "time")


@pytest.mark.parametrize("name", ["kolibrie", "roxi"])
def test_engines_that_keep_what_is_gone_in_a_set_give_it_once(name: str) -> None:
    profile = bundled_profile(name)
    assert profile.resolve({"dstream"}).r2s == "set"
    assert profile.resolve({"istream"}).r2s == "membership"


def test_every_value_of_a_dial_is_read_in_every_form_that_files_have() -> None:
    for dial, texts in VALUES.items():
        for text in texts:
            read = PROFILES.read(Profile, {dial: text})
            assert read.base == Dials().with_dial(dial, text)
            assert VALIDATOR.is_valid({dial: text})
    forms = {"t0": [-5, 5.0, "5"], "unit": [1000], "empty_answers": [False, "no"]}
    for dial, values in {**forms, "stream_operators": [["R"], [], "R I"]}.items():
        for value in values:
            document = {"overrides": [{"when": ["ask"], "dials": {dial: value}}], dial: value}
            read = PROFILES.read(Profile, document)
            (override,) = read.overrides
            assert dict(override.dials)[dial] == read.base.text(dial)
            assert hash(read) == hash(PROFILES.read(Profile, PROFILES.write(Profile, read)))
            assert VALIDATOR.is_valid(document)


def test_a_document_is_over_its_base_and_has_a_name() -> None:
    document = {"base": "c-sparql", "tick": "time", "overrides": [{"when": ["ask"], "dials": {}}]}
    read: ProfileJson = PROFILES.read(ProfileJson, document)
    profile = read.profile("mine")
    assert profile.name == "mine" and PROFILES.read(Profile, document).name == "c-sparql"
    assert profile.base == bundled_profile("c-sparql").base.with_dial("tick", "time")
    assert profile.overrides[-1] == Override(frozenset({"ask"}), ())
    assert read.profile().name == "c-sparql" and PROFILES.read(Profile, {}).name == "own"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"base": "nix"}, "unknown profile 'nix' (the profiles are"),
        ({"base": None}, "base: expected a name of at most 200 characters, found null"),
        ({"name": "\x1b"}, "name: expected a name of at most 200 characters"),
        ({"unit": True}, "unit: expected a whole number, at least 1"),
        ({"t0": 1.5}, "t0: expected any, registration"),
        ({"stream_operators": [1]}, "stream_operators: expected some of R I D, or none"),
        ({"overrides": {}}, "overrides: expected an array, found {}"),
        ({"overrides": [{"when": []}]}, "overrides[0].dials: expected an object, found nothing"),
        ({"overrides": [{"when": [], "dials": {}, "x": 1}]}, "overrides[0]: expected one of the"),
    ],
)
def test_a_wrong_profile_is_refused_with_its_place(document: Any, said: str) -> None:
    with pytest.raises(FieldError) as caught:
        PROFILES.read(Profile, document, "profile")
    separator = "" if said.startswith("unknown") else "."
    expected = f"profile: {said}" if not separator else f"profile.{said}"
    assert str(caught.value).startswith(expected)


def test_overrides_are_read_as_drivers_and_files_write_them() -> None:
    document = {"overrides": [{"when": ["ask"], "dials": {"tick": "tuple"}, "why": "so"}]}
    assert REPLY.read(ProfileJson, document).overrides[0].dials == (("tick", "tuple"),)
    with pytest.raises(FieldError):
        PROFILES.read(ProfileJson, document)
    # It was compared as the text ``False``, which no dial takes.
    document = {"overrides": [{"when": ["ask"], "dials": {"empty_answers": False}}]}
    assert PROFILES.read(Profile, document).by_shape() == (("empty_answers", "no", "ask"),)
    assert rsp.profile("rsp-ql").by_shape() == ()
