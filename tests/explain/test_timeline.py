"""The timeline and its axis."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from rsp_conformance.explain.document import TimelineBlock
from rsp_conformance.explain.render import svg
from rsp_conformance.explain.render.html import written
from rsp_conformance.explain.render.layout import glued
from rsp_conformance.explain.render.svg import timeline_svg
from rsp_conformance.explain.render.timeline import axis, timeline
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.dials import Dials
from rsp_conformance.spec.trace import Expectation, answer
from tests.builders.findings import case_of, given, stream
from tests.explain.findings import FINDINGS, NEARBY, WHO


def test_an_axis_shows_every_instant_where_there_is_room_and_leaves_out_what_is_far() -> None:
    drawn = axis({2, 5}, 4, 40)
    assert drawn.cells == (2, 3, 4, 5)
    assert drawn.header() == "  2  3  4  5"
    assert drawn.marks([(3, "*"), (9, "!")]) == "     *      "
    assert drawn.span(2, 4, "(]") == "  (-----]   "
    drawn = axis({1, 2, 4, 90, 91}, 90, 30)
    assert drawn.cells == (1, 2, 3, 4, None, 90, 91)
    assert ".." in drawn.header()
    assert drawn.cells.count(None) == 1
    drawn = axis(range(0, 1000, 3), 600, 40)
    assert 600 in drawn.cells
    assert drawn.width <= 40
    assert drawn.earlier > 0
    assert drawn.later > 0
    shown = [t for t in drawn.cells if t is not None]
    assert drawn.span(shown[0] - 5, shown[-1] + 5, "[)") == "<" + "-" * (drawn.width - 2) + ">"
    assert not drawn.span(0, 3, "[)").strip()


def test_milliseconds_since_1970_are_counted_from_the_first_instant() -> None:
    begin = 1_700_000_000_000
    elements = stream("nearby", ("carl near a", begin + 1), ("eve near a", begin + 4))
    case = replace(case_of(WHO, elements, until=begin + 6), registered=begin)
    dials = Dials(t0=begin)
    drawn = timeline(case, dials, (begin,), (), 80).split("\n")
    assert drawn == [
        f"from {begin}:",
        "time        +0 +1 +2 +3 +4 +5",
        ":nearby         o        o",
        ":w (+0,+3]   (--------] <- evaluated at +3",
        ":w (+2,+5]         (--------]",
        "expected              *     *",
        "received",
        "                      ^ first difference",
    ]
    picture = timeline_svg(Situation(Expectation(case, dials), (begin,), ()))
    assert f"from {begin}:" in picture and ">+3</text>" in picture


def test_instants_are_written_in_full_if_they_are_short_or_far_apart() -> None:
    who = WHO.replace("RANGE 3 STEP 2", "RANGE 500000 STEP 500000")
    for first, last in ((0, 9), (999_000, 999_900), (1_000_000, 3_000_000)):
        elements = stream("nearby", ("carl near a", first), ("eve near a", last))
        case = replace(case_of(who, elements, until=last), registered=first)
        drawn = timeline(case, Dials(t0=first), (first,), (), 80)
        assert "+" not in drawn and "from" not in drawn


def test_a_page_has_one_timeline_for_the_picture_and_its_legend(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = case_of(WHO, NEARBY, until=9)
    situation = Situation(Expectation(case, Dials(t0=0)), (0,), ())
    made = []

    def timeline_of(*arguments: object, **few: bool) -> svg.Timeline:
        made.append(original(*arguments, **few))  # type: ignore[arg-type]
        return made[-1]

    original = svg.timeline_of
    monkeypatch.setattr(svg, "timeline_of", timeline_of)
    page = str(written([TimelineBlock(situation)]))
    assert len(made) == 1
    legend = glued("● element")
    assert page.count(legend) == page.split("</svg>")[1].count(legend) == 1
    assert timeline_svg(situation).count("● element") == 1


@pytest.mark.parametrize("name", sorted(FINDINGS))
def test_timeline_keeps_to_its_width(name: str) -> None:
    finding = FINDINGS[name]()
    starts = finding.verdict.t0 if finding.verdict else (0,)
    for width in (40, 60, 132):
        text = timeline(finding.case, finding.dials, starts, finding.observed, width)
        assert all(cell_len(line) <= width for line in text.split("\n"))


def test_elements_windows_and_answers_stand_under_their_instants() -> None:
    case = case_of(WHO, NEARBY, until=9)
    observed = [Observed(e.t, e.content) for e in answer(case, Dials(), (0,))]
    lines = timeline(case, Dials(), (0,), observed, 80).split("\n")
    header = lines[0]
    column = {int(t): header.index(t.rjust(3)) + 2 for t in header.split()[1:]}

    def marked(name: str) -> dict[int, str]:
        line = next(line for line in lines if line.startswith(name)).ljust(len(header))
        return {t: line[c] for t, c in column.items() if line[c] not in " -"}

    assert marked(":nearby") == {2: "2", 5: "o", 7: "o", 12: "o"}
    assert marked(":w (2,5]") == {2: "(", 5: "]"}
    assert marked("expected") == {3: "*", 5: "*", 7: "*", 9: "*"}
    assert marked("received") == marked("expected")
    assert not any("difference" in line or "^" in line for line in lines)


def test_only_windows_around_the_place_are_drawn_and_none_without_elements() -> None:
    case = case_of(WHO, NEARBY, until=60)
    observed = [Observed(e.t, e.content) for e in answer(case, Dials(), (0,))]
    observed[10] = given(observed[10].t, "who=zoe")
    lines = timeline(case, Dials(), (0,), observed, 80).split("\n")
    windows = [line for line in lines if line.startswith(":w ")]
    assert len(windows) == 5
    assert any("<- evaluated at 23" in line for line in windows)
    assert "more windows not drawn" in lines[-1]
    case = case_of(WHO, until=5)
    dials = Dials(t0="first-element")
    text = timeline(case, dials, (None,), [given(3)], 80)
    assert "first difference" in text
    assert ":w" not in text
    assert ":nearby" in text


def test_the_last_stamp_due_and_the_element_that_the_kit_appends_are_drawn() -> None:
    case = case_of(WHO, stream("nearby", ("carl near a", 2)), until=6)
    dials = Dials(t0=0).with_dials(
        {"report": "WC & NC", "answer_time": "arrival", "advances": "elements"}
    )
    lines = timeline(case, dials, (0,), [], 80).split("\n")
    due = next(line for line in lines if line.startswith("expected"))
    assert "*" in due and "6" in lines[0].split()
    dials = Dials(t0=0).with_dials({"answer_time": "arrival", "advances": "elements"})
    lines = timeline(case, dials, (0,), [], 80).split("\n")
    nearby = next(line for line in lines if line.startswith(":nearby"))
    assert lines[0].split()[-1] == "7"
    drawn, _, said = nearby.partition(" <- ")
    assert drawn.endswith("+") and len(drawn) == len(lines[0])
    assert said == "added by the kit, to close windows"
    narrow = timeline(case, dials, (0,), [], 60).split("\n")
    assert narrow[-1] == "(+ added by the kit, to close windows)"
    clock = dials.with_dial("advances", "clock")
    assert "+" not in timeline(case, clock, (0,), [], 80)


def test_a_window_in_the_past_is_drawn_over_the_elements_that_it_holds() -> None:
    past = WHO.replace("[RANGE 3 STEP 2]", "[FROM NOW-5 TO NOW-2 STEP 2]")
    assert past != WHO
    case = case_of(past, stream("nearby", ("carl near a", 2)), until=6)
    lines = timeline(case, Dials(t0=0), (0,), [given(5)], 80).split("\n")
    nearby, window = (
        next(x for x in lines if x.startswith(name)) for name in (":nearby", ":w (0,3]")
    )
    assert window.index("(--") < nearby.index("o") < window.index("--]")
    assert window.endswith("<- evaluated at 5")
    assert "(:w is evaluated 2 later than drawn)" in lines


@pytest.mark.parametrize(
    ("written", "rows"),
    [
        ("[ELEMENTS 2]", ["#1-#2 o", "#1-#2 oo", "#2-#3 .oo"]),
        ("[TRIPLES 1]", ["#1 o", "#2 .o", "#3 ..o"]),
        ("[NOW]", ["[2,2] o", "[4,4] .o", "[5,5] ..o"]),
        ("[RANGE UNBOUNDED]", ["#1 o", "#1-#2 oo", "#1-#3 ooo"]),
    ],
)
def test_a_window_without_a_start_in_time_is_drawn_by_what_it_holds(
    written: str, rows: list[str]
) -> None:
    query = WHO.replace("[RANGE 3 STEP 2]", written)
    elements = stream("nearby", ("carl near a", 2), ("eve near a", 4), ("ann near a", 5))
    case, dials = case_of(query, elements, until=6), Dials(t0=0).with_dial("report", "CC")
    lines = timeline(case, dials, (0,), [given(4)], 80).split("\n")
    own = [line for line in lines if line.startswith(":w ")]
    nearby = next(line for line in lines if line.startswith(":nearby"))
    places = [place for place, mark in enumerate(nearby) if mark == "o"]
    for line, row in zip(own, rows, strict=True):
        name, held = row.split()
        assert line.startswith(f":w {name} ")
        marks = "".join("o" if line[p : p + 1] == "o" else "." for p in places)
        assert marks == held.ljust(len(places), ".")
    assert own[0].endswith("<- evaluated at 2")
    picture = timeline_svg(Situation(Expectation(case, dials), (0,), [given(4)]))
    assert all(picture.count(f"{row.split()[0]}<") for row in rows)
