"""The result of a run on a terminal: on any width, and in few lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from rich.cells import cell_len

from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.explain.document import Prose, Span, plain, spans
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.listing import listing
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.features import MissingFeatures
from rsp_conformance.model.setting import Setting
from rsp_conformance.pages.document import CAUSES, PROPERTIES, run_document
from rsp_conformance.pages.markdown import to_markdown
from rsp_conformance.pages.summary import why_skipped
from rsp_conformance.protocol import InProcessEngine
from rsp_conformance.run.events import AS_BEFORE, NOT_SHRUNK, UNBROKEN, PropertyFinished
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.run.properties import SUITE
from rsp_conformance.run.run_report import REPORTS, RunReport, run_report
from rsp_conformance.run.selection import not_applicable
from rsp_conformance.run.tally import COUNTED
from tests.builders.engines import Flawed, right
from tests.run.test_causes import ALL, NEWEST, OTHER, STRANGE
from tests.run.test_run_report import STARTED

COUNTS = {**dict.fromkeys(COUNTED, 0), "compared": 40, "unsupported": 1, "vacuous": 1}


def report_of(
    events: Sequence[PropertyFinished] = (), causes: Sequence[Cause] = (), spec: str = ""
) -> RunReport:
    found = RunOutcome().take(events)
    found.causes = tuple(causes)
    document = run_report(found, STARTED, passed=False, spec=spec)
    return REPORTS.read(RunReport, document)


def shown(
    run: RunReport, chapter: str = PROPERTIES, width: int = 80, most: int | None = None
) -> list[str]:
    """A chapter of a run's document, as a terminal shows it."""
    found = run_document(run).chapter(chapter)
    assert found is not None
    return [plain(own) for own in listing(found.blocks, width, most)]


# --- properties -----------------------------------------------------------------------------------


def failed(name: str = "windows", note: str = "wrong rows", **counts: int) -> PropertyFinished:
    return PropertyFinished(name, "failed", note, counts={**COUNTS, **counts})


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_cause_is_seen_on_a_narrow_terminal(width: int, known: bool) -> None:
    name = "relation[a longer one of 27]"[:27]
    strange = replace(STRANGE, properties=(name,))
    head, row = shown(report_of([failed(name, known=int(known))], [strange]), width=width)
    assert max(len(head), len(row)) <= width
    assert ("vacuous" in head) is (width == 120 or (width == 80 and not known))
    ids = " (?-0a1b)" if width == 120 or (width == 80 and known) else ""
    assert row.endswith("…" if width == 60 and known else f"  unexplained{ids}")
    assert ("known" in head) is known


def test_causes_whose_names_do_not_fit_have_their_numbers() -> None:
    run = report_of([failed("gaps")], [NEWEST, OTHER, STRANGE])
    names = "1 newest-only, 2 bounds=[o,c), ?"
    assert shown(run, width=120)[1].endswith(f"  {names}")
    assert shown(run, width=80)[1].endswith("  1, 2, ?")
    # They come before columns that are rarely of interest.
    unasked = report_of([failed("gaps", unasked=7)], [NEWEST, OTHER])
    assert "unasked" in shown(unasked, width=120)[0]
    head, row = shown(unasked, width=90)
    assert "unasked" not in head and row.endswith("  1 newest-only, 2 bounds=[o,c)")


def test_a_property_without_a_cause_has_its_note() -> None:
    before = failed("t0", f"{AS_BEFORE}: unknown (7)")
    passed = PropertyFinished("join", "passed", "2 known: a", counts={**COUNTS, "known": 2})
    early = PropertyFinished("minus", "not tested", "the time was up")
    _, *rows = shown(report_of([passed, before, failed(), early]), width=100)
    # What failed comes first.
    assert [own.split()[0] for own in rows] == ["windows", "t0", "join", "minus"]
    by_name = {own.split()[0]: own for own in rows}
    assert by_name["t0"].endswith("  again: unknown (7)")
    assert by_name["windows"].endswith("  wrong rows") and "FAILED" in by_name["windows"]
    assert by_name["join"].endswith("  a")
    assert by_name["minus"] == f"{'minus':<19} not tested  the time was up"


def test_a_group_has_both_its_ids_in_the_table_and_in_the_list() -> None:
    """`replay` takes the one, a file of known causes the other."""
    first, second = (
        replace(STRANGE, id=f"?-{n * 8}", file=f"e-join-crashed-{n * 6}.json", properties=(name,))
        for n, name in (("1", "join"), ("2", "gaps"))
    )
    before = failed("join", f"{AS_BEFORE}: crashed {first.id} (7)")
    others = [replace(STRANGE, id=f"?-{n * 8}", properties=("minus",)) for n in "34"]
    run = report_of([before, failed("gaps")], [first, second, *others])
    _, *rows = shown(run, width=120)
    assert rows[0].endswith(f"  unexplained ({second.id} [222222])")
    assert rows[1].endswith(f"  again: crashed {first.id} [111111] (7)")
    _, *groups = shown(run, CAUSES, width=120, most=100)
    assert groups[0].split()[:2] == ["111111", first.id]
    assert groups[1].split()[:2] == ["222222", second.id]
    (row,) = [own for own in to_markdown(run) if own.startswith(f"| {first.id} ")]
    assert row.endswith("| 3 elements (111111) |")


def test_a_narrow_table_has_the_ids_that_replay_takes() -> None:
    """A hang, too, has a case; its group's id is shown where there is room."""
    ends = {"join": "e-join-timeout-111111.json", "gaps": "e-gaps-died-222222.json"}
    first, second = (
        replace(STRANGE, id=f"?-{n}{name}000", file=file, properties=(name,))
        for n, (name, file) in enumerate(ends.items())
    )
    before = failed("join", f"{AS_BEFORE}: timeout {first.id} (7)")
    _, *rows = shown(report_of([before, failed("gaps")], [first, second]), width=80)
    by_name = {own.split()[0]: own for own in rows}
    assert by_name["join"].endswith("  again: timeout 111111")
    assert by_name["gaps"].endswith("  unexplained (222222)")


def test_a_law_that_failed_by_crashes_alone_is_not_told_as_broken() -> None:
    law, other = "law[JComm]", "law[JAssoc]"
    group = replace(STRANGE, properties=(law, other))
    ended = [failed(law, f"crashed; {UNBROKEN}"), failed(other, "contradiction, crashed")]
    run = report_of(ended, [group])
    _, *rows = shown(run, width=140)
    by_name = {own.split()[0]: own for own in rows}
    assert by_name[law].endswith(f"  {UNBROKEN}; unexplained (?-0a1b)")
    assert by_name[other].endswith("  unexplained (?-0a1b)") and UNBROKEN not in by_name[other]
    told = [own for own in to_markdown(run) if own.startswith("| law")]
    said = "Not contradicted: the engine gave no answer."
    assert [own.split()[1] for own in told if said in own] == [law]
    # A failure that was found before, too.
    before = report_of([failed(law, f"{AS_BEFORE}: crashed (7); {UNBROKEN}")])
    assert shown(before, width=140)[1].endswith(f"  again: crashed (7); {UNBROKEN}")


def test_a_table_of_too_many_rows_tells_of_properties_together() -> None:
    """First those that passed, then those that failed for one cause or were not tested."""
    cause = replace(NEWEST, properties=("windows", "t0", "gaps"))
    ended = [
        *(failed(name) for name in cause.properties),
        *(PropertyFinished(name, "passed", counts=COUNTS) for name in ("join", "filter")),
        *(
            PropertyFinished(name, "not tested", "the time was up")
            for name in ("minus", "exists", "paths")
        ),
    ]
    together = [
        "2 properties passed: join, filter",
        "3 properties failed (1 newest-only): windows, t0, gaps",
        "3 properties not tested (the time was up): minus, exists, paths",
    ]
    run = report_of(ended, [cause])

    def told(most: int | None) -> list[str]:
        lines = shown(run, most=most)
        assert most is None or len(lines) <= most
        return [line for line in lines if " properties " in line]

    assert told(None) == told(9) == []
    assert told(8) == together[:1]
    assert told(6) == together[:2]
    assert told(4) == together


def test_properties_that_fail_for_different_causes_are_named_together_if_there_are_too_many() -> (
    None
):
    names = ("windows", "t0", "gaps", "join", "filter", "minus")
    other = replace(NEWEST, id="bounds-start", properties=names[::2])
    events = [*map(failed, names[:5]), failed("minus", f"{NOT_SHRUNK}: crashed (7)")]
    run = report_of(events, [replace(NEWEST, properties=names[:2]), other])
    assert shown(run, most=4) == [
        "6 properties failed: windows (1, 2), t0 (1), gaps (2), join (wrong rows), filter",
        f"  (2), minus ({NOT_SHRUNK}: crashed)",
    ]
    assert len(shown(run, most=7)) == 7


def test_rows_that_share_a_line_are_named_as_far_as_there_is_room() -> None:
    many = [PropertyFinished(f"property-{n}", "not tested", "the time was up") for n in range(60)]
    lines = shown(report_of(many), most=10)
    assert len(lines) == 3 and lines[0].startswith("60 properties not tested (the time was up): ")
    assert lines[-1].endswith(" more, which -v shows")
    assert len(shown(report_of(many))) == 61


def test_words_of_a_verdict_keep_their_tone() -> None:
    events = [failed(), PropertyFinished("join", "passed", counts=COUNTS)]
    chapter = run_document(report_of(events)).chapter(PROPERTIES)
    assert chapter is not None
    parts = [own for row in listing(chapter.blocks, 80) for own in spans(row)]
    tones = {own.text: own.tone for own in parts if isinstance(own, Span)}
    assert (tones["FAILED"], tones["passed"]) == ("bad", "good")


def test_what_an_engine_of_few_features_is_not_asked_is_said_in_a_few_lines() -> None:
    few = Flawed(right, {"features": ["select"]})
    subject = EngineUnderTest.meet(InProcessEngine(few))
    events = []
    for property in SUITE:
        if (reason := not_applicable(property, subject)) is not None:
            missing = reason.features if isinstance(reason, MissingFeatures) else ()
            events.append(
                PropertyFinished(property.name, "skipped", reason=str(reason), missing=missing)
            )
    said = why_skipped(events)
    assert len(events) > 50 and len(wrap(said, 78)) <= 5
    # Laws need features as other properties do.
    assert said.startswith("no feature filter (") and "does not declare" not in said
    assert said.endswith(" for other reasons")
    # Those who ask for more see each of them.
    few_lines, all_lines = (shown(report_of(events), most=most) for most in (20, None))
    assert few_lines[0].startswith(f"{len(events)} properties skipped: no feature filter (")
    assert len(few_lines) <= 5 and "Which, and why:" in all_lines
    assert all(event.property in " ".join(all_lines) for event in events)


def test_of_few_reasons_each_is_said() -> None:
    events = [PropertyFinished("a", "skipped", reason="why"), PropertyFinished("b", "skipped")]
    events[1] = PropertyFinished("b", "skipped", missing=("ask", "union"))
    assert why_skipped(events) == "no feature ask; why"
    many = [PropertyFinished(f"p{n}", "skipped", reason=f"why {n}") for n in range(3)]
    assert why_skipped(many) == "why 0 and 2 more"


def test_remarks_on_a_run_stand_in_its_document() -> None:
    """So that a page has them as well as a terminal."""
    lost = replace(failed(unasked=3, not_judged=1), lost=1, losses={"timeout": 1})
    run = report_of([lost])
    run = replace(run, known=replace(run.known, gone=("a", "b"), files={"a": "known.toml"}))
    notes = [own for own in run_document(run).blocks if isinstance(own, Prose)]
    said = " ".join(plain(own) for own in notes[0].paragraphs)
    assert "The engine, or its driver, " in said and "in windows. Fewer cases were" in said
    assert "Not asked: 3 cases of 1 property, because no time was left" in said
    assert "Not judged: 1 case, whose evaluation" in said
    assert "no longer shown: a (fixed: remove it from known.toml)." in said
    assert "no longer shown: b (fixed: remove it)." in said


# --- causes ---------------------------------------------------------------------------------------


def causes(*own: Cause, width: int = 80, most: int | None = None, spec: str = "") -> list[str]:
    return shown(report_of(causes=own, spec=spec), CAUSES, width, most)


@pytest.mark.parametrize("width", [60, 80])
def test_causes_are_shown_by_what_all_cases_say(width: int) -> None:
    lines = causes(*ALL, width=width)
    assert all(cell_len(line) <= width for line in lines)
    text = " ".join(" ".join(lines).split())
    assert "1 newest-only 2 properties 2 elements" in text
    assert "Of several closed windows only the newest is answered." in text
    said = "Shows in 415 of 415 wrong answers and explains 412 of them; would make none of 900"
    assert f"{said} right answers wrong." in text
    said = "Explains the 1 wrong answer in which it shows; would make 2 of 900 right answers wrong."
    assert said in text
    assert "rsp-conformance replay /x/crashes/a.json" in text
    assert "None of its cases was shrunk." in text
    assert "?-0a1b 2 properties 3 elements" in text and "\x1b" not in text
    assert "No dial and no known bug explains it. Found by the properties gaps, join." in text
    driver = " ".join(causes(*ALL, spec="stdio:./my driver"))
    assert "replay /x/crashes/a.json --engine 'stdio:./my driver'" in driver


def test_few_lines_hold_what_is_needed_to_go_on() -> None:
    text = " ".join(causes(*ALL, most=100))
    assert "explains 412 of them" in text and "replay /x/crashes/a.json" in text
    assert "Found by" not in text and "tells it apart" not in text


def test_of_many_causes_a_short_list_has_no_evidence() -> None:
    many = [*ALL, *(replace(OTHER, id=f"literals={n}") for n in range(2))]
    few, whole = (" ".join(causes(*many, most=most)) for most in (100, None))
    assert "only the newest is answered." in few and "explains 412 of them" not in few
    assert "explains 412 of them" in whole


def test_a_command_stands_beside_the_name_of_its_cause_if_lines_are_few_and_it_fits() -> None:
    cause = replace(NEWEST, file=".rsp/crashes/e-windows-wrong-rows-049c29.json")
    head, said, *rest = causes(cause, most=100)
    assert head == "1 newest-only   2 properties   rsp-conformance replay 049c29"
    assert said.strip().startswith("Of several closed windows") and len(rest) == 2
    assert causes(cause, width=50, most=100)[-1].strip() == "rsp-conformance replay 049c29"
    assert "2 elements" in causes(cause)[0]


def test_of_a_long_run_it_is_said_once_how_many_answers_were_asked() -> None:
    sampled = [replace(own, asked=300, wrong=4_597, right=4_806) for own in (NEWEST, OTHER)]
    text = " ".join(" ".join(causes(*sampled, STRANGE)).split())
    said = "These are counts of samples. In all 4,597 answers were wrong and 4,806 right, those to"
    assert text.count(f"{said} reduced") == 1 and "sample" not in " ".join(causes(*ALL))
    assert "Shows in 415 of 600 wrong" in causes(replace(NEWEST, asked=600), width=200)[1]


def test_answers_that_do_not_count_are_told_of_if_a_failure_is_set_apart() -> None:
    apart = replace(STRANGE, set_apart=True)
    text = " ".join(" ".join(causes(NEWEST, apart)).split())
    said = f"Wrong answers that {STRANGE.id} may have spoilt are left out of the counts."
    assert text.count(said) == 1
    for other in (causes(NEWEST, STRANGE), causes(apart)):
        assert "left out" not in " ".join(other)


@pytest.mark.parametrize(("folder", "shown"), [("out/crashes/", "out/crashes/ID"), ("", "ID")])
def test_many_groups_have_a_line_each_and_one_command(folder: str, shown: str) -> None:
    groups = [
        replace(STRANGE, id=f"?-{n:04x}", file=f"{folder or '.rsp/crashes/'}e-join-{n:06x}.json")
        for n in range(40)
    ]
    head, first, *rest = causes(*groups, width=120, most=100)
    assert head.startswith("Unexplained (?): 40 groups of failures, perhaps of fewer bugs (")
    assert f"(rsp-conformance replay {shown})" in head
    assert first.split()[:3] == ["000000", "?-0000", "Crashed:"]
    assert rest[-1] == "  … 35 more groups, which -v or a page shows"
    assert len(causes(*groups)) > 40 * 3
    (head, *_) = causes(*(replace(own, file="") for own in groups), width=120, most=100)
    assert "(rsp-conformance replay ID)" in head


def test_a_cause_that_a_dial_explains_has_its_name() -> None:
    cause = Cause("newest-only", Setting.of(mutants=["newest-only"]), properties=("windows",))
    assert causes(cause)[0].startswith("1 newest-only   1 property")
