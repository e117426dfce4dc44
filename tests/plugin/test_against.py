"""``--against``: two engines in one run, and what the run says of the conditions."""

from __future__ import annotations

from tests.plugin.conftest import Project

TWO = ("--engine=reference", "--against=reference", "--rsp-examples=15")
JS, CQELS = "profile=rsp-js", "profile=cqels-2"


def test_how_cases_were_compared_is_said_at_the_end_and_in_the_result(project: Project) -> None:
    profiles = (f"--engine-option={JS}", f"--against-option={JS}")
    ran = project.pytest(*TWO, *profiles, "rsp::test_against[windows]", "--rsp-json=run.json")
    (own,) = project.json("run.json")["properties"]
    assert own["grounds"] == {"one semantics": own["counts"]["compared"]}
    assert f"\n{own['counts']['compared']:>7} one semantics\n" in ran.out
    assert "Not compared" not in ran.out


def test_the_conditions_that_were_missed_are_counted(project: Project) -> None:
    names = ("rsp::test_against[windows]", "rsp::test_against[filter]")
    profiles = (f"--engine-option={JS}", f"--against-option={CQELS}")
    ran = project.pytest(*TWO, *profiles, *names, "--rsp-json=run.json", "-n", "2")
    found = project.json("run.json")["properties"]
    for kind, said in (("grounds", "\nCompared, by"), ("excuses", "\nNot compared, by")):
        counts = {reason for own in found for reason in own[kind]}
        _, _, lines = ran.out.partition(said)
        for reason in counts:
            number = sum(own[kind].get(reason, 0) for own in found)
            assert f"{number} {reason}" in " ".join(lines.split()), (reason, ran.out)
    assert {reason for own in found for reason in own["excuses"]}
