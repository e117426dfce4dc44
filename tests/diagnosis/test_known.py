"""Files of known causes, and which of them explain an answer."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rsp_conformance.diagnosis.evidence import Symptom
from rsp_conformance.diagnosis.fingerprint import fingerprint
from rsp_conformance.diagnosis.known import KnownCause
from rsp_conformance.diagnosis.known_file import fingerprint_of, read_known, write_known
from rsp_conformance.files.files import FileError
from rsp_conformance.judge.crash_file import read
from rsp_conformance.model.setting import Setting
from tests.builders.engines import Flawed, error, perform, run_of


def test_causes_are_tables(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text(
        '# what we know\n[[known]]\nmutants = ["newest-only"]\nreason = "issue 12"\n\n'
        '[[known]]\nmutants = ["union-dedup"]\ndials = {bounds = "[o,c)", empty_answers = true}\n'
        'reason = " two at once "\n'
    )
    newest, two = read_known(file)
    assert newest == KnownCause(Setting.of(mutants=["newest-only"]), "issue 12")
    assert (newest.id, two.reason) == ("newest-only", "two at once")
    assert two.id == "bounds=[o,c) + empty_answers=yes + union-dedup"


def test_a_file_may_know_nothing_or_not_be_there(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text("# nothing yet\n")
    assert read_known(file) == ()
    (tmp_path / "known.toml").write_text("")
    with pytest.raises(FileError, match=r"there is no such file; did you mean 'known\.toml'"):
        read_known(tmp_path / "knwon.toml")


@pytest.mark.parametrize(
    "known",
    [
        KnownCause(Setting.of(mutants=["newest-only"])),
        KnownCause(Setting.of({"bounds": "[o,c)", "empty_answers": "yes"}, ["union-dedup"])),
        KnownCause(Setting.of({"report": "CC & NC & P(2)"})),
        KnownCause(fingerprint="0123abcd"),
    ],
)
def test_a_cause_is_known_by_the_id_that_reports_give_it(tmp_path: Path, known: KnownCause) -> None:
    file = tmp_path / "known.toml"
    file.write_text(f'[[known]]\nid = "{known.id}"\nreason = "why"\n')
    (found,) = read_known(file)
    assert (found.setting, found.fingerprint) == (known.setting, known.fingerprint)


def test_crash_files_have_fingerprints_and_may_be_of_one_cause(tmp_path: Path) -> None:
    """Which files are is another thing with each version of the fingerprint."""
    file, crash = tmp_path / "known.toml", CRASHES / "yasper-in-in-filter.json"
    file.write_text(f'[[known]]\ncrash = "{crash}"\nreason = "why"\n' * 2)
    one, other = read_known(file)
    assert one.id == other.id
    crashes = [read(path) for path in sorted(CRASHES.glob("*.json"))]
    assert any(len(crash.cases) > 1 for crash in crashes)
    assert all(re.fullmatch("[0-9a-f]{8}", fingerprint_of(crash)) for crash in crashes)


CRASHES = Path(__file__).parents[2] / "tools" / "engines" / "crashes"
WHY = 'reason = "why"'
REFUSED = [
    ("[[known]", "no TOML (Expected ']]' at the end of an array declaration"),
    ("[[known]]\ndials = {t0 = 1e-9999}\n" + WHY, "no TOML (the number '1e-9999' is beyond"),
    ("known = [1]", "known[0]: expected an object, found 1"),
    (
        "[[knwon]]\n" + WHY,
        "expected one of the fields known, found \"knwon\"; did you mean 'known'?",
    ),
    ('[[known]]\nmutants = ["newest-only"]', "known[0].reason: expected a string, found nothing"),
    ('[[known]]\nmutants = ["newest-only"]\nreason = " "', "expected why the cause is known"),
    (
        "[[known]]\n" + WHY,
        "names no cause: expected an id, mutants, dials, a fingerprint or",
    ),
    ("[[known]]\nmutants = []\n" + WHY, "known[0]: names no cause"),
    (
        '[[known]]\nmutants = ["newest"]\n' + WHY,
        "unknown mutant 'newest'; did you mean 'newest-only'?",
    ),
    (
        '[[known]]\nmutants = ["zzzzzz"]\n' + WHY,
        "unknown mutant 'zzzzzz' (rsp-conformance mutants lists them)",
    ),
    ('[[known]]\nmutants = ["dies-late"]\n' + WHY, "unknown mutant 'dies-late'"),
    ('[[known]]\nmutant = ["newest-only"]\n' + WHY, "found \"mutant\"; did you mean 'mutants'?"),
    ('[[known]]\ndials = {bound = "x"}\n' + WHY, "known[0].dials: unknown dial 'bound'; did you"),
    ('[[known]]\ndials = {bounds = "x"}\n' + WHY, "known[0].dials.bounds: expected (o,c] "),
    ("[[known]]\ndials = {unit = " + "[" * 2000 + "]" * 2000 + "}\n" + WHY, "nested too deeply"),
    *(
        (
            f'[[known]]\ndials = {{{dial} = "{value}"}}\n{WHY}',
            f"known[0].dials.{dial}: says how the engine is asked, and explains no answer",
        )
        for dial, value in (
            ("unit", "10"),
            ("windows_in", "default"),
            ("answers", "rows"),
            ("advances", "clock"),
            ("stream_operators", "R"),
        )
    ),
    ('[[known]]\nfingerprint = "?-12"\n' + WHY, "expected eight hexadecimal digits, as ?-0123abcd"),
    ('[[known]]\nid = "?-12"\n' + WHY, "known[0].id: expected eight hexadecimal digits"),
    ('[[known]]\nid = "bound=x"\n' + WHY, "unknown dial 'bound'; did you mean 'bounds'?"),
    ('[[known]]\nid = "unit=10"\n' + WHY, "known[0].dials.unit: says how the engine is asked"),
    (
        '[[known]]\nid = "newest-only"\nmutants = ["newest-only"]\n' + WHY,
        "known[0]: id and mutants are two causes: write two of [[known]]",
    ),
    *(
        (
            f"[[known]]\n{one}\n{WHY}\n[[known]]\nmutants = ['union-dedup']\n{WHY}\n"
            f"[[known]]\n{other}\n{WHY}",
            f"known[0] and known[2] are one cause, {id}: leave one of them out",
        )
        for one, other, id in (
            ('mutants = ["newest-only"]', 'mutants = ["newest-only"]', "newest-only"),
            ('mutants = ["newest-only"]', 'id = "newest-only"', "newest-only"),
            ('dials = {bounds = "[o,c)"}', 'dials = {bounds = "[o,c)"}', "bounds=[o,c)"),
            ('fingerprint = "0123abcd"', 'fingerprint = "?-0123abcd"', "?-0123abcd"),
        )
    ),
    ('[[known]]\ncrash = "nothing.json"\n' + WHY, "known[0].crash: "),
    ('[[known]]\ncrash = "known.toml"\n' + WHY, "known[0].crash: "),
    (
        '[[known]]\ncrash = "x"\nmutants = ["newest-only"]\n' + WHY,
        "known[0]: mutants and crash are two causes: write two of [[known]]",
    ),
    ("[[known]]\nmutants = [1979-05-27]\n" + WHY, "known[0].mutants[0]: expected a string"),
    ('[[known]]\nmutants = ["' + "x" * 10_000 + '"]\n' + WHY, "(10002 characters)"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[str(n) for n in range(len(REFUSED))])
def test_what_is_no_cause_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "known.toml"
    file.write_text(text)
    with pytest.raises(FileError) as refused:
        read_known(file)
    said = str(refused.value)
    assert message in said and said.startswith(f"{file}") and "\n" not in said
    assert len(said) < 500 + len(str(file))


def test_a_fingerprint_is_that_of_a_crash_file(tmp_path: Path) -> None:
    """Of a wrong answer, and of no answer."""
    engine = Flawed(crashed_on_filter, fault="union-dedup")
    run = run_of(lambda: engine, tmp_path, examples=30, shrinking=2.0)
    perform(run, "filter", "union")
    symptoms = [Symptom.of(own.finding, file=own.file) for own in run.ledger.shown()]
    assert {s.kind for s in symptoms} >= {"crashed", "wrong rows"}
    for symptom in (own for own in symptoms if own.file):  # Not what a cause explains at once.
        assert fingerprint_of(read(Path(symptom.file))) == fingerprint(symptom).id
    crash = Path(symptoms[0].file).relative_to(tmp_path)
    file = tmp_path / "known.toml"
    file.write_text(f'[[known]]\ncrash = "{crash}"\nreason = "why"\n')
    (known,) = read_known(file)
    assert known.id == f"?-{fingerprint(symptoms[0]).id}"


def crashed_on_filter(request: dict[str, Any], reply: dict[str, Any]) -> Any:
    return error(request, "crashed") if "FILTER" in request["query"] else reply


KNOWN = KnownCause(Setting.of({"bounds": "[o,c)"}, ["newest-only"]), 'a "quoted" \\ reason\x7f\n')
PRINT = KnownCause(reason="the parser", fingerprint="0123abcd")


def test_what_is_written_is_read_again_and_added_to(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    write_known(file, [KNOWN, PRINT, KNOWN])
    first = read_known(file)
    assert [cause.id for cause in first] == [KNOWN.id, PRINT.id]
    assert (first[0].setting, first[0].reason) == (KNOWN.setting, KNOWN.reason.strip())
    comment = "# No run says when this one is fixed: delete it from time to time, and see.\n"
    assert file.read_text().count(comment) == 1  # Of a mutant a strict run says it.
    assert f"{comment}fingerprint" in file.read_text()
    file.write_text("# mine\n" + file.read_text())
    write_known(file, [PRINT, KnownCause(Setting.of(mutants=["union-dedup"]), "new")])
    assert [cause.id for cause in read_known(file)] == [KNOWN.id, PRINT.id, "union-dedup"]
    assert file.read_text().startswith("# mine\n[[known]]\n")
    assert [path.name for path in tmp_path.iterdir()] == ["known.toml"]


def test_causes_in_an_array_are_written_anew_and_other_files_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "known.toml"
    file.write_text('known = [{mutants = ["newest-only"], reason = "why"}]\n')
    write_known(file, [PRINT])
    assert [cause.id for cause in read_known(file)] == ["newest-only", PRINT.id]
    file.write_text("something else\n")
    with pytest.raises(FileError, match="no TOML"):
        write_known(file, [PRINT])
    assert file.read_text() == "something else\n"
