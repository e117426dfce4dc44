"""The public Python API, the only stable one: ``import rsp_conformance as rsp``.

Make a case, evaluate its query, and judge answers to it:

>>> import rsp_conformance as rsp
>>> case = rsp.case('''PREFIX : <http://ex.org/>
... SELECT ?x FROM NAMED WINDOW :w ON STREAM :s [RANGE 3 STEP 2]
... WHERE { WINDOW :w { ?x :near :a } }''', {":s": [(1, ":bob :near :a"), (4, ":eve :near :a")]},
... rsp.profile("rsp-ql", t0=0), until=5)
>>> print(case.answers())
t   ?x
────────
3   :bob
5   :eve
>>> print(case.judge([{"t": 3, "solutions": []}, {"t": 5, "solutions": []}]).correct)
False

Input that cannot be used raises `BadInput`, whose message is one line. Results have ``to_dict()``
and display in notebooks. Spark and Hypothesis are imported only when a call needs them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

from rsp_conformance.files import profiles
from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.files.rdf_files import parse_quads, read_background
from rsp_conformance.files.stream_files import TIME_PREDICATE, StreamFile, Tell, read_stream
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import BadInput, did_you_mean, reading
from rsp_conformance.model.instants import check_instant, shown_number
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.trial import Stimulus
from rsp_conformance.model.windows import by_time
from rsp_conformance.protocol import Engine, EngineError, InProcessEngine, SpeaksProtocol, registry
from rsp_conformance.results import (
    Judgement,
    ProfiledCase,
    SuiteResult,
    assumed_registration,
)
from rsp_conformance.run.events import Event
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.languages import check_language, language_of
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.slips import slips

StreamSource: TypeAlias = "str | Path | Stream | Sequence[tuple[int, str] | StreamElement]"
"""What `case` accepts as a stream: a file, a folder, pairs of an instant and Turtle, a `Stream`."""


def query(text: str | Path, language: str | None = None) -> Query:
    """Parse a query.

    Args:
        text: the query itself, or the Path of a file that contains it.
        language: ``rsp-ql``, ``rsp-ql-star``, ``c-sparql``, ``cqels-ql``, ``cqels-ql-2`` or
            ``sparqlstream``. Without it, the suffix of the file decides (docs/features.md), and a
            text is RSP-QL.

    Raises:
        BadInput: the file cannot be read, the language is unknown, or the query has a syntax
            error; the message contains its line and column.
    """
    place = str(text) if isinstance(text, Path) else ""
    if language is None:
        language = language_of(text.suffix if isinstance(text, Path) else "")
    with reading(""):
        check_language(language)
        written = read_text(text) if isinstance(text, Path) else text
    try:
        with reading(place):
            return parse_query(written, language=language)
    except BadInput as error:
        if isinstance(cause := error.__cause__, QuerySyntaxError):
            where = f"line {cause.line}, column {cause.column}: {cause.message}"
            raise BadInput(f"{place}, {where}" if place else where) from cause
        raise


def profile(name: str | Path, **dials: Any) -> Profile:
    """Load an engine profile, and change some of its dials (docs/dials.md).

    Args:
        name: the name of a bundled profile, or a JSON file.
        **dials: values that replace the profile's, for every query.

    Raises:
        BadInput: no such profile or file, or an unknown dial or value.

    Examples:
        >>> profile("rsp-ql", bounds="[o,c)").base.text("bounds")
        '[o,c)'
    """
    path = Path(name)
    # os.path.isdir is False if a name is empty or too long for a file; it raises nothing.
    if os.path.isdir(name) and str(name) not in profiles.profile_names():
        raise BadInput(f"{name}: a folder, where a profile's name or JSON file was expected")
    if path.suffix == ".json" or "/" in str(name):
        with reading(""):
            document = parse_json(read_text(path), path)
        with reading(str(path)):
            said: profiles.ProfileJson = profiles.PROFILES.read(profiles.ProfileJson, document)
            chosen = said.profile(path.stem)
    else:
        with reading(""):
            chosen = profiles.bundled_profile(str(name))
    with reading("dial"):
        return chosen.with_dials(dials)


# Below, arguments with the same names hide these two functions.
_read_query, _read_profile = query, profile


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream from a file or folder, or from a list of ``(t, triples in Turtle)``.

    Attributes:
        source: the file, the folder or the list. The Turtle may use the query's prefixes, and the
            instants of a list must not decrease.
        unit: how many milliseconds one unit of time is in a ``.n3t`` file or in a folder.
    """

    source: str | Path | Sequence[tuple[int, str] | StreamElement]
    unit: int | None = field(default=None, kw_only=True)

    def read(
        self,
        name: IRI,
        query: Query,
        *,
        predicate: IRI,
        unit: int,
        tell: Tell = lambda *_: None,
    ) -> StreamFile:
        """Read the elements.

        Args:
            name: the stream that they become elements of.
            query: its prefixes abbreviate IRIs in the Turtle of a list.
            predicate: gives a named element its timestamp.
            unit: the length of an instant in milliseconds.
            tell: hears from time to time how many elements of a file have been read, and of how
                many; 0 if that is not known.

        Raises:
            ValueError: a file cannot be read, the instants of a list decrease, or one of its items
                has another form.
        """
        if isinstance(self.source, str | Path):
            path = Path(self.source)
            return read_stream(
                path, name, time_predicate=predicate, unit=unit, file_unit=self.unit, tell=tell
            )
        prefixes = "".join(f"@prefix {p}: <{iri}> .\n" for p, iri in query.prefixes)
        elements = tuple(_element(item, name, prefixes) for item in self.source)
        for before, element in pairwise(elements):
            if element.t < before.t:
                raise ValueError(f"t={element.t} comes after t={before.t}: order elements by t")
        return StreamFile(elements)


stream = Stream


def _element(item: object, name: IRI, prefixes: str) -> StreamElement:
    if isinstance(item, StreamElement):
        return replace(item, stream=name)
    match item:
        case (int(t), str(text)) if not isinstance(t, bool):
            dot = "" if text.rstrip().endswith(".") else " ."
            quads = parse_quads(Path(f"t={t}"), prefixes + text + dot, ".ttl")
            return StreamElement(name, t, tuple(triple for triple, _ in quads))
    raise ValueError(f"expected pairs of an instant and Turtle, found {item!r:.80}")


EPOCH: Final = 10**9
"""If the first element is later, its instant counts time since 1970 (10⁹ s: the year 2001).

A registration at 0 would then be decades before the first element."""


def case(
    query: str | Path | Query,
    streams: Mapping[str, StreamSource],
    profile: str | Path | Profile = "rsp-ql",
    *,
    static: str | Path | Sequence[str | Path] = (),
    until: int | None = None,
    registered: int | None = None,
    time_predicate: str | None = None,
    language: str | None = None,
    mark: str = "",
    tell: Tell = lambda *_: None,
) -> ProfiledCase:
    """Make a case: a query over streams and background data, under an engine profile.

    Args:
        query: its text, the Path of a file, or a result of ``query``.
        streams: the elements of each stream. A stream is named as in the query (``":s1"``) or by
            its full IRI; a stream that is not listed is empty.
        profile: the name of a bundled profile, a JSON file, or a result of ``profile``.
        static: files with background data. ``FILE@FROM..UNTIL`` limits a file to an interval.
        until: the last instant that is evaluated and compared. Without it: the instant of the last
            element, plus the greatest width + slide + lag of all windows.
        registered: the instant at which the query is registered. Without it: 0, or the first
            element's instant if that is later than 10⁹. In the latter case ``notes`` of the result
            says so, and answers that are wrong are judged again under earlier registrations.
        time_predicate: the predicate that gives a named element its timestamp, by default
            ``prov:generatedAtTime``.
        language: the language of the query (see ``query``).
        mark: a prefix for the names of arguments in error messages, such as ``--``.
        tell: a function that is called from time to time with how many elements have been read,
            and of how many; 0 if that is not known.

    Raises:
        BadInput: an argument cannot be used.
    """
    parsed = query if isinstance(query, Query) else _read_query(query, language)
    held = profile if isinstance(profile, Profile) else _read_profile(profile)
    dials = held.dials(parsed)
    with reading(f"{f'{query}, ' if isinstance(query, Path) else ''}under unit={dials.unit}"):
        windows = by_time(parsed.resolved_windows(dials))
        parsed.period(dials.unit)
    with reading(f"{mark}time-predicate" if mark else "time_predicate"):
        predicate = _iri(time_predicate, parsed) if time_predicate else TIME_PREDICATE
    with reading(f"{mark}stream"):
        found = _read_streams(streams, parsed, predicate, dials.unit, tell)
        stamp = _stamp_of(predicate, found.values())
    with reading(f"{mark}static"):
        files = [static] if isinstance(static, str | Path) else static
        entries = [entry for file in files for entry in read_background(str(file))]
    # Elements of one instant stay in the order of the streams.
    elements = sorted((e for file in found.values() for e in file.elements), key=lambda e: e.t)
    assumed: tuple[str, ...] = ()
    if registered is None:
        registered = elements[0].t if elements and elements[0].t > EPOCH else 0
        if registered:
            assumed = (assumed_registration(registered, "the instant of the first element", mark),)
    if until is None:
        last = max([registered, *(element.t for element in elements)])
        until = last + max((w.reach for w in windows), default=0)
    elif until < registered:
        raise BadInput(
            f"{mark}until {shown_number(until)} is earlier than {mark}registered "
            f"{shown_number(registered)}"
        )
    with reading(f"{mark}registered"):
        check_instant("registered at", registered)
    with reading(f"{mark}until"):
        check_instant("until", until)
    with reading(f"{mark}registered"):
        made = Case(
            query=parsed,
            elements=tuple(elements),
            background=Background(tuple(entries)),
            registered=registered,
            until=until,
            streams=tuple(found),
            stamp=stamp,
        )
    notes = (*assumed, *_notes(parsed, found, mark))
    return ProfiledCase(made, held, dials, notes, assumed, mark)


def _read_streams(
    streams: Mapping[str, StreamSource],
    query: Query,
    predicate: IRI,
    unit: int,
    tell: Tell,
) -> dict[IRI, StreamFile]:
    found: dict[IRI, StreamFile] = {}

    def told(count: int, total: int) -> None:
        before = sum(len(own.elements) for own in found.values())
        is_known = total > 0 and len(found) + 1 == len(streams)
        tell(before + count, before + total if is_known else 0)

    for name, source in streams.items():
        of = source if isinstance(source, Stream) else Stream(source)
        iri = _iri(name, query)
        if iri in found:
            raise ValueError(f"{name!r}: the stream has elements already")
        found[iri] = of.read(iri, query, predicate=predicate, unit=unit, tell=told)
    return found


def _notes(query: Query, given: Mapping[IRI, StreamFile], mark: str) -> tuple[str, ...]:
    """Remarks on slips in the query, on streams not given, without elements, and not read.

    Raises:
        BadInput: no window reads a given stream, and its name resembles a missing stream's name.
    """
    read = query.streams()
    missing = [name for name in read if name not in given]
    idle = [name for name in given if name not in read]
    for name in map(query.shorten, idle):
        if hint := did_you_mean(name, map(query.shorten, missing)):
            raise BadInput(f"{mark}stream: no window of the query reads {name}{hint}")
    return (
        *slips(query),
        *(f"no {mark}stream for {query.shorten(s)}: it is taken to be empty" for s in missing),
        *(
            f"no window of the query reads {query.shorten(s)}: its elements only let time pass"
            for s in idle
        ),
        *(
            f"{mark}stream {query.shorten(s)} has no elements"
            for s, file in given.items()
            if not file.elements
        ),
    )


def _stamp_of(predicate: IRI, files: Iterable[StreamFile]) -> Stamp:
    datatypes = {file.datatype for file in files if file.datatype is not None}
    if len(datatypes) > 1:
        raise ValueError("some files have integer timestamps and some xsd:dateTime")
    return Stamp(predicate, *datatypes)


def _iri(written: str, query: Query) -> IRI:
    """The IRI that is written in full, in angle brackets, or with a prefix of the query."""
    iri = query.expand(written.strip())
    if any(iri in (window.name, window.stream) for window in query.windows):
        return iri  # In languages other than RSP-QL, a name need not be an IRI.
    if not re.fullmatch(
        r"[A-Za-z][A-Za-z0-9+.-]*:[^\s\x00-\x20\x7f-\x9f\ud800-\udfff<>\"{}|^`\\]*", iri.value
    ):
        prefixes = ", ".join(f"{prefix}:" for prefix, _ in query.prefixes) or "none"
        raise BadInput(
            f"{written!r} is no IRI: write a full one, or one with a prefix of the query "
            f"(it has {prefixes})"
        )
    return iri


@dataclass(frozen=True)
class ConnectedEngine:
    """A running engine, made by ``connect``; as a context manager, it ends the engine.

    Attributes:
        under_test: the engine with the profile that its answers are checked against.
    """

    under_test: EngineUnderTest

    @property
    def name(self) -> str:
        """The name and version that the engine reports."""
        return f"{self.under_test.hello.engine} {self.under_test.hello.version}"

    @property
    def features(self) -> frozenset[str]:
        """The features that a query or a case may use on this engine."""
        return self.under_test.features

    @property
    def profile(self) -> Profile:
        """The profile that the engine's answers are checked against."""
        return self.under_test.profile

    def judge(self, case: ProfiledCase) -> Judgement:
        """Run a case on the engine, and judge its answers under this engine's ``profile``.

        The profile of the case is ignored.

        Raises:
            BadInput: the engine does not support the case, or its answer cannot be judged, for
                example because nothing is due that is compared.
        """
        with reading(self.name):
            seen = self.under_test.ask(Stimulus(case.case))
            if seen.unsupported is not None:
                raise BadInput(f"it does not do this: {seen.unsupported}")
        held = replace(case, profile=self.profile, dials=seen.dials)
        about = {"engine": self.under_test.hello.engine, "query_text": seen.query_text}
        if seen.failure is not None:
            return held.judgement(observed=seen.observed, failure=seen.failure, **about)
        return held.judged(seen.observed, spark=False, **about)

    def close(self) -> None:
        """End the engine and all processes that it started."""
        self.under_test.engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(
    engine: str | SpeaksProtocol,
    *,
    profile: str | Path | Profile | None = None,
    options: Mapping[str, str] | None = None,
    time_limit: float = 30.0,
) -> ConnectedEngine:
    """Start an engine.

    Args:
        engine: an engine's name (``rsp-conformance engines`` lists them), ``stdio:COMMAND`` for a
            driver, or a Python object with the methods ``hello`` and ``run``.
        profile: the engine profile that answers are checked against. Without it: the profile that
            the engine declares.
        options: options of the engine, by name; ignored for a Python object.
        time_limit: seconds per case; it does not apply to a Python object.

    Raises:
        BadInput: there is no such engine, profile or option, or the engine does not start.
    """
    held = _read_profile(profile) if isinstance(profile, str | Path) else profile
    try:
        with reading("engine"):
            if isinstance(engine, str):
                found: Engine = registry.connect(engine, options, time_limit)
            else:
                found = InProcessEngine(engine)
            return ConnectedEngine(EngineUnderTest.meet(found, held))
    except EngineError as error:
        raise BadInput(f"engine: {error.line}") from error


def run_suite(
    engine: str | SpeaksProtocol | ConnectedEngine,
    *,
    properties: Iterable[str] = (),
    examples: int = 100,
    seed: int | str = 0,
    folder: str | Path = ".rsp",
    listen: Callable[[Event], None] | None = None,
    known: str | Path | None = None,
    deep: bool = False,
    max_seconds: float | None = None,
) -> SuiteResult:
    """Test an engine with generated cases, as ``pytest --engine=…`` does with Spark off.

    Args:
        engine: as for ``connect``. An engine that is connected already stays connected.
        properties: the properties to test, such as ``windows``; all of them by default.
        examples: the number of cases per property.
        seed: the same seed generates the same cases.
        folder: crash files go into the subfolder ``crashes`` of this folder.
        listen: a function that is called with every event as it happens.
        known: a file of known causes (docs/known.md). Without it: the file that comes with the
            engine, if ``engine`` is a name. Failures that they explain are counted separately.
        deep: whether to exclude each cause once it is found, and to search for others behind it.
        max_seconds: the time for generating cases and running the engine, for all properties
            together.

    Raises:
        BadInput: an argument cannot be used.
    """
    from rsp_conformance.diagnosis.known_file import read_known
    from rsp_conformance.run.alone import run_alone
    from rsp_conformance.run.budget import Budget
    from rsp_conformance.run.events import nobody
    from rsp_conformance.run.properties import SUITE, property_named

    if examples < 1:
        raise BadInput(f"examples: expected 1 or more, found {examples}")
    with ExitStack() as stack:
        if known is None and isinstance(engine, str):
            known = registry.known_of(engine)
        with reading("known"):
            causes = read_known(Path(known)) if known else ()
        if not isinstance(engine, ConnectedEngine):
            engine = stack.enter_context(connect(engine))
        with reading("properties"):
            chosen = [property_named(name) for name in properties] or SUITE
        events = run_alone(
            engine.under_test,
            chosen,
            budget=Budget(examples, max_seconds),
            seed=seed,
            folder=folder,
            listen=listen or nobody,
            known=causes,
            deep=deep,
        )
    return SuiteResult(events)
