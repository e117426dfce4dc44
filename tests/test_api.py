"""The public face: what it computes and refuses, and that it costs nothing before it is used."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest

import rsp_conformance as rsp
from rsp_conformance import api
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.errors import KitError
from rsp_conformance.results import CASE_LINES
from tests.builders.command_line import python

ROOT = Path(__file__).parent.parent
QUERY = """PREFIX : <http://ex.org/>
SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 3 STEP 2] WHERE { WINDOW :w { ?x :near :a } }"""
ELEMENTS = [(1, ":bob :near :a"), (4, ":eve :near :a")]


def case(**more: Any) -> Any:
    return rsp.case(QUERY, {":s": ELEMENTS}, **{"until": 6, **more})


def test_the_docstrings_examples() -> None:
    found = doctest.testmod(api)
    assert (found.failed, found.attempted) == (0, 5)


SINCE_1970 = 1_700_000_000_707
"""The instant of the first element, which is no multiple of a slide."""


def since_1970(registered: int | None = None) -> Any:
    query = QUERY.replace("RANGE 3 STEP 2", "RANGE 40 STEP 20")
    elements = [(SINCE_1970, ":bob :near :a"), (SINCE_1970 + 31, ":eve :near :a")]
    until = SINCE_1970 + 100
    return rsp.case(query, {":s": elements}, until=until, registered=registered)


@pytest.mark.parametrize(
    ("before", "lead", "which"),
    [
        (0, 0, "the instant of the first element"),
        (7, 7, "a window's width before the first answer"),
        (47, 47, "a window's width before the first answer"),
    ],
)
def test_a_first_window_may_begin_before_the_first_element(
    before: int, lead: int, which: str
) -> None:
    """Its engine was registered earlier, which nobody said: it is right all the same."""
    start = SINCE_1970 - before
    given = [*since_1970(registered=start).answers({":w": start})]
    found = since_1970().judge([Observed(e.t, e.content) for e in given])
    assert found.correct and found.advice == ""
    registered = SINCE_1970 - lead
    assert found.finding.case.registered == registered
    assert found.assumed == (f"No registered given: registered at {registered}, {which}",)


def test_the_first_window_of_any_width_may_give_the_first_answer() -> None:
    """The narrow one answers first, so the wide one's width leads back too far."""
    query = """PREFIX : <http://ex.org/> SELECT ?x (COUNT(*) AS ?n)
        FROM NAMED WINDOW :v ON STREAM :s [RANGE 10 STEP 5]
        FROM NAMED WINDOW :w ON STREAM :s [RANGE 60 STEP 30]
        WHERE { WINDOW :v { ?x :near ?y } WINDOW :w { ?x :near ?z } } GROUP BY ?x"""
    elements = [(SINCE_1970 + late, f":bob :near {late}") for late in (1, 32, 47)]
    given = rsp.case(query, {":s": elements}, until=SINCE_1970 + 50, registered=SINCE_1970)
    answers = given.answers({":w": SINCE_1970, ":v": SINCE_1970})
    found = rsp.case(query, {":s": elements}, until=SINCE_1970 + 50).judge(
        [Observed(e.t, e.content) for e in answers]
    )
    assert found.correct
    assert found.assumed[0].endswith("a window's width before the first answer")


def test_what_is_wrong_under_every_assumed_registration_is_told_under_the_best() -> None:
    """Its last answer is wrong: that is told, and not that all come before the registration."""
    start = SINCE_1970 - 7
    due = [*since_1970(registered=start).answers({":w": start})]
    wrong = [*(Observed(e.t, e.content) for e in due[:-1]), Observed(due[-1].t, due[0].content)]
    advice = "If it was another, say so by "
    found = since_1970().judge(wrong)
    assert found.wrong and found.finding.case.registered == start
    assert found.finding.verdict is not None and found.finding.verdict.divergence is not None
    assert found.finding.verdict.divergence.t == due[-1].t
    assert found.because().endswith(f" {advice}registered.")
    assert advice in " ".join(found.explain().split())
    assert advice in found._repr_html_()
    given = since_1970(registered=SINCE_1970).judge(wrong)
    assert given.wrong and given.assumed == () and advice not in given.because()


def test_importing_imports_nothing() -> None:
    heavy = {"pyspark", "hypothesis", "pandas", "rich", "lark"}
    code = (
        "import sys, rsp_conformance as rsp; first = sorted(sys.modules)\n"
        "assert 'run_suite' in dir(rsp)\n"
        f"rsp.case({QUERY!r}, {{':s': {ELEMENTS!r}}}).answers({{':w': 0}})\n"
        "import json; print(json.dumps([first, sorted(sys.modules)]))"
    )
    first, after = map(set, json.loads(python("-c", code, timeout=60).well))
    assert not heavy & first and "rsp_conformance.api" not in first
    assert not {"pyspark", "hypothesis", "pandas"} & after
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        rsp.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_what_is_offered_is_what_types_say() -> None:
    stub = (ROOT / "rsp_conformance" / "__init__.pyi").read_text("utf-8")
    typed = set(re.findall(r"import (\w+) as \1$", stub, re.MULTILINE)) | {"__version__"}
    assert typed == set(rsp.__all__)
    assert all(getattr(rsp, name) is not None for name in rsp.__all__)


def test_right_and_wrong_answers() -> None:
    answers = case().answers({":w": 0})
    assert [e.t for e in answers] == [3, 5] and len(answers) == 2
    right = case().judge([Observed(e.t, e.content) for e in answers])
    assert right.correct and right.to_dict()["verdict"] == "correct"
    assert case().judge(answers.to_dict()).correct
    wrong = case(profile=rsp.profile("rsp-ql", t0=0)).judge([{"t": 3, "solutions": []}])
    assert not wrong.correct
    assert wrong.to_dict()["t0"] == {":w": 0}
    assert "\nWhy  " in wrong.explain()
    assert ":bob" in wrong.explain() and "(" in wrong.timeline()


def test_notes_tell_of_streams_that_are_missing_or_idle() -> None:
    assert case().notes == ()
    assert rsp.case(QUERY, {":other": ELEMENTS}, until=6).notes == (
        "no stream for :s: it is taken to be empty",
        "no window of the query reads :other: its elements only let time pass",
    )


def test_notes_tell_of_windows_and_names_that_are_hardly_meant() -> None:
    text = """PREFIX : <http://ex.org/>
    SELECT ?x (COUNT(?y) AS ?n) (?n + 1 AS ?m) (SUM(?y) AS ?k)
    FROM NAMED WINDOW :wind ON :s [RANGE 4]
    { WINDOW :win { ?x :p ?y } WINDOW :win { ?x :q ?y } WINDOW :other { ?x :r ?y } }
    GROUP BY ?x HAVING (?m > 1 || ?n = 2) (MIN(?k) > 1)
    """
    first = "HAVING comes before SELECT names it (SPARQL 1.1, 18.2.4.2 and 18.2.4.4)"
    assert rsp.case(text, {":s": ELEMENTS}, until=6).notes == (
        "no window of the query is called :win, so WINDOW :win finds nothing; did you mean "
        "':wind'?",
        "no window of the query is called :other, so WINDOW :other finds nothing",
        f"?m is not bound in HAVING: {first}; write COUNT(?y) + 1 there",
        f"?n is not bound in HAVING: {first}; write COUNT(?y) there",
    )


def test_a_window_that_is_not_declared_is_in_the_argument_and_in_json() -> None:
    held = rsp.case(QUERY.replace("{ WINDOW :w", "{ WINDOW :ww"), {":s": ELEMENTS}, until=6)
    (line,) = held.notes
    assert line.startswith("no window of the query is called :ww")
    answers = held.answers({":w": 0})
    assert answers.to_dict()["notes"] == [line]
    right = held.judge(answers.to_dict())
    wrong = held.judge([{"t": 3, "solutions": [{"x": {"type": "uri", "value": "http://a"}}]}])
    assert right.correct and wrong.wrong
    for judgement in (right, wrong):
        assert f"N{line[1:]}" in judgement.because()
        assert judgement.to_dict()["notes"] == [line]
    assert "notes" not in case().answers({":w": 0}).to_dict()


@pytest.mark.parametrize(
    "text",
    [
        # By GROUP BY it is bound, and in ORDER BY as well; EXISTS has variables of its own.
        "SELECT ?n (COUNT(*) AS ?k) { ?x ?p ?y } GROUP BY (?y + 1 AS ?n) HAVING (?n > 1)",
        "SELECT (COUNT(*) AS ?n) { ?x ?p ?y } ORDER BY ?n",
        "SELECT (COUNT(*) AS ?n) { ?x ?p ?y } HAVING (EXISTS { ?x ?p ?n })",
        "SELECT * { ?x ?p ?y } HAVING (COUNT(?n) > 1)".replace("*", "(MAX(?y) AS ?m)", 1),
        "SELECT * { WINDOW ?w { ?x ?p ?y } GRAPH <urn:g> { ?x ?p ?y } }",
    ],
)
def test_there_is_no_note_on_what_may_be_meant(text: str) -> None:
    assert rsp.case(text, {}, until=6).notes == ()


def test_a_file_of_answers(tmp_path: Path) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(case().answers({":w": 0}).to_dict()))
    assert case().judge(path).correct
    with pytest.raises(rsp.BadInput, match=r"answers: .*none\.json"):
        case().judge(tmp_path / "none.json")


CASE = """Case under profile rsp-ql

Stream :s  (:bob :near :a, 1), (:eve :near :a, 4)
Query, registered at 0, compared until 6
  SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 3 STEP 2]
  WHERE { WINDOW :w { ?x :near :a } }
Windows
  :w on :s: (α, β, t0) = (3, 2, 0), so (0,3], (2,5], …"""


def test_a_case_shows_streams_query_and_windows_in_few_lines() -> None:
    assert str(case(profile=rsp.profile("rsp-ql", t0=0))) == CASE
    assert "(α, β, t0) = (3, 2, t0), with t0 in {0,1}" in repr(case())
    many = rsp.case(QUERY, {":s": [(t, ":bob :near :a") for t in range(300)]})
    lines = repr(many).split("\n")
    assert len(lines) <= CASE_LINES and max(map(len, lines)) <= 80
    assert "more elements" in repr(many) and "crash file" not in repr(many)
    assert ":w on :s: " in repr(many)


def test_a_notebook_shows_a_case_with_its_timeline() -> None:
    html = case(profile=rsp.profile("rsp-ql", t0=0))._repr_html_()
    assert "Stream :s" in html and "(α, β, t0) = (3, 2, 0)" in html and html.count("<svg ") == 1


def test_the_windows_of_a_case_are_written_by_their_kinds() -> None:
    windows = ("[ELEMENTS 3]", "[NOW]", "[FROM NOW-5 TO NOW-2 STEP 2]")
    said = ("the last 3 elements", "what comes at the instant", "(3, 2, 0), lag 2, so (0,3], (2,5]")
    for window, words in zip(windows, said, strict=True):
        query = QUERY.replace("[RANGE 3 STEP 2]", window)
        shown = repr(rsp.case(query, {}, rsp.profile("rsp-ql", t0=0), until=6))
        assert words in shown, window


def test_notebooks_show_html_without_markup_of_the_data() -> None:
    shown = rsp.case(
        QUERY.replace(":near", "?p"), {":s": [(1, ':b :p "<script>" . :b :q :a')]}, until=4
    ).answers({":w": 0})
    assert "<script>" not in shown._repr_html_() and "<table>" in shown._repr_html_()
    assert '<td data-label=":w">(0,3] (' in shown._repr_html_(), "a window's content"
    wrong = case().judge([{"t": 3, "boolean": True}])
    assert wrong._repr_html_().startswith("<p><strong>wrong: ")
    for drawn in (shown, wrong):
        assert "<svg " in drawn._repr_html_() and 'role="img"' in drawn._repr_html_()


def test_a_python_object_as_an_engine(tmp_path: Path) -> None:
    from rsp_conformance.adapters.reference.adapter import ReferenceEngine

    with rsp.connect(ReferenceEngine({}), profile="rsp-ql") as engine:
        assert engine.name.startswith("reference ") and "select" in engine.features
        assert engine.judge(case()).correct
        with pytest.raises(rsp.BadInput, match="nothing was compared"):
            engine.judge(case(until=0))
        heard: list[Any] = []
        found = rsp.run_suite(
            engine, properties=["windows"], examples=5, folder=tmp_path, listen=heard.append
        )
        assert tuple(heard) == found.events
        assert engine.judge(case()).correct
    assert found.passed and found.findings == ()
    json.dumps(found.to_dict())
    assert "windows" in found._repr_html_() and str(found).startswith("property   verdict")


def test_a_known_cause_that_is_gone_is_named(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text('[[known]]\nid = "istream-ignored"\nreason = "issue 12"\n')
    run = {"properties": ["istream"], "examples": 20, "folder": tmp_path, "known": known}
    assert rsp.run_suite("reference", **run).gone == ("istream-ignored",)
    with rsp.connect("reference", options={"fault": "istream-ignored"}) as engine:
        assert rsp.run_suite(engine, **run).gone == ()


def test_what_an_engine_gets_wrong_is_found(tmp_path: Path) -> None:
    with rsp.connect("reference", options={"fault": "empty-windows-skipped"}) as engine:
        found = rsp.run_suite(engine, properties=["windows"], examples=20, folder=tmp_path)
    assert not found.passed
    assert {finding.property for finding in found.findings} == {"windows"}
    assert all(Path(finding.file).exists() for finding in found.findings)
    assert found.causes and all(cause.properties == ("windows",) for cause in found.causes)
    assert found.causes[0].contradicts == 0 and f"1 {found.causes[0].id}" in str(found)
    # In a notebook each cause has the picture of its smallest case.
    assert f"<h3>1 {found.causes[0].id}</h3>" in found._repr_html_()
    assert "would make none of" in found._repr_html_()
    assert found._repr_html_().count("<svg ") == len([c for c in found.causes if c.file]) > 0


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: rsp.query("SELECT"), "line 1, column 7: expected"),
        (lambda: rsp.query(Path("none.rq")), "none.rq: "),
        (lambda: rsp.profile("rsp"), "unknown profile 'rsp'"),
        (lambda: rsp.profile("rsp-ql", bound=1), "dial: .*bound"),
        (lambda: rsp.profile("none.json"), "none.json: "),
        (lambda: rsp.case(QUERY, {":s": [(1, ":a :b")]}), "stream: t=1"),
        (lambda: rsp.case(QUERY, {":s": [(1, 2)]}), "stream: expected pairs"),
        (
            lambda: rsp.case(QUERY, {":s": [(4, ":a :b :c"), (1, ":a :b :c")]}),
            "stream: t=1 comes after t=4",
        ),
        (lambda: rsp.case(QUERY, {"s p": []}), "'s p' is no IRI"),
        (lambda: rsp.case(QUERY, {":s": "none.jsonl"}), "stream: none.jsonl"),
        (lambda: rsp.case(QUERY, {}, static="none.ttl"), "static: none.ttl"),
        (lambda: case(registered=-1), "registered: "),
        (lambda: case().answers(), "window :w has no t0"),
        (lambda: case().answers({":v": 0}), "t0 :v: the query has no such window"),
        (
            lambda: case().judge([{"t": "one", "boolean": True}]),
            r"answers: answers\[0\]\.t: expected",
        ),
        (lambda: case().judge(7), "answers: expected an object"),
        (lambda: case(until=10**9).judge([]), "more than 10,000,000 instants"),
        (lambda: rsp.connect("nobody"), "engine: unknown engine 'nobody'"),
        (lambda: rsp.run_suite("reference", properties=["window"]), "did you mean 'windows'"),
        (lambda: rsp.run_suite("reference", examples=0), "examples: expected 1 or more, found 0"),
    ],
)
def test_bad_input_is_one_line(use: Any, message: str) -> None:
    with pytest.raises(rsp.BadInput, match=message) as caught:
        use()
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, KitError)
    assert "\n" not in str(caught.value)


def test_a_judgement_is_printed_in_a_few_lines() -> None:
    wrong = case().judge([{"t": 3, "solutions": []}])
    lines = str(wrong).splitlines()
    assert lines[0].startswith(f"wrong: {wrong.finding.kind}. ") and max(map(len, lines)) <= 80
    assert " ".join(lines) == f"wrong: {wrong.finding.kind}. {wrong.because()}"
    right = case().judge(case().answers({":w": 0}).to_dict())
    assert str(right).startswith("correct. ")
