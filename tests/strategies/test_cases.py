"""Every generated case is one that the engine and its profile allow, and that text can carry."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.laws import law_named
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import with_implied
from rsp_conformance.model.layout import CHOICES
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.usage import case_features
from rsp_conformance.model.walk import within
from rsp_conformance.model.windows import by_time
from rsp_conformance.sparql.open_points import CUT
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies import FOCUSES, GENERATED, applicable, cases, law_cases
from rsp_conformance.strategies.cases import some_cases
from rsp_conformance.strategies.clock import LARGE
from rsp_conformance.strategies.queries import MOST_WINDOWS
from rsp_conformance.strategies.windows import MOST_VECTORS
from rsp_conformance.strategies.written import query_text
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query
from tests.builders.drawing import draw_many, drawn

FOCI = sorted(FOCUSES)
SLOWLY = settings(
    max_examples=60, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)


@pytest.mark.parametrize("focus", FOCI)
def test_cases_are_bounded_and_their_queries_print_and_parse_back(focus):
    crowd = max(clock.crowd for clock in LARGE)
    for case in drawn(focus)[:30]:
        text = print_query(case.query, duration="instants")
        assert parse_query(text) == case.query, text
        assert 1 <= len(case.query.windows) <= MOST_WINDOWS + 1
        windows = by_time(case.query.resolved_windows(Dials()))
        assert len(windows) <= 1 or prod(window.slide for window in windows) <= MOST_VECTORS
        assert len(case.elements) <= crowd * FOCUSES[focus].most
        assert all(element.t >= case.registered for element in case.elements)
        last = case.elements[-1].t if case.elements else case.registered
        assert last < case.until
        # A mix draws windows by time first: their lengths say when a case ends.
        if len(windows) == len(case.query.windows) or not FOCUSES[focus].others:
            longest = max([w.width + 2 * w.slide for w in windows], default=3)
            assert case.until <= last + longest + 8


@SLOWLY
@given(st.data())
def test_only_declared_features_are_used(data):
    form = data.draw(st.sampled_from(["select", "ask", "construct"]))
    names = sorted(with_implied(GENERATED))
    features = data.draw(st.frozensets(st.sampled_from(names))) | {form}
    focus = data.draw(st.sampled_from(FOCI))
    case = data.draw(cases(features, focus=focus))
    assert case_features(case) <= with_implied(features)


def test_a_feature_that_an_engine_lacks_is_not_used():
    """Of an engine that has all others: a number in HAVING is a literal with a datatype."""
    for lacking in GENERATED:
        features = {own for own in GENERATED if lacking not in with_implied({own})}
        for case in draw_many(cases(features | {"select"}), 12):
            assert case_features(case) <= with_implied(features | {"select"}), lacking


def test_every_generated_feature_is_used_at_times():
    every = (case_features(case) for focus in FOCI for case in drawn(focus))
    assert frozenset().union(*every) == with_implied(GENERATED)


def test_a_negated_set_has_members():
    """The longest match makes two brackets one token, NIL (19.8): ``!()`` is no path."""
    texts = [print_query(case.query, duration="instants") for case in drawn("paths")]
    assert any("!(" in text for text in texts)
    assert not any("!()" in text for text in texts)


def test_a_bare_engine_gets_cases():
    for case in draw_many(cases({"select"}), 100):
        assert case_features(case) == {"select"}


def test_features_are_checked():
    with pytest.raises(ValueError, match="unknown feature 'selct'; did you mean 'select'"):
        cases({"selct"})
    with pytest.raises(ValueError, match="select, ask or construct"):
        cases({"filter"})
    with pytest.raises(ValueError, match="unknown focus 'joins'"):
        cases(focus="joins")


@pytest.mark.parametrize("name", profile_names())
@pytest.mark.parametrize("focus", ["any", "r2s", "window-variable", "static", "values-literals"])
def test_profiles_are_obeyed(name, focus):
    profile = bundled_profile(name)
    for case in draw_many(cases(GENERATED, profile, focus=focus), 20):
        query, dials = case.query, profile.resolve(case_features(case))
        if query.operator is not None:
            assert query.operator.letter in dials.stream_operators
        text = print_query(query, duration="instants")
        if dials.windows_in == "default":
            assert not any(window.named for window in query.windows)
            assert "WINDOW" not in text.partition("WHERE")[2]
        assert (query.computed_every is not None) == (str(dials.report) == "COMPUTED EVERY")


def test_windows_are_named_where_the_profile_has_them_named():
    assert all(w.named for case in drawn("any") for w in case.query.windows)


@pytest.mark.parametrize(
    ("policy", "used"),
    [
        ("WC[w2] & NC[:other]", ["http://ex.org/w2", "http://ex.org/other"]),
        ("CC[w2]", ["http://ex.org/w2"]),
    ],
)
def test_windows_bear_the_names_that_the_report_policy_uses(policy, used):
    dials = Dials().with_dial("report", policy)
    most = 0
    for case in draw_many(cases(GENERATED, dials), 50):
        names = [window.name.value for window in case.query.windows]
        assert names[: len(used)] == used
        assert len(set(names)) == len(names)
        most = max(most, len(names))
    assert most > 1


def test_order_is_mostly_compared():
    """Istream, Dstream, ASK and CONSTRUCT keep none; with them it is drawn at times."""
    ordered = [case.query for focus in ("order", "any") for case in drawn(focus, 2)]
    ordered = [query for query in ordered if query.order_by]
    kept = [q for q in ordered if q.operator is None or q.operator.letter == "R"]
    kept = [q for q in kept if q.form is Form.SELECT]
    assert len(ordered) / 2 < len(kept) < len(ordered)


def test_rows_are_mostly_cut_where_that_is_settled():
    """LIMIT and OFFSET cut through no ties of unequal rows, or they cut nothing off."""
    every = [case for focus in ("order", "subqueries") for case in drawn(focus, 3)]
    parts = [(case, q) for case in every for q in within(case.query) if isinstance(q, Query)]
    cut = {case: q for case, q in parts if q.limit is not None or q.offset is not None}
    left_open = 0
    for case in cut:
        expectation = Expectation(case, Dials())
        expectation.answer(next(iter(expectation.queries())))
        left_open += CUT in str(expectation.undetermined)
    assert len(cut) > 100
    assert left_open <= len(cut) * 0.05


def test_max_elements_bounds_the_stream():
    assert all(len(c.elements) <= 3 for c in draw_many(cases(max_elements=3), 100))


@pytest.mark.parametrize("focus", FOCI)
def test_every_focus_applies_to_an_engine_with_everything(focus):
    assert applicable(focus, GENERATED, Dials()) is True


@pytest.mark.parametrize(
    ("focus", "features", "dials", "reason"),
    [
        ("optional", {"select"}, {}, "the engine does not declare the feature optional"),
        ("values-literals", {"select"}, {}, "declares none of the features language-tags"),
        ("construct", {"select"}, {}, "does not declare the feature construct"),
        ("unbounded-window", {"select", "now-window"}, {}, "the feature unbounded-window"),
        ("r2s", {"select", "rstream"}, {}, "neither ISTREAM nor DSTREAM"),
        ("r2s", {"select", "istream"}, {"stream_operators": "R"}, "neither ISTREAM nor"),
        (
            "window-variable",
            {"select", "window-variable"},
            {"windows_in": "default"},
            "merges every window",
        ),
    ],
)
def test_a_focus_that_means_nothing_says_why(focus, features, dials, reason):
    assert reason in applicable(focus, frozenset(features), Dials().with_dials(dials))


def test_some_cases_are_written_otherwise_and_say_the_same():
    every = drawn("any", 6)
    laid = [case for case in every if case.layout is not None]
    assert 0.03 * len(every) < len(laid) < 0.2 * len(every)
    for name in CHOICES:
        assert any(getattr(case.layout, name) for case in laid), name
    for case in laid:
        assert query_text(case.query, case.layout) in repr(case)


def test_an_engine_that_reads_one_way_of_writing_is_asked_in_it():
    plain = some_cases(GENERATED | {"without-layouts"}, Dials(), "any", 100, seed="layouts")
    assert all(case.layout is None for case in plain)


# --- Cases keep to the parts of features where windows and background data are read as one --------

MERGED = Dials(windows_in="default")


@pytest.mark.parametrize(
    ("focus", "left_out", "dials"),
    [
        ("named-graphs", "optional-stream", Dials()),  # GRAPH ?g has windows among its graphs
        ("exists", "exists-stream", Dials()),
        ("union", "union-static", MERGED),
        ("union", "union-stream", MERGED),
        ("optional", "optional-static", MERGED),
        ("count-windows", "count-steps", Dials()),
    ],
)
def test_a_part_that_is_left_out_is_not_drawn(focus: str, left_out: str, dials: Dials) -> None:
    features = with_implied(GENERATED) - {left_out}
    for case in draw_many(cases(features, dials, focus=focus), 75):
        assert case_features(case) <= with_implied(features)


def test_triples_of_named_elements_are_not_counted() -> None:
    """No judge evaluates that, whatever else the engine may count."""
    features = {"select", "triple-windows", "named-elements"}
    every = some_cases(features, Dials(), "count-windows", 100, seed="named")
    named = [case for case in every if any(element.name for element in case.elements)]
    assert named and len(named) < len(every)
    for case in named:
        assert "triple-windows" not in case_features(case)


def test_a_law_about_named_graphs_may_range_over_windows() -> None:
    features = with_implied(GENERATED) - {"optional-stream"}
    for case in draw_many(law_cases(law_named("BGPush"), features), 100):
        assert case_features(case.left) <= with_implied(features)
