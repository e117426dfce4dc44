"""Files in JSON and TOML with anything wrong: one line with the place, or what they still say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given

import rsp_conformance as rsp
from rsp_conformance.files.files import FileError
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge import crash_file
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.profiles import Profile
from rsp_conformance.run.run_report import read_report, run_report, schema
from tests.builders.command_line import ROOT, cli
from tests.generators.damage import Damage, Raw, damaged
from tests.hostile.readers import GONE, Reader, changed, few, of_file
from tests.hostile.test_damaged_messages import ANSWERS, REPLY
from tests.run.test_run_report import STARTED, outcome

CRASHES = ROOT / "tests" / "judge" / "crashes"
HUGE = 10**40


def document(path: Path) -> Any:
    """The JSON value in a file."""
    return json.loads(path.read_text("utf-8"))


NO_JSON = ("no JSON (", "no UTF-8 text")
CASE = "query elements registered until elements[].t elements[].graph elements[].stream"


# --- crash files, and the cases in them -----------------------------------------------------------

CRASH = document(CRASHES / "version-1.json")
CONTRADICTION = document(CRASHES / "contradiction.json")
RECORDED = sorted((ROOT / "tools" / "engines" / "crashes").glob("*.json"))
PLAIN = [CRASH, *(own for own in map(document, RECORDED[::6]) if "related" not in own)]
OTHER = ("id", "expected", "versions", "seed", "seen", "parameters", "failure", "stderr")
"""What replaying does not read, or in any form."""
KINDS = {
    # 1000.0 is an integer of JSON; 1.5 is refused below.
    **dict.fromkeys(("unit", "t0", "time_tolerance"), "whole number text"),
    **{"empty_answers": "truth", "stream_operators": "list"},
}
"""The kinds of values that dials take beside words."""
IN_PROFILES = {f"profile.{dial}": kind for dial, kind in KINDS.items()}
UNPLACED = (
    *("not a crash file", "version ", "damaged: version ", "damaged: element "),
    *("damaged: an element at ", "damaged: the "),
)


def of_crashes(folder: Path, at: str, free: tuple[str, ...], *needs: str, **kinds: str) -> Reader:
    """A reader of crash files whose case and answers stand AT a place."""
    shared = ("property", "kind", "engine", "profile", *needs)
    own = ("case", "answers[].t", *(f"case.{name}" for name in CASE.split()))
    stamps = {"answers[].t": "null whole number text", "answers[].cause": "null whole text"}
    return Reader(
        of_file(folder, "crash.json", crash_file.read),
        FileError,
        file=str(folder / "crash.json"),
        needs=(*shared, *(f"{at}{name}" for name in own)),
        kinds={**IN_PROFILES, **{f"{at}{name}": kind for name, kind in (stamps | kinds).items()}},
        free=(*OTHER, *free),
        open=(f"{at}answers[].solutions[].", "options."),
        unplaced=(*NO_JSON, *UNPLACED),
    )


def crash(folder: Path) -> Reader:
    """Crash files of one case."""
    return of_crashes(folder, "", ("request.",))


def contradiction(folder: Path) -> Reader:
    """Crash files of several cases."""
    at = "related.asked[]."
    free = (
        "request",
        "case",
        "answers",
        "pacing",
        "query_as_sent",
        f"{at}correct",
        f"{at}request.",
    )
    return of_crashes(folder, at, free, "related.asked", unit="whole", follows="list")


@few
@given(damaged([CRASH]))
def test_a_damaged_crash_file_is_replayed_or_an_error(folder: Path, damage: Damage) -> None:
    path = folder / "replayed.json"
    path.write_bytes(damage.content)
    ran = cli("replay", path)
    assert ran.status in (0, 1) or (ran.line() and ran.out == "ERROR\n")


# --- profiles -------------------------------------------------------------------------------------

PROFILE_FILES = [
    document(path) for path in sorted((ROOT / "rsp_conformance" / "profiles").glob("*"))
]


def profile(folder: Path) -> Reader:
    """Profiles."""
    return Reader(
        of_file(folder, "profile.json", rsp.profile),
        BadInput,
        file=str(folder / "profile.json"),
        needs=("overrides[].when", "overrides[].dials"),
        kinds={**KINDS, **{f"overrides[].dials.{dial}": kind for dial, kind in KINDS.items()}},
        exact=True,
        unplaced=(*NO_JSON, "unknown profile", "unknown dial"),
        fits=jsonschema.Draft202012Validator(PROFILES.schema(Profile)).is_valid,
    )


# --- recordings for `judge` -----------------------------------------------------------------------

QUERY = """PREFIX : <http://ex.org/>
SELECT ?s FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2] WHERE { WINDOW :w { ?s :p ?o } }"""


def recording(folder: Path) -> Reader:
    """Answers that an engine gave, for `judge`."""
    case = rsp.case(QUERY, {":s": [(1, ":a :p :b")]}, until=6)
    path = folder / "answers.json"
    return Reader(
        of_file(folder, path.name, case.judge),
        BadInput,
        lambda error: str(error).removeprefix("answers: "),
        file=str(path),
        needs=("answers[].t", "[].t"),
        kinds={
            "": "object list",
            **dict.fromkeys(("answers[].t", "[].t"), "whole number null"),
            **dict.fromkeys(("answers[].cause", "[].cause"), "whole number null text"),
        },
        free=("op", "id"),
        open=("",),
        unplaced=(*NO_JSON, "expected an object with answers", "answers[", "the engine gave an"),
    )


# --- results of runs ------------------------------------------------------------------------------

REPORT = run_report(outcome(), STARTED, passed=False)


def results(folder: Path) -> Reader:
    """Results of runs."""
    return Reader(
        of_file(folder, "results.json", read_report),
        FileError,
        file=str(folder / "results.json"),
        needs=("rsp_report", "engine", "causes[].id", "properties[].verdict", "findings[].kind"),
        kinds={"properties[].seconds": "whole", "duration": "whole", "seconds.engine": "whole"},
        open=("",),
        exact=True,
        unplaced=(*NO_JSON, "not a result"),
        fits=jsonschema.Draft202012Validator(schema()).is_valid,
    )


# --- all of them ----------------------------------------------------------------------------------

READERS: dict[Callable[[Path], Reader], list[Any]] = {
    crash: PLAIN,
    contradiction: [CONTRADICTION],
    profile: PROFILE_FILES,
    recording: [REPLY, ANSWERS],
    results: [REPORT],
}
"""Readers of files, and what they read without complaint."""


@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file(reader: Callable[[Path], Reader], folder: Path) -> None:
    reader(folder).holds(damaged(READERS[reader]))


GRAPH = "case.elements[0].graph"
PINNED: dict[Callable[[Path], Reader], list[tuple[str, Any, str]]] = {
    crash: [
        ("rsp_crash", 10**4_000, "version "),
        ("case.version", 2, "damaged: case.version: version 2 of cases is newer"),
        ("case.query", "SELECT", "damaged: case.query: line 1, column 7"),
        ("case.elements[0].t", HUGE, "damaged: "),
        (GRAPH, "", f"damaged: {GRAPH}: an element holds at least"),
        (GRAPH, "<< " * 300, f"damaged: {GRAPH}: quoted triples are"),
        ("answers[0].t", HUGE, "damaged: answers[0].t: expected an instant of at most 40 digits"),
        ("answers[0].ties", [1], "damaged: answers[0].ties: expected a number for each row"),
        ("related", {"asked": []}, "damaged: related.asked: expected at least one case"),
    ],
    profile: [
        ("", None, "expected an object, found null"),
        ("", {"base": "rsp-qll"}, "unknown profile 'rsp-qll'; did you mean 'rsp-ql'?"),
        ("", {"unit": 1.5}, "unit: expected a whole number"),
        ("", {"bounds": "x" * 1_000_000}, "bounds: expected at most 1000 characters, found"),
        ("", {"bound": "[o,c)"}, "unknown dial 'bound'; did you mean 'bounds'?"),
        ("", {"base": 1}, "base: expected a name of at most 200 characters, found 1"),
        (
            "",
            {"overrides": [{"when": "select", "dials": {}}]},
            "overrides[0].when: expected",
        ),
        (
            "",
            {"overrides": [{"when": [], "dials": {"tick": "often"}}]},
            'overrides[0].dials.tick: expected time or tuple, found "often"',
        ),
        (
            "",
            {"overrides": [{"when": [], "dials": {"tock": "time"}}]},
            "overrides[0].dials: unknown dial 'tock'; did you mean 'tick'?",
        ),
        (
            "",
            {"overrides": [{"when": ["selekt"], "dials": {}}]},
            "overrides[0].when: unknown shape 'selekt'; did you mean",
        ),
    ],
    recording: [
        ("answers[1].t", Raw("1e-9999"), "answers[1].t: expected"),
        ("answers[1].t", Raw("1e-9999999999999999999"), "no JSON (the"),
        ("error", {"kind": "crashed", "message": "m"}, "the engine gave an error"),
    ],
    results: [
        ("rsp_report", 10**4_000, "not a result that this rsp-conformance reads (version 1000"),
        ("counts", {"x" * 20_000: None}, "counts.xxx"),
        ("counts", {"a\nb": None}, "counts.a\\x0ab: expected an integer"),
        ("seconds.engine", None, "seconds.engine: expected a number"),
        ("causes[0].smallest", GONE, "causes[0].smallest: expected an object, found nothing"),
    ],
}
ROWS = [(reader, *row) for reader, rows in PINNED.items() for row in rows]


@pytest.mark.parametrize(("reader", "place", "value", "said"), ROWS, ids=range(len(ROWS)))
def test_a_file_names_the_place(
    reader: Callable[[Path], Reader], place: str, value: Any, said: str, folder: Path
) -> None:
    document, *_ = READERS[reader]
    assert reader(folder).said(changed(document, place, value)).startswith(said)
