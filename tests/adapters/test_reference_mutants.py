"""Every mutant shows: a small case on which the engine is right without it, wrong with it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rsp_conformance.adapters.reference.mutants import MUTANTS, RARE_MUTANTS, mutant_named
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.usage import case_features
from rsp_conformance.spec.correctness import judge
from tests.builders.reference import engine, message, run
from tests.builders.terms import EX
from tools.curation.mutant_examples import EXAMPLES, ONE, XYZ, Example


def test_every_mutant_has_an_example() -> None:
    assert set(EXAMPLES) == {*MUTANTS, *RARE_MUTANTS}
    assert len(MUTANTS) >= 150


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_mutant_makes_a_right_answer_wrong(name: str) -> None:
    """In a case that uses the features which the mutant needs."""
    case, mutant = EXAMPLES[name].case(), mutant_named(name)
    dials = Dials().with_dials(mutant.dials)
    assert mutant.may_show(case_features(case)) and mutant.features <= set(FEATURES)
    assert mutant.summary and mutant.imitates
    assert len(case.elements) <= 4 or name == "buffer-of-64"
    assert judge(case, dials, run(case, dials)).correct
    pacing = "settled" if EXAMPLES[name].settled else "burst"
    answers = [
        run(case, dials, pacing, fault=name) for _ in range(40 if name == "nondeterministic" else 1)
    ]
    verdicts = [judge(case, dials, answer) for answer in answers]
    assert not all(verdict.correct for verdict in verdicts)
    assert (len(set(map(str, answers))) > 1) is (name == "nondeterministic")


def test_two_engines_with_one_mutant_share_no_state() -> None:
    case, dials = EXAMPLES["distinct-forever"].case(), Dials()
    mutated = engine(dials, fault="distinct-forever")
    assert mutated.run(message(case, dials)) == mutated.run(message(case, dials))


def test_an_engine_has_several_mutants_at_once() -> None:
    case, dials = EXAMPLES["bounds-start"].case(), Dials()
    at_once = engine(dials, fault="late-by-slide,bounds-start")
    stamped = {answer.t: answer.content for answer in run(case, dials, fault="bounds-start")}
    answers = run(case, dials, fault="late-by-slide,bounds-start")
    assert [mutant.name for mutant in at_once.options.mutants] == ["late-by-slide", "bounds-start"]
    assert [(a.t, a.content) for a in answers] == [(t + 2, c) for t, c in stamped.items()]
    case = EXAMPLES["bounds-start"].case()
    both = run(case, Dials(), fault="bounds-start,bounds-end")
    assert both == run(case, Dials().with_dials({"bounds": "[o,c)"}))


def test_an_element_cleans_what_it_enters_and_joins_what_has_expired() -> None:
    query = "SELECT ?y ?z FROM NAMED WINDOW :w ON STREAM :s [RANGE 2] "
    where = "WHERE { WINDOW :w { ?x :p ?y . ?x :q ?z } }"
    elements = ("s 1: a p b", "s 5: a q c", "s 6: a p d", "s 9: a q e", "s 15: a p f; a q g")
    case = Example(f"REGISTER ISTREAM :o AS {query}{where}", elements, until=16).case()
    dials = bundled_profile("cqels-1").base
    joined: dict[object, list[str]] = {}
    for answer in run(case, dials, fault="stale-join"):
        assert isinstance(answer.content, Rows)
        values = [f"{row['y']} {row['z']}" for row in answer.content.solutions()]
        joined.setdefault(answer.cause, []).extend(
            v.replace(f"<{EX}", "").replace(">", "") for v in values
        )
    assert {cause: sorted(rows) for cause, rows in joined.items()} == {
        1: ["b c"],
        2: ["d c"],
        3: ["d e"],
        4: ["f e", "f g"],
    }
    assert {answer.cause for answer in run(case, dials)} == {2, 4}


def test_a_name_of_select_stays_a_variable_in_an_exists_of_having() -> None:
    """Where no expression can stand the query could not be written any more."""
    query = (
        "SELECT ?a (COUNT(?b) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2] "
        "WHERE { WINDOW :w { ?a :p ?b } } GROUP BY ?a "
        "HAVING (?n > 0 && EXISTS { WINDOW :w { ?a :p ?n } })"
    )
    case = Example(query, ("s 1: a p b", "s 3: a p b")).case()
    assert run(case, Dials(), fault="having-alias") is not None


STAR, STRING = EXAMPLES["star-shows-triples-alone"], EXAMPLES["strings-escaped-twice"]
PLAIN = Example(XYZ, ('s 3: a p "b"', "s 5: b p c"))  # It has none of the features they need.
BESIDE = {
    **{name: PLAIN for name, mutant in MUTANTS.items() if mutant.features},
    "star-shows-triples-alone": replace(STAR, query=STAR.query.replace("SELECT *", "SELECT ?v")),
    "strings-escaped-twice": replace(STRING, elements=(f"s 3: a p {ONE}",)),
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_mutant_is_right_beside_what_it_is_about(name: str) -> None:
    case = BESIDE[name].case()
    assert judge(case, Dials(), run(case, Dials(), fault=name)).correct


# --- Mutants of reporting against the window operator of an engine that has them ------------------

Arrivals = list[tuple[int, str]]
Fired = list[tuple[int, set[str]]]

KOLIBRIE = Dials().with_dials(
    {
        "bounds": "[o,c)",
        "t0": "first-aligned-close",
        "report": "WC",
        "empty_answers": "no",
        "answer_time": "arrival",
        "trigger": ">=",
        "clock": "own",
    }
)


def fired_by_kolibrie(width: int, slide: int, arrivals: Arrivals) -> Fired:
    """What Kolibrie's CSPARQLWindow hands out, and at which arrival: the newest window it has.

    An arrival opens the windows that it falls into, and the next one to close. One of those that
    are closed by then fires, empty or not, and all that the arrival does not fall into are dropped.
    """
    windows: dict[tuple[int, int], set[str]] = {}
    fired: Fired = []
    last = 0
    for t, name in arrivals:
        first = -(-t // slide) * slide - width
        for opens in range(first, t + 1, slide):
            windows.setdefault((opens, opens + width), set())
        closed = [window for window in windows if window[1] <= t]
        if closed and t > last:
            last = t
            if content := windows[max(closed)]:
                fired.append((t, content))
        windows = {
            (opens, closes): content | {name}
            for (opens, closes), content in windows.items()
            if opens <= t < closes
        }
    return fired


def fired_by_reference(width: int, slide: int, arrivals: Arrivals, fault: str) -> Fired:
    """The same by `reference` with mutants, up to the last arrival."""
    query = (
        f"SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE {width} STEP {slide}] "
        "WHERE { WINDOW :w { ?x :p ?y } }"
    )
    elements = tuple(f"s {t}: {name} p b" for t, name in arrivals)
    case = Example(query, elements, until=arrivals[-1][0]).case()
    found: Fired = []
    for answer in run(case, KOLIBRIE, fault=fault, advances="elements"):
        assert isinstance(answer.content, Rows) and isinstance(answer.t, int)
        rows = [row["x"] for row in answer.content.solutions()]
        names = {row.value.removeprefix(EX) for row in rows if isinstance(row, IRI)}
        if answer.t <= arrivals[-1][0]:
            found.append((answer.t, names))
    return found


def test_of_windows_closed_by_an_arrival_at_the_last_close_the_newest_alone_is_answered() -> None:
    arrivals = [(1, "a"), (4, "b")]
    assert fired_by_reference(3, 1, arrivals, "none") == [(4, {"a"})] * 3
    assert fired_by_reference(3, 1, arrivals, "newest-only") == [(4, {"a"})]


@pytest.mark.parametrize("part", range(2))
def test_two_mutants_are_kolibries_windows(part: int) -> None:
    random = Random(part)
    for _ in range(25):
        width, slide = random.randint(1, 6), random.randint(1, 6)
        instants = sorted(random.randint(1, 20) for _ in range(random.randint(1, 6)))
        arrivals = [(t, f"x{number}") for number, t in enumerate(instants)]
        fired = fired_by_kolibrie(width, slide, arrivals)
        seen = fired_by_reference(width, slide, arrivals, "newest-only,opened-by-arrivals")
        assert seen == fired, (width, slide, arrivals)
