"""The files of one test: queries, streams, background data, legal answers (written, read)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from rsp_conformance.files.answers import STORED_ANSWERS, ContentJson, members_of
from rsp_conformance.files.cases import ELEMENTS, element_rules
from rsp_conformance.files.codec import (
    Check,
    Format,
    Keys,
    Table,
    Via,
    at_least,
    at_most,
    matching,
)
from rsp_conformance.files.files import FileError, parse_json, read_text
from rsp_conformance.files.profiles import DIAL_NAME, dial_text
from rsp_conformance.files.rdf_files import read_background
from rsp_conformance.model.answers import Evaluation
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.instants import LATEST
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.usage import case_features
from rsp_conformance.test_suite.entry import (
    Combination,
    LegalAnswer,
    LegalEvaluation,
    Order,
    SuiteCase,
    SuiteEntry,
)
from rsp_conformance.test_suite.legal import early_answers
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
    "result": "answers.json",
}
"""The files of a test in its folder, by the fields of a manifest that have their paths."""

FileName = Annotated[
    str,
    matching(
        r"(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*", "a file of this folder"
    ),
]
TestName = Annotated[str, matching(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}", "the name of a test")]
Instant = Annotated[int, at_least(0), at_most(LATEST)]


@dataclass(frozen=True, slots=True)
class BackgroundFile:
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


@dataclass(frozen=True, kw_only=True, slots=True)
class CaseFiles:
    """What a manifest says of one test; paths are relative to the manifest."""

    name: TestName
    title: str
    query: FileName
    jsonl: FileName
    trig: FileName
    streams: tuple[IRI, ...]
    background: tuple[BackgroundFile, ...]
    registered: Instant
    until: Instant
    dials: FileName | None = None
    """In suites that were written before a case had its answers under several combinations."""
    result: FileName
    features: tuple[str, ...] = ()
    source: str = ""
    stamp: Stamp | None = None


@dataclass(frozen=True, slots=True)
class ArrivalJson:
    """The stamps of an evaluation by arrivals; those of windows with clocks of their own."""

    later: int
    closing: int
    own_later: Order
    own_closing: Order


@dataclass(frozen=True, kw_only=True, slots=True)
class LegalJson(ContentJson):
    """An evaluation of a legal answer."""

    t: int
    compared: bool
    arrival: ArrivalJson | None = None

    def legal(self) -> LegalEvaluation:
        """Return the evaluation."""
        evaluation = Evaluation(self.t, self.content())
        if self.arrival is None:
            return LegalEvaluation(evaluation, self.compared)
        arrival = self.arrival
        return LegalEvaluation(
            evaluation,
            self.compared,
            {">": arrival.later, ">=": arrival.closing},
            {">": arrival.own_later, ">=": arrival.own_closing},
        )


def _legal_json(answer: LegalEvaluation) -> LegalJson:
    evaluation, arrival, stamps, own = answer.evaluation, None, answer.stamps, answer.own
    if stamps:
        arrival = ArrivalJson(stamps[">"], stamps[">="], own[">"], own[">="])
    return LegalJson(
        t=evaluation.t,
        compared=answer.compared,
        arrival=arrival,
        **members_of(evaluation.content),
    )


CombinationJson = Annotated[Combination, "dials with values"]


@dataclass(frozen=True, kw_only=True, slots=True)
class LegalAnswersJson:
    """Every legal answer to a case, as far as dials do not say which."""

    start: int
    legal: Annotated[tuple[LegalAnswer, ...], Check(len, "an array of at least one legal answer")]
    early: Any = None
    """How many answers may come before the first that is compared, and with which stamps."""


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswersJson(LegalAnswersJson):
    """Every legal answer to a case under some combinations of dials."""

    dials: Mapping[str, str]
    """Those of one combination that are not as in plain RSP-QL."""
    requires: tuple[CombinationJson, ...]
    query: FileName = NAMES["query"]
    """The query's file in the folder of the case: the form in which these engines are asked."""
    features: tuple[str, ...] | None = None
    """What this form needs an engine to have, if it is not what the manifest says of the test."""


@dataclass(frozen=True, slots=True)
class CaseAnswersJson:
    """Every legal answer to a case under each combination of dials."""

    under: Annotated[tuple[AnswersJson, ...], Check(len, "an array of at least one combination")]
    until: Any = None
    """The last instant up to which answers are compared, for runners that do not read the case."""


@dataclass(frozen=True, slots=True)
class DialsJson:
    """The dials of a case and those on which its answers depend, in suites of before."""

    dials: Mapping[str, str]
    requires: CombinationJson


_DIAL_TEXTS: Final[Mapping[str, Any]] = {dial: Annotated[str, dial] for dial in DIALS}
"""The types of dials' texts, each of which has a rule."""
_DIALS = Table(_DIAL_TEXTS, Any, DIAL_NAME)
_VALUES = {dial: tuple[Annotated[str, dial], ...] for dial in DIALS}
_CONTENT = STORED_ANSWERS.rules[ContentJson]
SUITES: Final = Format(
    {
        **STORED_ANSWERS.rules,
        ArrivalJson: Keys(
            {">": "later", ">=": "closing", "own >": "own_later", "own >=": "own_closing"}
        ),
        LegalJson: replace(
            _CONTENT,
            keys=f"t compared arrival {_CONTENT.keys}",
            absent=f"{_CONTENT.absent} arrival",
        ),
        # Runners in other languages read dials, so each is a text.
        **{hint: Via(str, partial(dial_text, dial), str) for dial, hint in _DIAL_TEXTS.items()},
        CombinationJson: Table(_VALUES, Any, DIAL_NAME),
        DialsJson: Keys(members={"dials": _DIALS}),
        LegalEvaluation: Via(LegalJson, LegalJson.legal, _legal_json),
        LegalAnswersJson: Keys("from=start early legal"),
        AnswersJson: Keys(
            "query features dials requires from=start early legal",
            absent="features",
            members={"dials": _DIALS},
        ),
        CaseAnswersJson: Keys("until under"),
    },
    tag="type",
    open=True,
)
"""Dials and legal answers."""
MANIFESTS: Final = Format(
    {
        **element_rules(),
        Stamp: Keys(required="predicate datatype"),
        CaseFiles: Keys(absent="dials"),
    },
    open=True,
)
"""What a manifest says."""


def written(entry: SuiteEntry) -> tuple[CaseFiles, dict[str, str]]:
    """Return what the manifest says of an entry, and its files by their paths.

    Raises:
        Unsupported: the files cannot say it: a graph without triples, or one name for elements of
            two streams.
    """
    own, folder, paths = entry.cases[0], folder_of(entry.name), paths_of(entry.name)
    case = own.case
    names = [e.name for e in case.elements if e.name is not None]
    if any(not e.triples for e in case.background) or len(set(names)) < len(names):
        raise Unsupported("an empty graph, or one name for two elements")
    queries = _queries(entry)
    answers = CaseAnswersJson(
        tuple(
            AnswersJson(
                query=queries[one.case.query],
                features=None if one.features == own.features else one.features,
                dials=_turned(one.dials),
                requires=one.requires,
                start=one.start,
                early=early_answers(one.case, one.dials),
                legal=one.legal,
            )
            for one in entry.cases
        ),
        case.until,
    )
    files = {
        **{
            f"{folder}/{name}": print_query(
                query, duration="iso", unit=own.dials.unit, explicit_step=True
            )
            for query, name in queries.items()
        },
        paths["jsonl"]: json_lines(ELEMENTS.write(tuple[StreamElement, ...], case.elements)),
        paths["trig"]: _trig(case, own.dials.unit),
        paths["result"]: json_text(SUITES.write(CaseAnswersJson, answers)),
    }
    background = []
    for (since, until), entries in _by_interval(case.background):
        ends = "" if (since, until) == (None, None) else f"-{_end(since)}-{_end(until)}"
        path = f"{folder}/background{ends}.nq"
        files[path] = write_nquads([(t, e.graph) for e in entries for t in e.triples])
        background.append(BackgroundFile(path, since, until))
    said = CaseFiles(
        name=entry.name,
        title=entry.title,
        streams=case.streams,
        background=tuple(background),
        registered=case.registered,
        until=case.until,
        features=own.features,
        source=own.source,
        stamp=case.stamp if names else None,
        **paths,
    )
    return said, files


def _queries(entry: SuiteEntry) -> dict[Query, str]:
    """The forms of a case's query with the names of their files."""
    forms = dict.fromkeys(one.case.query for one in entry.cases)
    stem, _, ending = NAMES["query"].partition(".")
    return {
        query: NAMES["query"] if number == 1 else f"{stem}-{number}.{ending}"
        for number, query in enumerate(forms, 1)
    }


def _turned(dials: Dials) -> dict[str, str]:
    plain = Dials()
    return {dial: dials.text(dial) for dial in DIALS if dials.text(dial) != plain.text(dial)}


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


# --- reading ------------------------------------------------------------------------------------


TextOf = Callable[[Path], str]
"""Returns the text of a file; a FileError says that there is none."""


def read_case(folder: Path, said: CaseFiles, text_of: TextOf = read_text) -> SuiteEntry:
    """Return one test of a suite.

    Args:
        folder: the folder of the manifest.
        said: what the manifest says of the test.
        text_of: returns the text of the test's files.

    Raises:
        FileError: one of the files is not what it should be; the error names the place.
    """
    under = [*_under(folder, said, text_of)]
    elements = tuple(_elements(folder / said.jsonl, text_of))
    background = Background(
        tuple(e for file in said.background for e in _entries(folder, file, text_of))
    )
    forms: dict[tuple[str, int], Case] = {}
    cases = []
    for one in under:
        dials = Dials().with_dials(one.dials)
        main = one.query == NAMES["query"]
        path = folder / said.query if main else (folder / said.query).parent / one.query
        try:
            if (one.query, dials.unit) not in forms:
                query = parse_query(text_of(path)).in_instants(dials.unit)
                forms[one.query, dials.unit] = Case(
                    query,
                    elements,
                    background,
                    said.registered,
                    said.until,
                    said.streams,
                    said.stamp or Stamp(),
                )
            case = forms[one.query, dials.unit]
            case.query.resolved_windows(dials)
        except FileError:
            raise
        except (QuerySyntaxError, ValueError) as error:
            raise FileError(path, str(error)) from None
        features = said.features if main else tuple(sorted(case_features(case)))
        cases.append(
            SuiteCase(
                said.name,
                said.title,
                case,
                dials,
                one.start,
                one.legal,
                one.requires,
                features,
                said.source,
            )
        )
    return SuiteEntry(tuple(cases))


def _under(folder: Path, said: CaseFiles, text_of: TextOf) -> Sequence[AnswersJson]:
    """What answers.json says; in suites of before, that and what dials.json says."""
    result = folder / said.result
    if not said.dials:
        answers: CaseAnswersJson = _read_file(result, CaseAnswersJson, text_of)
        return answers.under
    dials: DialsJson = _read_file(folder / said.dials, DialsJson, text_of)
    legal: LegalAnswersJson = _read_file(result, LegalAnswersJson, text_of)
    return [
        AnswersJson(
            dials=dials.dials,
            requires=(dials.requires,),
            start=legal.start,
            legal=legal.legal,
        )
    ]


def _read_file(path: Path, kind: type, text_of: TextOf) -> Any:
    return read_file(path, lambda value: SUITES.read(kind, value), text_of)


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
                yield ELEMENTS.read(StreamElement, value)
            except ValueError as error:
                raise FileError(path, str(error), line) from None


def _entries(folder: Path, file: BackgroundFile, text_of: TextOf) -> Iterator[BackgroundEntry]:
    for entry in read_background(str(folder / file.path), text_of):
        yield replace(entry, since=file.since, until=file.until)
