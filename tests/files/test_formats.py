"""Every format of the kit: what is read fits the schema, and comes back as it was."""

from __future__ import annotations

import importlib
import json
import pkgutil
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest
from hypothesis import given

import rsp_conformance
from rsp_conformance.burnin.result import BURN_INS, BurnInJson
from rsp_conformance.campaigns.named import NamedJson
from rsp_conformance.campaigns.store import FORM, FolderJson
from rsp_conformance.campaigns.unit import Brought
from rsp_conformance.cli.check import STEPS, CheckStep
from rsp_conformance.cli.csrbench import LINES, LineJson
from rsp_conformance.cli.matrix import RowJson
from rsp_conformance.cli.w3c import RESULTS, ResultJson
from rsp_conformance.diagnosis import known_file
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.diagnosis.profile.findings import FOUND, FoundJson
from rsp_conformance.files import recordings, sparql_results
from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.files.answers import ANSWERS, STORED_ANSWERS
from rsp_conformance.files.cases import CASES, ELEMENTS, ELEMENTS_1_2
from rsp_conformance.files.codec import Format
from rsp_conformance.files.fields import FieldError
from rsp_conformance.files.json_text import load
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge.crash_file import CRASHES, CrashJson
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.protocol.forms import REPLY, REQUEST, REQUEST_1_2, Hello, RunRequest
from rsp_conformance.run.events import EVENTS, Event, PropertyFinished
from rsp_conformance.run.ledger_file import HEADER, Header
from rsp_conformance.run.lines import ENTRIES, Entered
from rsp_conformance.run.run_report import REPORTS, RunReport
from rsp_conformance.run.work import Begun
from rsp_conformance.test_suite import packed
from rsp_conformance.test_suite.case_files import (
    MANIFESTS,
    SUITES,
    CaseAnswersJson,
    DialsJson,
    LegalAnswersJson,
)
from rsp_conformance.test_suite.manifest import ManifestJson
from rsp_conformance.text.parse import parse_query
from tests.generators.damage import Damage, damaged
from tests.hostile.readers import few
from tests.hostile.test_damaged_messages import ANSWERS as PROTOCOLS
from tests.hostile.test_damaged_messages import HELLO

BEFORE = Path(__file__).parent / "version_before"
SUITE = BEFORE / "suite" / "cases" / "reference-same_stream_windows-missing-answer-8c4915"


def document(path: Path) -> Any:
    """The JSON value in a file."""
    return json.loads(path.read_text("utf-8"))


CRASH = document(next((BEFORE / "crashes").iterdir()))
CAUSE = document(BEFORE / "report.json")["causes"][0]
PROFILE = document(BEFORE / "profile.json")
ELEMENT = {"stream": "a:s", "t": 1, "graph": "<a:a> <a:b> <a:c> .\n", "name": "_:b"}
ASKED = {
    **{"op": "run", "id": "c", "query": "", "streams": ["a:s"], "registered": 0, "until": 9},
    **{"unit": 1, "pacing": "burst", "static": [{"from": 0, "until": 3, "quads": ""}]},
    "elements": [ELEMENT],
}
QUERY = """PREFIX : <http://ex.org/>
SELECT (COUNT(*) AS ?n) FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]
WHERE { WINDOW :w { ?s :p* ?o . FILTER (?o > 1.5 && BOUND(?s)) } OPTIONAL { ?s ?q "x"@en } }
GROUP BY ?s ORDER BY DESC(?n) LIMIT 3"""
FINISHED = PropertyFinished("gaps", "failed", "wrong rows", counts={"compared": 3}, seconds=0.5)
DIAL = {
    **{"dial": "tick", "value": "time", "declared": "tuple", "contradicted": True, "note": ""},
    "overrides": [{"when": "ask", "value": "tuple"}],
    **{"rivals": [{"value": "tuple", "told": 1, "against": 0}], "evidence": ["a line"]},
}


class Sample(NamedTuple):
    """A document of a format, and what it is."""

    form: Format
    hint: Any
    document: Any


LEGAL = document(SUITE / "answers.json")
TESTED: dict[str, Sample] = {
    "algebra": Sample(ALGEBRA, Query, ALGEBRA.write(Query, parse_query(QUERY))),
    "answers": Sample(ANSWERS, tuple[Observed, ...], PROTOCOLS),
    "kept answers": Sample(STORED_ANSWERS, tuple[Observed, ...], CRASH["answers"] or PROTOCOLS),
    "elements": Sample(ELEMENTS, StreamElement, ELEMENT),
    "elements of RDF 1.2": Sample(ELEMENTS_1_2, StreamElement, ELEMENT),
    "cases": Sample(CASES, Case, CRASH["case"]),
    "profiles": Sample(PROFILES, Profile, PROFILE),
    "hello": Sample(REPLY, Hello, HELLO),
    "requests": Sample(REQUEST, RunRequest, ASKED),
    "requests of RDF 1.2": Sample(REQUEST_1_2, RunRequest, ASKED),
    "crash files": Sample(CRASHES, CrashJson, CRASH),
    "causes": Sample(CAUSES, Cause, CAUSE),
    "named causes": Sample(FORM, NamedJson, {"cause": CAUSE, "kind": "silent", "confirmed": ""}),
    "known causes": Sample(
        known_file._KNOWN,
        known_file.FileJson,
        {"known": [{"reason": "r", "dials": {"unit": 1}}, {"reason": "s", "mutants": ["a"]}]},
    ),
    "found profiles": Sample(
        FOUND,
        FoundJson,
        {
            **{"engine": "e", "version": "1", "profile": PROFILE, "mutants": ["m"], "cases": 2},
            **{"explained": 1, "unanswered": {"hang": 1}, "complete": True, "dials": [DIAL]},
            "spellings": [{"tick": "time", "bounds": "[o,c)"}],
        },
    ),
    "results": Sample(REPORTS, RunReport, document(BEFORE / "report.json")),
    "events": Sample(EVENTS, Event, EVENTS.write(Event, FINISHED)),
    "entries of ledgers": Sample(
        ENTRIES, Entered, ENTRIES.write(Entered, Begun("windows", resumed=True))
    ),
    "headers of ledgers": Sample(
        HEADER,
        Header,
        {
            **dict.fromkeys(("engine", "version", "profile", "dials", "kit", "seed"), "x"),
            **{"examples": 3, "suite": "", "cases": ""},
        },
    ),
    "dials of suites": Sample(SUITES, DialsJson, document(SUITE / "dials.json")),
    "legal answers": Sample(
        SUITES,
        CaseAnswersJson,
        {"under": [{"dials": {"unit": "5"}, "requires": [{"tick": ["time"]}], **LEGAL}]},
    ),
    "legal answers of before": Sample(SUITES, LegalAnswersJson, LEGAL),
    "manifests": Sample(MANIFESTS, ManifestJson, document(BEFORE / "suite" / "manifest.json")),
    "packed suites": Sample(
        packed._PACKED, packed.PackedJson, {"test": {"name": "a"}, "files": {"query.rq": "ASK"}}
    ),
    "answers of CSRBench": Sample(
        recordings._RECORDINGS,
        recordings._Relation,
        {
            "head": {"vars": ["x"]},
            "results": {"bindings": [{"binding": {"x": {"type": "uri", "value": "a:a"}}}]},
            "timestamp": 3,
        },
    ),
    "results of SPARQL": Sample(
        sparql_results._RESULTS,
        sparql_results.ResultJson,
        {
            "head": {"vars": ["x"]},
            "results": {"bindings": [{"x": {"type": "uri", "value": "a:a"}}]},
        },
    ),
    "campaigns": Sample(
        FORM, FolderJson, {"rsp_campaign": 2, "engine": "e", "options": {"a": "b"}}
    ),
    "units of campaigns": Sample(
        FORM,
        tuple[Brought, ...],
        [{"number": 1, "focus": "any", "cases": 40, "points": 3, "failures": 0, "lost": 0}],
    ),
    "steps of a check": Sample(
        STEPS, CheckStep, {"step": "a", "result": "ok", "fault": "", "says": "b"}
    ),
    "lines of CSRBench": Sample(
        LINES,
        LineJson,
        {
            **{"engine": "e", "query": 1, "strict": "wrong", "fitted": "wrong", "live": True},
            **{"containment": "correct", "reading": "r", "because": "b", "version": "1"},
        },
    ),
    "rows of a matrix": Sample(
        CAUSES,
        RowJson,
        {
            **{"engine": "e", "version": "1", "profile": "rsp-ql", "passed": False},
            **{"properties": {"gaps": "failed"}, "causes": [CAUSE]},
        },
    ),
    "results of W3C's tests": Sample(
        RESULTS,
        ResultJson,
        {
            "results": [{"suite": "s", "evaluator": "e", "passed": 1, "failed": 0, "skipped": 1}],
            "failures": [],
            "skipped": [{"test": "a:t", "evaluator": "e", "reason": "r", "at_odds": True}],
        },
    ),
    "burn-ins": Sample(
        BURN_INS,
        BurnInJson,
        {
            **{"engine": "e", "elements": 9, "answers": 1, "evaluations": 1, "verdict": "wrong"},
            **{"t0": {":w": 0, ":v": None}, "kinds": ["silent"], "reached": 9, "because": "b"},
            **{"seconds": 0.5, "memory_mb": {"engine": None, "kit": 700}, "causes": [CAUSE]},
            "stretch": {"from": 1, "until": 4, "elements": 2},
        },
    ),
}
SAMPLES = [pytest.param(sample, id=name) for name, sample in TESTED.items()]


def test_no_format_is_left_out() -> None:
    there: dict[int, str] = {}
    for module in pkgutil.walk_packages(rsp_conformance.__path__, "rsp_conformance."):
        if module.name.rpartition(".")[2] in ("__main__", "__init__"):
            continue
        if not module.name.startswith("rsp_conformance.adapters."):
            own = vars(importlib.import_module(module.name))
            there |= {id(v): f"{module.name}.{n}" for n, v in own.items() if type(v) is Format}
    tested = {id(sample.form) for sample in TESTED.values()}
    assert [name for key, name in there.items() if key not in tested] == []


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_document_comes_back_and_what_is_read_fits_the_schema(sample: Sample) -> None:
    form, hint, document = sample
    value = form.read(hint, document)
    written = json.loads(json.dumps(form.write(hint, value)))
    assert form.read(hint, written) == value
    schema = form.schema(hint)
    jsonschema.Draft202012Validator.check_schema(schema)
    fits = jsonschema.Draft202012Validator(schema).is_valid
    assert fits(document)

    @few
    @given(damaged([document]))
    def checked(damage: Damage) -> None:
        try:
            value = load(damage.content.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            return
        try:
            form.read(hint, value)
        except FieldError:
            return
        assert fits(value), f"read, and refused by the schema: {damage}"

    checked()
