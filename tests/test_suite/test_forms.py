"""Each engine meets a case of the suite in a form that it takes, and most cases are for it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.model.features import with_implied
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.test_suite.forms import as_written_under
from rsp_conformance.text.parse import parse_query
from tests.adapters.checkout.declared import features_of
from tests.test_suite.conftest import packaged

FEW = 5
"""So few cases say nothing: CQELS 2 can be asked three with `range-joins`."""

LEAST = {"kolibrie": 0.79}
"""The share under a profile for which it is below 0.8: nothing is due in any of the others."""


def declared() -> Iterator[tuple[str, str, frozenset[str]]]:
    """What engines declare, those in Java under each of their options: a profile and features."""
    for name in ("kolibrie", "roxi", "rsp_js", "rsp_rs"):
        yield name, name.replace("_", "-"), with_implied(features_of(name))
    for name in ("cqels", "cqels1", "csparql", "csparql2", "yasper"):
        engine = JvmEngine.of(f"rsp_conformance.adapters.{name}.register")
        for values in product(*engine.choices.values()):
            hello = engine.hello_of("1", dict(zip(engine.choices, values, strict=True)))
            if hello["profile"] in profile_names():
                yield " ".join((name, *values)), hello["profile"], with_implied(hello["features"])


DECLARED = [*declared()]


@pytest.mark.parametrize(
    ("profile", "features"), [own[1:] for own in DECLARED], ids=[own[0] for own in DECLARED]
)
def test_most_cases_that_an_engine_can_be_asked_are_for_it(
    profile: str, features: frozenset[str]
) -> None:
    """Of the others most tell nothing under its profile: no answer is due."""
    dials = bundled_profile(profile).dials
    able = [
        entry for entry in packaged().tests if not all(own.lacks(features) for own in entry.cases)
    ]
    met = [entry.under(lambda case: dials(case.query), features) for entry in able]
    assert not any(own.lacks(features) for own in met)
    ours = [own for own in met if not own.unmet(dials(own.case.query))]
    assert len(ours) >= LEAST.get(profile, 0.8) * len(able) or len(able) <= FEW


def test_an_engine_that_only_streams_what_is_new_and_knows_no_slide_is_asked_so() -> None:
    text = (
        "PREFIX : <http://ex.org/> SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE PT4S STEP "
        "PT2S] FROM NAMED WINDOW :v ON STREAM :s [ELEMENTS 3] WHERE { WINDOW :w { ?x :p ?y } }"
    )
    query = parse_query(text).in_instants(1000)
    own = as_written_under(query, bundled_profile("cqels-1").base)
    assert own.operator is StreamOperator.ISTREAM
    assert [window.slide for window in own.windows] == [1, None]
    assert own.windows[1] == query.windows[1]
    assert as_written_under(own, bundled_profile("cqels-1").base) == own
    for profile in ("rsp-ql", "c-sparql", "rsp-js", "yasper", "cqels-2"):
        assert as_written_under(query, bundled_profile(profile).base).windows == query.windows


def test_a_form_that_an_engine_takes_comes_before_one_that_it_does_not() -> None:
    entry = next(
        own for own in packaged().tests if len({case.case.query.operator for case in own.cases}) > 1
    )
    plain, streamed = (
        next(own for own in entry.cases if (own.case.query.operator is None) is is_plain)
        for is_plain in (True, False)
    )
    only_streams = frozenset({*streamed.features, "without-plain-queries"})
    assert plain.lacks(only_streams) == "the engine declares without-plain-queries"
    for features, own in ((None, plain), (plain.features, plain), (only_streams, streamed)):
        found = entry.under(lambda _, own=own: own.dials, features)  # type: ignore[misc]
        assert (found.case.query.operator is None) is (own is plain)
        assert not found.unmet(own.dials)
