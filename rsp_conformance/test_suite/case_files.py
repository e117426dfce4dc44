"""The files of one test: query, streams, background data, dials, legal answers (written, read)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import Field, TypeAdapter

from rsp_conformance.files.case_json import element_from_json, element_to_json
from rsp_conformance.files.files import FileError, parse_json, read_text
from rsp_conformance.files.forms import JsonForm, Matching, Text, read_form
from rsp_conformance.files.rdf_files import read_background
from rsp_conformance.files.results_json import IriText, content_from_json, content_to_json
from rsp_conformance.model.answers import Evaluation
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials, parse_dial
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.instants import LATEST
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.test_suite.entry import LegalAnswer, LegalEvaluation, SuiteCase
from rsp_conformance.test_suite.legal import TRIGGERS, early_answers
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.ntriples import write_nquads, write_ntriples, write_term
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query

VOCABULARY = "urn:x-rsp-conformance:suite#"
ELEMENT = "urn:x-rsp-conformance:element:"
"""The graphs of elements without a name are called so in TriG; their position follows."""
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"

NAMES = {
    "query": "query.rq",
    "jsonl": "streams.jsonl",
    "trig": "streams.trig",
    "dials": "dials.json",
    "result": "answers.json",
}
"""The files of a test in its folder, by the fields of a manifest that have their paths."""

_FILE = Matching(
    r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*", "a file of this folder"
)
FileName = Annotated[str, _FILE]
TestName = Annotated[str, Matching(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}", "the name of a test")]
Instant = Annotated[int, Field(ge=0, le=LATEST)]


class BackgroundFile(JsonForm):
    """A file of background data, and the inclusive interval in which it holds."""

    path: FileName
    since: int | None = None
    until: int | None = None


def folder_of(name: object) -> str:
    """Return the folder of the test called `name`, relative to the manifest."""
    return f"cases/{name}"


def paths_of(name: object) -> dict[str, str]:
    """Return the paths that a manifest has of the test called `name`, by their fields."""
    return {field: f"{folder_of(name)}/{file}" for field, file in NAMES.items()}


class StampForm(JsonForm):
    """How the timestamp triple of a named element is written."""

    predicate: IriText
    datatype: IriText


class CaseFiles(JsonForm):
    """What a manifest says of one test; paths are relative to the manifest."""

    name: TestName
    title: Text
    query: FileName
    jsonl: FileName
    trig: FileName
    streams: list[IriText]
    background: list[BackgroundFile]
    registered: Instant
    until: Instant
    dials: FileName
    result: FileName
    features: list[Text] = Field(default_factory=list)
    source: Text = ""
    stamp: StampForm | None = None


class ArrivalForm(JsonForm):
    """The stamps of an evaluation by arrivals; those of windows with clocks of their own."""

    later: int = Field(alias=">")
    closing: int = Field(alias=">=")
    own_later: list[int] = Field(alias="own >", min_length=2, max_length=2)
    own_closing: list[int] = Field(alias="own >=", min_length=2, max_length=2)


class EvaluationForm(JsonForm):
    """An evaluation of a legal answer, without its content."""

    t: int
    compared: bool
    arrival: ArrivalForm | None = None


class AnswersForm(JsonForm):
    """Every legal answer to a case."""

    start: int = Field(alias="from")
    legal: list[list[dict[str, Any]]] = Field(min_length=1)


class DialsForm(JsonForm):
    """The dials of a case, and those on which its answers depend."""

    dials: dict[str, str]
    requires: dict[str, list[str]]


def written(entry: SuiteCase) -> tuple[CaseFiles, dict[str, str]]:
    """What the manifest says of ENTRY, and its files by their paths.

    Raises Unsupported for what the files cannot say: a graph without triples, and one name for
    elements of two streams.
    """
    case, folder, paths = entry.case, folder_of(entry.name), paths_of(entry.name)
    names = [e.name for e in case.elements if e.name is not None]
    if any(not e.triples for e in case.background) or len(set(names)) < len(names):
        raise Unsupported("an empty graph, or one name for two elements")
    unit = entry.dials.unit
    files = {
        paths["query"]: print_query(case.query, duration="iso", unit=unit, explicit_step=True),
        paths["jsonl"]: json_lines(map(element_to_json, case.elements)),
        paths["trig"]: _trig(case, unit),
        paths["dials"]: json_text(
            {
                "dials": {dial: entry.dials.text(dial) for dial in DIALS},
                "requires": {dial: list(values) for dial, values in entry.requires.items()},
            }
        ),
        paths["result"]: json_text(_answers_to_json(entry)),
    }
    background = []
    for (since, until), entries in _by_interval(case.background):
        ends = "" if (since, until) == (None, None) else f"-{_end(since)}-{_end(until)}"
        path = f"{folder}/background{ends}.nq"
        files[path] = write_nquads([(t, e.graph) for e in entries for t in e.triples])
        background.append(BackgroundFile(path=path, since=since, until=until))
    stamp = case.stamp
    said = CaseFiles(
        name=entry.name,
        title=entry.title,
        streams=[s.value for s in case.streams],
        background=background,
        registered=case.registered,
        until=case.until,
        features=list(entry.features),
        source=entry.source,
        stamp=StampForm(predicate=stamp.predicate.value, datatype=stamp.datatype.value)
        if names
        else None,
        **paths,
    )
    return said, files


def json_text(value: Any) -> str:
    """Return `value` as a file of a suite has it: JSON, a field or an item a line."""
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def json_lines(values: Iterable[Any]) -> str:
    """Return `values` as a file of a suite has them: each JSON on a line of its own."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def _end(instant: int | None) -> str:
    return "" if instant is None else str(instant)


def _by_interval(
    background: Iterable[BackgroundEntry],
) -> Iterable[tuple[tuple[int | None, int | None], list[BackgroundEntry]]]:
    found: dict[tuple[int | None, int | None], list[BackgroundEntry]] = {}
    for entry in background:
        found.setdefault((entry.since, entry.until), []).append(entry)
    return found.items()


def _trig(case: Case, unit: int) -> str:
    """The elements as named graphs, with what is said of them in the default graph."""
    lines = [f"@prefix rspt: <{VOCABULARY}> .", f"@prefix xsd: <{INTEGER[:-7]}> ."]
    for position, element in enumerate(case.elements):
        named = element.name is not None
        name = write_term(element.name or IRI(f"{ELEMENT}{position}"))
        lines += ["", f"{name} rspt:stream {write_term(element.stream)} ;"]
        lines += [f"    rspt:instant {element.t} ;", f"    rspt:position {position} ."]
        if named:
            lines.append(write_ntriples([case.stamp.triple(element.name, element.t, unit)]).strip())  # type: ignore[arg-type]
        triples = write_ntriples(element.graph).splitlines()
        lines += [f"{name} {{", *(f"    {line}" for line in triples), "}"]
    return "\n".join(lines) + "\n"


def _answers_to_json(entry: SuiteCase) -> dict[str, Any]:
    return {
        "from": entry.start,
        "until": entry.case.until,
        "early": early_answers(entry.case, entry.dials),
        "legal": [[_evaluation_to_json(e) for e in answer] for answer in entry.legal],
    }


def _evaluation_to_json(answer: LegalEvaluation) -> dict[str, Any]:
    found: dict[str, Any] = {"t": answer.evaluation.t, "compared": answer.compared}
    if answer.stamps:
        own = {f"own {name}": list(order) for name, order in answer.own.items()}
        found["arrival"] = {**answer.stamps, **own}
    return found | content_to_json(answer.evaluation.content, whole=True)


# --- reading ------------------------------------------------------------------------------------


TextOf = Callable[[Path], str]
"""Returns the text of a file; a FileError says that there is none."""


def read_case(folder: Path, said: CaseFiles, text_of: TextOf = read_text) -> SuiteCase:
    """Return one test of a suite.

    Args:
        folder: the folder of the manifest.
        said: what the manifest says of the test.
        text_of: returns the text of the test's files.

    Raises:
        FileError: one of the files is not what it should be; the error names the place.
    """
    dials, requires = read_file(folder / said.dials, _dials, text_of)
    start, legal = read_file(folder / said.result, _answers, text_of)
    query = folder / said.query
    try:
        case = Case(
            parse_query(text_of(query)).in_instants(dials.unit),
            tuple(_elements(folder / said.jsonl, text_of)),
            Background(
                tuple(e for file in said.background for e in _entries(folder, file, text_of))
            ),
            said.registered,
            said.until,
            tuple(map(IRI, said.streams)),
            Stamp(IRI(said.stamp.predicate), IRI(said.stamp.datatype)) if said.stamp else Stamp(),
        )
        case.query.sliding_windows(dials.unit)
    except FileError:
        raise
    except (QuerySyntaxError, ValueError) as error:
        raise FileError(query, str(error)) from None
    features = tuple(said.features)
    return SuiteCase(
        said.name, said.title, case, dials, start, legal, requires, features, said.source
    )


Read = TypeVar("Read")


def read_file(path: Path, form: Callable[[object], Read], text_of: TextOf = read_text) -> Read:
    """Return what `form` makes of the JSON in a file.

    Raises:
        FileError: the file is not JSON, or `form` refuses the value.
    """
    value = parse_json(text_of(path), path)
    try:
        return form(value)
    except ValueError as error:
        raise FileError(path, str(error)) from None


def _elements(path: Path, text_of: TextOf) -> Iterator[StreamElement]:
    for line, text in enumerate(text_of(path).split("\n"), 1):
        if text.strip():
            value = parse_json(text, path, line)
            try:
                yield element_from_json(value)
            except ValueError as error:
                raise FileError(path, str(error), line) from None


def _entries(folder: Path, file: BackgroundFile, text_of: TextOf) -> Iterator[BackgroundEntry]:
    for entry in read_background(str(folder / file.path), text_of):
        yield replace(entry, since=file.since, until=file.until)


LATER = frozenset(("blank_nodes",))
"""Dials that suites written before there were any do not have; they have their defaults there."""


def _dials(value: object) -> tuple[Dials, Mapping[str, tuple[str, ...]]]:
    form: DialsForm = read_form(_DIALS_FORM, value)
    if missing := [dial for dial in DIALS if dial not in form.dials and dial not in LATER]:
        raise ValueError(f"dials: the dial {missing[0]} is missing")
    for dial, texts in form.requires.items():
        for text in texts:
            parse_dial(dial, text)
    requires = {dial: tuple(texts) for dial, texts in form.requires.items()}
    return Dials().with_dials(form.dials), requires


def _answers(value: object) -> tuple[int, tuple[LegalAnswer, ...]]:
    form: AnswersForm = read_form(_ANSWERS_FORM, value)
    answers = (
        tuple(_evaluation(item, f"legal[{number}][{place}]") for place, item in enumerate(answer))
        for number, answer in enumerate(form.legal)
    )
    return form.start, tuple(answers)


def _evaluation(value: dict[str, Any], where: str) -> LegalEvaluation:
    form: EvaluationForm = read_form(_EVALUATION_FORM, value, where)
    evaluation = Evaluation(form.t, content_from_json(value, where, whole=True))
    if form.arrival is None:
        return LegalEvaluation(evaluation, form.compared)
    arrival = form.arrival
    own = ((at, position) for at, position in (arrival.own_later, arrival.own_closing))
    stamps = (arrival.later, arrival.closing)
    return LegalEvaluation(
        evaluation,
        form.compared,
        dict(zip(TRIGGERS, stamps, strict=True)),
        dict(zip(TRIGGERS, own, strict=True)),
    )


_DIALS_FORM: TypeAdapter[Any] = TypeAdapter(DialsForm)
_ANSWERS_FORM: TypeAdapter[Any] = TypeAdapter(AnswersForm)
_EVALUATION_FORM: TypeAdapter[Any] = TypeAdapter(EvaluationForm)
