"""Cases from bytes: the same in every process, and a failure shrinks by an ordinary run."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings

from rsp_conformance.model.case import Case
from rsp_conformance.strategies import case_from_bytes, cases
from tests.builders.command_line import python

CAMPAIGN = """
import random
import sys
from hypothesis import Phase, given, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from rsp_conformance.model.usage import case_features
from rsp_conformance.strategies import cases

@settings(
    database=DirectoryBasedExampleDatabase("examples"),
    phases=[Phase.reuse, Phase.shrink],
    print_blob=False,
)
@given(case=cases())
def test_engine(case):
    assert not ("optional" in case_features(case) and len(case.elements) >= 2)

if sys.argv[1] == "fuzz":
    numbers = random.Random(10)
    for _ in range(400):
        try:
            test_engine.hypothesis.fuzz_one_input(numbers.randbytes(400))
        except AssertionError:
            print("failed")
            break
else:
    test_engine()
"""


def run(program: str, *arguments: str, cwd: Path, hash_seed: str = "0") -> tuple[int, str]:
    ran = python("-c", program, *arguments, cwd=cwd, env={"PYTHONHASHSEED": hash_seed})
    return ran.status, ran.out + ran.err


def test_bytes_make_cases():
    numbers = random.Random(1)
    drawn = [case_from_bytes(numbers.randbytes(300)) for _ in range(100)]
    assert all(isinstance(case, Case) for case in drawn)
    assert len(set(drawn)) > 90


def test_too_few_bytes_make_none():
    assert case_from_bytes(b"") is None
    assert case_from_bytes(b"\x01\x02") is None


def test_features_profile_and_focus_hold_for_bytes_too():
    numbers = random.Random(2)
    for _ in range(50):
        case = case_from_bytes(
            numbers.randbytes(300), {"select", "optional"}, focus="optional", max_elements=4
        )
        assert case is not None
        assert len(case.elements) <= 4


def test_a_property_is_fed_the_same_case():
    seen: list[Case] = []

    @settings(database=None)
    @given(cases())
    def collect(case: Case) -> None:
        seen.append(case)

    data = random.Random(3).randbytes(300)
    collect.hypothesis.fuzz_one_input(data)
    assert seen == [case_from_bytes(data)]


@pytest.mark.slow
def test_a_failure_found_from_bytes_shrinks_in_an_ordinary_run(tmp_path):
    # The second run may only reuse and shrink, so what it finds came through the database.
    code, output = run(CAMPAIGN, "shrink", cwd=tmp_path)
    assert (code, "run no test cases" in output) == (1, True), output
    code, output = run(CAMPAIGN, "fuzz", cwd=tmp_path)
    assert (code, output) == (0, "failed\n")
    code, output = run(CAMPAIGN, "shrink", cwd=tmp_path, hash_seed="7")
    assert code == 1
    assert "AssertionError" in output
    shown = """    case=
        PREFIX : <http://ex.org/>
        SELECT ?x ?y ?z
        FROM NAMED WINDOW :w1 ON STREAM :s1 [RANGE 1 STEP 1]
        WHERE {
          WINDOW :w1 {
            ?x :p ?y .
            OPTIONAL { ?x :q ?z }
          }
        }
        :s1 = (:a :p :b, 1), (:a :p :b, 2)
        registered at 0, compared until 4,
"""
    assert shown in output, output
