"""``--rsp-known``: what is known is counted apart, in one process and in several."""

from __future__ import annotations

from tests.plugin.conftest import Project

KNOWN = '[[known]]\nmutants = ["istream-ignored"]\nreason = "issue 12"\n'
FAULTY = ("--engine=reference", "--engine-option=fault=istream-ignored")
RUN = ("--rsp-examples=20", "rsp::test_istream", "rsp::test_rstream", "-v")


def test_what_is_known_is_counted_apart_in_every_process(project: Project) -> None:
    project.write("known.toml", KNOWN)
    for processes in ((), ("-n", "2")):
        known = (*RUN, *processes, "--rsp-known=known.toml", "--rsp-xfails-strict")
        ran = project.pytest(*FAULTY, *known, "--junitxml=rsp.xml")
        assert ran.status == 0, ran.out
        assert "rsp-conformance: known: istream-ignored (issue 12)" in ran.out
        assert "compared known unsup. vacuous" in ran.out
        verdict, compared, known_cases, *_ = ran.rows["istream"].split()
        assert verdict == "xfailed" and int(compared) + int(known_cases) >= 20
        assert ran.rows["istream"].endswith("  istream-ignored")
        assert ran.rows["rstream"].startswith("passed")
        assert 'name="rsp_known" value="' in project.read("rsp.xml")
        assert not project.crashes


def test_a_cause_that_is_gone(project: Project) -> None:
    project.write("known.toml", KNOWN)
    project.write("pyproject.toml", '[tool.rsp_conformance]\nknown = "known.toml"\n')
    said = "Known, and no longer shown: istream-ignored (fixed: remove it from known.toml)."
    for more, status in (((), 0), (("--rsp-xfails-strict",), 1)):
        ran = project.pytest("--engine=reference", *RUN, *more, "--color=yes")
        assert ran.status == status, ran.out
        # Of a strict run it is why the run has failed, and all else is green.
        strict = "\n\x1b[31m\x1b[1m--rsp-xfails-strict fails the run for it.\x1b[0m\n"
        assert f"\n{said}\n" in ran.out and (strict in ran.out) is bool(status)


def test_what_is_found_is_written_and_known_the_next_time(project: Project) -> None:
    """A deep run in two processes finds two causes; the next run knows both, and passes."""
    mutants = "--engine-option=fault=istream-ignored,union-dedup"
    run = ("--engine=reference", mutants, "--rsp-examples=12", "-v")
    tests = ("rsp::test_istream", "rsp::test_union")
    deep = ("--rsp-deep", "--rsp-known-write=known.toml", "-n", "2")
    ran = project.pytest(*run, *tests, *deep, timeout=240)
    assert ran.status == 1
    assert "\nKnown causes: known.toml (with 2 causes of this run)\n" in ran.out
    text = project.read("known.toml")
    assert 'mutants = ["istream-ignored"]' in text and 'mutants = ["union-dedup"]' in text
    ran = project.pytest(*run, *tests, "--rsp-known=known.toml")
    assert ran.status == 0, ran.out
