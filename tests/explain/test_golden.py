"""The texts of failures: every kind against a text that a person has read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

import rsp_conformance as rsp
from rsp_conformance.explain.evidence.argued import argued
from rsp_conformance.explain.render.argument import because, stated
from rsp_conformance.explain.render.failure import IN_ANSWERS
from rsp_conformance.explain.render.headline import headline
from rsp_conformance.explain.render.layout import glued, unglued
from rsp_conformance.explain.render.notation import SituationNotation
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.judge.crash_file import read
from rsp_conformance.judge.recorded import finding_in
from rsp_conformance.model.finding import Contradiction, FollowUpCase, RelationViolation
from rsp_conformance.model.trial import Stimulus, Variant
from tests.builders.command_line import python
from tests.explain.findings import FINDINGS, GOLDEN, by_dial, text_of

ROOT = Path(__file__).parents[2]
NAMES = sorted(FINDINGS)
LONG = ("big", "stale-join", "long-silence", "crashed")
"""Those of whose texts lines are left out."""


@pytest.mark.parametrize("name", NAMES)
def test_text_is_the_one_that_was_read_and_fits(name: str) -> None:
    """Its headline is one short line without a stop."""
    text = text_of(name)
    assert text == (GOLDEN / f"{name}.txt").read_text("utf-8"), (
        "after a change of wording run `python -m tests.explain.findings` and read the difference"
    )
    fits(text.removesuffix("\n").split("\n"), width=80, most=60)
    finding = FINDINGS[name]()
    assert text.startswith(f"{headline(finding, 80)}\n{finding.kind} · ")
    for width in (60, 40):
        said = headline(finding, width)
        assert 0 < cell_len(said) <= width and said.isprintable() and said[-1] != "."


def fits(lines: list[str], width: int, most: int) -> None:
    """LINES are of this WIDTH, at MOST so many, and what a terminal shows of them is them."""
    assert len(lines) <= most
    assert max(map(cell_len, lines)) <= width
    assert all(line.isprintable() and line == line.rstrip() for line in lines)


def test_no_text_is_left_over_and_all_are_the_same_in_every_process() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == NAMES
    script = (
        "from tests.explain.findings import FINDINGS, text_of\n"
        "print('\\f'.join(text_of(name) for name in sorted(FINDINGS)), end='')"
    )
    run = python("-c", script, env={"PYTHONHASHSEED": "1", "PYTHONIOENCODING": "utf-8"})
    expected = "\f".join((GOLDEN / f"{name}.txt").read_text("utf-8") for name in NAMES)
    assert run.well == expected


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize(("width", "most"), [(80, 20), (60, 60), (120, 60)])
def test_a_long_text_fits_any_terminal(name: str, width: int, most: int) -> None:
    text = failure_report(
        FINDINGS[name](),
        width=width,
        max_lines=most,
        more="a footer\nof two lines",
        by_dial=by_dial,
    )
    lines = text.split("\n")
    fits(lines, width, most)
    assert lines[-2:] == ["a footer", "of two lines"]


def test_the_pacing_and_the_query_stand_in_the_head() -> None:
    finding = replace(FINDINGS["missing"](), pacing="settled", property_name="settled")
    assert " · property settled · pacing settled " in " ".join(failure_report(finding).split())
    finding = FINDINGS["opening-end"]()
    assert "SELECT ?who" in failure_report(replace(finding, query_text=""))
    assert "select * where own" in failure_report(replace(finding, query_text="select * where own"))


TWO = ((3, ":bob :isNear :a"), (3, ":carl :isNear :a"))
NEXT = ((5, ":dora :isNear :a"),)


@pytest.mark.parametrize(
    ("elements", "answers", "said"),
    [
        (TWO + NEXT, {}, "No answer: {?who=:bob} and 1 more expected at t=4"),
        (NEXT, {10: "bob"}, "No answer counts: {?who=:dora} expected at t=6"),
        (TWO + NEXT, {6: "dora"}, "Missing at t=4: {?who=:bob}, {?who=:carl}"),
        (TWO[:1] + NEXT, {6: "dora"}, "Missing at t=4: {?who=:bob}"),
        (TWO, {5: "bob carl"}, "{?who=:bob} and 1 more expected at t=4, received at t=5"),
        (TWO[:1], {5: "bob"}, "{?who=:bob} expected at t=4, received at t=5"),
        (NEXT, {4: "bob carl", 6: "dora"}, "Unexpected at t=4: {?who=:bob}, {?who=:carl}"),
        (NEXT, {4: "bob", 6: "dora"}, "Unexpected at t=4: {?who=:bob}"),
    ],
)
def test_a_headline_knows_one_row_from_several(
    elements: Any, answers: dict[int, str], said: str
) -> None:
    query = """PREFIX : <http://ex.org/>
        SELECT ?who FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 2]
        WHERE { WINDOW :w { ?who :isNear :a } }"""
    profile = rsp.profile("rsp-ql", t0=0, empty_answers="no")
    case = rsp.case(query, {":s": list(elements)}, profile, until=8)
    given = [
        {
            "t": t,
            "solutions": [
                {"who": {"type": "uri", "value": f"http://ex.org/{name}"}} for name in names.split()
            ],
        }
        for t, names in answers.items()
    ]
    assert headline(case.judge(given).finding) == said


def test_long_terms_and_odd_characters_keep_their_place() -> None:
    finding = FINDINGS["opening-end"]()
    text = failure_report(
        replace(
            finding,
            engine="engine\x1b[31m" + "e" * 200,
            query_text="SELECT\t*\x07 { " + "?variable " * 40 + "}",
        )
    )
    assert all(cell_len(line) <= 80 and line.isprintable() for line in text.split("\n"))
    assert "\\x1b[31m" in text


@pytest.mark.parametrize("name", ["opening-end", "rejected", "unstable", "crashed"])
def test_what_the_driver_wrote_stands_in_every_report(name: str) -> None:
    finding = replace(FINDINGS[name](), stderr=tuple(f"line {n}\x1b[2J" for n in range(40)))
    text = failure_report(finding, by_dial=by_dial, max_lines=200)
    assert "The driver's last lines on standard error\n  line 32\\x1b[2J\n" in text
    assert "line 31" not in text
    assert "standard error" not in failure_report(replace(finding, stderr=()), max_lines=200)


def test_what_a_driver_wrote_at_its_start_is_shown_of_a_lost_engine_alone() -> None:
    stderr = ("(at its start) banner", "own words")
    lost, wrong = (replace(FINDINGS[name](), stderr=stderr) for name in ("crashed", "missing"))
    assert "banner" in failure_report(lost) and "own words" in failure_report(lost)
    assert "banner" not in failure_report(wrong) and "own words" in failure_report(wrong)
    assert "standard error" not in failure_report(replace(wrong, stderr=stderr[:1]))


@pytest.mark.parametrize("name", ["closing-end", "slide-late", "silent"])
def test_a_long_text_does_without_far_windows_and_answers(name: str) -> None:
    finding = FINDINGS[name]()
    whole = failure_report(finding).split("\n")
    found = failure_report(finding, enough=28).split("\n")
    assert 28 <= len(found) < len(whole)
    assert failure_report(finding, enough=len(whole)).split("\n") == whole
    (why,) = (n for n, line in enumerate(found) if line.startswith("Why  "))
    assert found[why:] == whole[-len(found[why:]) :]
    marked = [line for line in whole if "first difference" in line or "<- evaluated" in line]
    assert [line.split() for line in marked] == [
        line.split() for line in found if "first difference" in line or "<- evaluated" in line
    ]


def test_the_first_difference_is_marked_where_answers_were_judged_as_one() -> None:
    crash = read(ROOT / "tools" / "engines" / "crashes" / "csparql2-first-close-only.json")
    said = failure_report(finding_in(crash))
    assert said.count("<- first difference") == 1
    assert "At t=6 the engine answers {?x=:a}, and" in said, "no answer of these is listed"


@pytest.mark.parametrize("name", [n for n in NAMES if FINDINGS[n]().verdict is not None])
def test_every_text_of_an_argument_says_the_same(name: str) -> None:
    """The paragraph, the report, and one that leaves lines out, though none that explain.

    The report has neither what its answers show nor, if there is one start, that there is no other.
    """
    finding = FINDINGS[name]()
    assert finding.verdict is not None
    of = (finding.case, finding.dials, finding.observed, finding.verdict)
    text = because(*of, by_dial)
    assert text.isprintable() and text.endswith(".") and "  " not in text
    whole = failure_report(finding, by_dial=by_dial, max_lines=1000).split("\n")
    lines = " ".join(line.strip() for line in whole)
    argument = argued(*of, by_dial)
    notation = SituationNotation(argument.situation)
    shown = [unglued(stated(f, notation)) for f in argument.facts if f.kind in IN_ANSWERS]
    for sentence in text.split(". "):
        if sentence.startswith("No other window start"):
            assert ", the only " in lines
        elif sentence.removesuffix(".") not in lines:
            assert any(sentence.removesuffix(".") in own for own in shown)
            assert "<- first difference" in lines
    short = failure_report(finding, by_dial=by_dial, max_lines=45).split("\n")
    (first,) = (line for line in whole if line.startswith("Why  "))
    assert short[short.index(first) + 1] == whole[whole.index(first) + 1]
    assert short[-1] == whole[-1] or whole[-1] in short


def test_what_two_answers_are_said_to_contradict_has_plain_blanks() -> None:
    """Rows are kept together on a line by no-break spaces, which no headline shows."""
    finding = FINDINGS["opening-end"]()
    says = f"At t=2 the query answers {glued('{?x=:a, ?y=:a}')}, and then not."
    asked = FollowUpCase(Variant("as it is", Stimulus(finding.case)), "")
    violation = RelationViolation("Both are the same.", "", (asked,), Contradiction(2, says))
    found = replace(finding, verdict=None, violation=violation)
    assert headline(found) == "At t=2 the query answers {?x=:a, ?y=:a}, and then not"
    text = failure_report(found)
    assert "\\x" not in text and "{?x=:a, ?y=:a}" in text.split("\n")[0]


def test_a_short_text_says_where_the_rest_is() -> None:
    """And a whole one has the query with its prefixes, to be pasted."""
    text = failure_report(FINDINGS["big"](), max_lines=60, by_dial=by_dial)
    assert "  PREFIX : <http://ex.org/>\n" not in text
    whole = failure_report(FINDINGS["big"](), max_lines=60, by_dial=by_dial, whole=True)
    assert "  PREFIX : <http://ex.org/>\n" in whole
    for said in (" more lines, which replay shows\n", " more triples in the crash file\n"):
        assert said in text
