"""The same seed, the same cases; and what failed once is tried first."""

from __future__ import annotations

import re

from tests.builders.drivers import toy
from tests.plugin.conftest import Project, Ran

TESTS = ("--engine=reference", "rsp::test_windows", "rsp::test_join")
FEW = (*TESTS, "--rsp-examples=3")
RIGHT = ("--engine=reference", "rsp::test_istream", "--rsp-examples=10")
FAULTY = (*RIGHT, "--engine-option=fault=istream-ignored")


def seed(ran: Ran) -> str:
    """The seed that a run printed."""
    (found,) = set(re.findall(r"--rsp-seed=(\d+)", ran.out))
    return found


def asked(project: Project, *arguments: str) -> list[str]:
    """The cases of a run."""
    project.pytest(f"--engine={toy('unsupported')}", "--rsp-trace=wire", *arguments, seed=None)
    return project.asked()


def test_the_printed_seed_gives_the_same_cases(project: Project) -> None:
    chosen = ("--rsp-examples=20", "rsp::test_windows", "rsp::test_join")
    ran = project.pytest(f"--engine={toy('unsupported')}", "--rsp-trace=wire", *chosen, seed=None)
    first = project.asked()
    assert len(first) > 20  # Two properties of 20 cases, less those of which nothing is due.
    assert asked(project, *chosen, f"--rsp-seed={seed(ran)}") == first
    assert asked(project, *chosen) != first
    # A property's cases do not depend on what else runs.
    alone = asked(project, *chosen[:2], f"--rsp-seed={seed(ran)}")
    assert alone == first[: len(alone)]


def test_the_seed_of_hypothesis_is_ours(project: Project) -> None:
    ran = project.pytest(*FEW, "--hypothesis-seed=42", seed=None)
    assert (ran.status, seed(ran)) == (0, "42")


def test_a_derandomized_profile_has_one_seed(project: Project) -> None:
    project.write(
        "conftest.py",
        "from hypothesis import settings\n"
        "settings.register_profile('steady', derandomize=True)\n"
        "settings.load_profile('steady')\n",
    )
    first, second = (project.pytest(*FEW, seed=None) for _ in range(2))
    assert seed(first) == seed(second)


FIXED = """rsp-conformance: seed: fixed by Hypothesis' profile "ci"; --rsp-seed=random for"""


def test_in_ci_there_is_one_seed(project: Project) -> None:
    fixed = project.pytest(*FEW, environment={"CI": "true"}, seed=None)
    assert seed(fixed) == "0" and FIXED in fixed.out


def test_a_campaign_in_ci_draws_a_seed_that_its_workers_share_and_another_run_may_be_given(
    project: Project,
) -> None:
    environment = {"CI": "true"}
    trace = ("--rsp-trace=wire", "-n2", "--rsp-examples=5", "rsp::test_windows", "rsp::test_join")
    engine = f"--engine={toy('unsupported')}"
    ran = project.pytest(engine, *trace, "--rsp-seed=random", environment=environment)
    assert seed(ran) != "0" and FIXED not in ran.out
    asked = set(project.asked())
    again = f"--rsp-seed={seed(ran)}"
    given = project.pytest(engine, *trace, "-n0", again, environment=environment)
    assert seed(given) == seed(ran) and FIXED not in given.out
    assert set(project.asked()) == asked and len(asked) >= 10


def test_a_failing_case_is_saved_and_tried_first(project: Project) -> None:
    first = project.pytest(*FAULTY)
    assert first.status == 1 and len(project.crashes) == 1
    again = project.pytest(*FAULTY, "--rsp-examples=1", "--rsp-seed=3")
    assert (again.status, again.counts("istream")[0]) == (1, "FAILED")
    assert len(project.crashes) == 1  # The same case once more.
    said = "The same cases again: --rsp-seed=1"
    more = ". What failed is saved, and comes first (not with --hypothesis-profile=ci)."
    assert more in " ".join(first.out.split()) and said in first.out
    same = project.pytest(*FAULTY, "--hypothesis-profile=ci")
    assert same.counts("istream")[1:] == first.counts("istream")[1:]
    assert f"\n{said}\n" in same.out
    right = project.pytest(*RIGHT)
    assert right.status == 0 and f"\n{said}\n" in right.out


def test_a_disagreement_within_the_kit_is_no_failure_of_the_engine(project: Project) -> None:
    project.write(
        "conftest.py",
        "from rsp_conformance.judge.failures import KitDisagreement\n"
        "from rsp_conformance.plugin import main\n"
        "def objects(observation):\n"
        "    raise KitDisagreement('the reference engine differs', observation)\n"
        "main.confirm_by_reference = objects\n",
    )
    ran = project.pytest(*FAULTY)
    assert ran.status == 1
    assert ran.counts("istream")[0] == "KIT ERROR"
    assert "rsp-conformance: internal error: the reference engine differs: a bug of" in ran.out
    assert "not of the engine. Please report it." in ran.out
    assert "\nWhy  " not in ran.out and "Traceback" not in ran.out
    assert project.crashes == []
