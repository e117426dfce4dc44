"""C-SPARQL without Java: the part of its API that the driver calls, and windows over plain triples.

Windows by count are batches of the triples of all streams. What comes at a tick waits for the next.

Its queries are words: what stands before ``FROM STREAM`` says the form (SELECT, ASK, CONSTRUCT),
``bad`` is none, and ``broken`` throws whenever it is evaluated. Every evaluation gives the triples
of the window and of the background data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from rsp_conformance.text.ntriples import parse_ntriples
from tests.adapters.jvm.fake import FakeJava, Field, JavaError, getters

_STREAM = re.compile(r"FROM STREAM <([^>]*)> \[RANGE (\d+)(ms|s|m) STEP (\d+)(ms|s|m)\]")
_BATCH = re.compile(r"FROM STREAM <([^>]*)> \[RANGE TRIPLES (\d+)\]")


class Observable:
    """Java's own."""

    def __init__(self) -> None:
        self.observers: list[Any] = []

    def addObserver(self, observer: Any) -> None:
        self.observers.append(observer)

    def notify(self, value: Any) -> None:
        for observer in self.observers:
            observer.update(self, value)


class WithFields:
    """An object whose private fields Java's reflection reaches."""

    def getClass(self) -> WithFields:
        return self

    def getDeclaredField(self, name: str) -> Field:
        if name not in vars(self):
            raise JavaError(f"NoSuchFieldException: {name}")
        return Field(name)


class Quadruple:
    """``RdfQuadruple``: three texts and milliseconds."""

    def __init__(self, *fields: Any) -> None:
        *self.triple, self.timestamp = fields

    def getTimestamp(self) -> int:
        return int(self.timestamp)


class ArrayList(list[Quadruple]):
    """Java's own."""

    get = list.__getitem__

    def isEmpty(self) -> bool:
        return not self


class Stream(Observable):
    """``RdfStream``."""

    put = Observable.notify

    def __init__(self, iri: str) -> None:
        super().__init__()
        self.iri = iri


_UNITS = {"ms": 1, "s": 1000, "m": 60_000}


class Query:
    """``CSparqlQuery``, with its results; a window is the stream, the width and the slide."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.results = Observable()
        self.windows: list[tuple[str, int, int]] = []
        streams = []
        for iri, width, unit, slide, other in _STREAM.findall(text):
            self.windows.append((iri, int(width) * _UNITS[unit], int(slide) * _UNITS[other]))
            lengths = {"Range": length(width, unit), "Step": length(slide, other)}
            window = getters(**{f"get{name}Description": own for name, own in lengths.items()})
            streams.append(getters(getWindow=window, hasPhisicalWindow=False))
        self.batches = [(iri, int(size)) for iri, size in _BATCH.findall(text)]
        for _, size in self.batches:
            window = getters(getWindowRange=size)
            streams.append(getters(getWindow=window, hasPhisicalWindow=True))
        self.getStreams = lambda: streams
        self.getId = lambda: "q"


def length(value: str, unit: str) -> Any:
    """``TimeIntervalDescription``."""
    return getters(getValue=int(value), getTimeUnit=getters(name=unit.upper()))


def table(text: str, triples: list[tuple[str, str, str]]) -> Any:
    """``RDFTable``, of the three columns ?s ?p ?o."""
    rows: list[tuple[str, ...]] = [*triples]
    written = ""
    if "SELECT" in text:
        cells = [dict(zip("spo", map(_cell, triple), strict=True)) for triple in triples]
        written = json.dumps({"head": {"vars": [*"spo"]}, "results": {"bindings": cells}})
    elif "CONSTRUCT" in text:
        written = json.dumps({"@graph": []})
    else:
        rows = [("true" if triples else "false",)]
    return Table(written, rows)


class Table(list[Any]):
    """Its tuples, which can be read by their places, and its JSON."""

    def __init__(self, written: str, rows: list[tuple[str, ...]]) -> None:
        super().__init__(SimpleNamespace(get=row.__getitem__) for row in rows)
        self.getJsonSerialization = lambda: written


def _cell(text: str) -> dict[str, str]:
    if not text.startswith('"'):
        return {"type": "uri", "value": text}
    lexical, _, datatype = text[1:].rpartition('"^^')
    if datatype == "null":
        return {"type": "literal", "value": lexical}
    return {"type": "typed-literal", "value": lexical, "datatype": datatype}


class Evaluator:
    """``JenaEngine``, which keeps the background data."""

    made = 0

    def initialize(self) -> None:
        self.background: list[tuple[str, str, str]] = []
        Evaluator.made += 1


class Esper(WithFields):
    """``EsperEngine`` with its service: the clock and the window."""

    started = 0

    def __init__(self) -> None:
        self.queries: dict[str, Any] = {}
        self.streams: list[Stream] = []
        self.statements: dict[str, Any] = {}
        self.quadAtBoundary = ArrayList()
        self.isSysTimeInit = False
        self.currentSystemTime: int | None = None
        self.currentSystemLastTickTime: int | None = None
        self.clock = 0
        self.statement: Callable[[int], None] | None = None
        Esper.started += 1
        self.getEpService = self.getEPAdministrator = self.getEPRuntime = lambda: self
        self.getCurrentTime = lambda: self.clock

    def destroyAllStatements(self) -> None:
        self.statement = None

    def sendEvent(self, time: int) -> None:
        self.clock = time

    def reach(self, time: int) -> None:
        """Let the clock come to TIME, over each second before it and a millisecond beyond."""
        if not self.isSysTimeInit:
            self.isSysTimeInit, self.currentSystemLastTickTime = True, time
        tick = self.currentSystemLastTickTime
        assert tick is not None
        while tick + 1000 < time:
            tick += 1000
            self.clock = tick + 1
            if self.statement is not None:
                self.statement(tick)
        self.currentSystemLastTickTime = tick


class Engine(WithFields):
    """``CsparqlEngineImpl``."""

    keeps_elements = False
    """Whether its windows outlive a reset, as no engine's should."""

    def initialize(self) -> None:
        self.queries: list[Query] = []
        self.streams: dict[str, Stream] = {}
        self.snapshots: dict[str, Any] = {}
        self.results: dict[str, Any] = {}
        self.sparqlEngine = Evaluator()
        self.sparqlEngine.initialize()
        self.cepEngine = Esper()
        self.elements: list[tuple[str, Quadruple]] = []
        self.batch: list[tuple[str, Quadruple]] = []
        self.held: list[str] = []
        self.first: int | None = None

    def registerStream(self, stream: Stream) -> None:
        self.streams[stream.iri] = stream
        stream.addObserver(self)

    def putStaticNamedModel(self, iri: str, triples: str) -> None:
        if "urn:bad" in triples:
            raise JavaError("InvalidPropertyURIException: urn:bad")
        self.sparqlEngine.background = [
            tuple(str(term)[1:-1] for term in triple)  # type: ignore[misc]  # three of them
            for triple in parse_ntriples(triples)
        ]

    def registerQuery(self, text: str, inference: bool) -> Observable:
        if "bad" in text:
            raise JavaError("NullPointerException: because query is null")
        query = Query(text)
        self.queries.append(query)
        self.cepEngine.statement = self.evaluate
        self.batch, self.held = [], []
        if not self.keeps_elements:
            self.elements, self.first = [], None
        return query.results

    def getAllQueries(self) -> list[Query]:
        return self.queries

    def unregisterQuery(self, name: str) -> None:
        self.queries.clear()

    def destroy(self) -> None:
        if self.queries:
            raise JavaError("ConcurrentModificationException")

    def update(self, stream: Stream, quad: Quadruple) -> None:
        """An element of STREAM; one that is earlier than the clock is an exception."""
        tick = self.cepEngine.currentSystemLastTickTime
        if tick is not None and quad.timestamp < tick:
            raise JavaError("RuntimeException: unordered stream")
        if self.first is None:
            self.first = quad.timestamp
        waiting = self.cepEngine.quadAtBoundary
        if waiting and quad.timestamp > waiting[0].timestamp:
            for iri, own in zip(self.held, waiting, strict=True):
                self.count(iri, own)
            waiting.clear()
            self.held.clear()
        self.cepEngine.reach(quad.timestamp)
        self.elements.append((stream.iri, quad))
        if quad.timestamp > self.first:
            waiting.append(quad)
            self.held.append(stream.iri)
        else:
            self.cepEngine.clock = quad.timestamp
            self.count(stream.iri, quad)

    def count(self, stream: str, quad: Quadruple) -> None:
        """Count a triple of STREAM, and evaluate a batch of them."""
        for read, size in [batch for query in self.queries for batch in query.batches[:1]]:
            self.batch.append((stream, quad))
            if len(self.batch) == size:
                held = [own.triple for iri, own in self.batch if iri == read]
                self.batch = []
                if held:
                    self.queries[0].results.notify(table(self.queries[0].text, held))

    def evaluate(self, now: int) -> None:
        (query,) = self.queries
        if query.batches:
            return
        _, width, slide = query.windows[0]
        assert self.first is not None
        if (now - self.first) % slide:
            return
        read = {iri for iri, _, _ in query.windows}
        held = [
            quad.triple
            for iri, quad in self.elements
            if iri in read and now - width < quad.timestamp <= now
        ]
        if held and "broken" not in query.text:
            query.results.notify(table(query.text, [*held, *self.sparqlEngine.background]))


def parse(text: str) -> None:
    """``CsparqlParser``, which says why a query is none."""
    if "bad" in text:
        raise JavaError("ParseException: Encountered bad")


class Properties(dict[str, str]):
    """Java's own."""

    put = dict.__setitem__


SETTINGS = Properties()
"""Of all engines."""


def java(engine: type[Engine] = Engine) -> FakeJava:
    """Java as the driver sees it; ENGINE stands for C-SPARQL's."""
    config = SimpleNamespace(setConfigParams=SETTINGS.update)
    return FakeJava(
        {
            "java.util.Properties": Properties,
            "eu.larkc.csparql.common.config.Config": SimpleNamespace(INSTANCE=config),
            "eu.larkc.csparql.core.engine.CsparqlEngineImpl": engine,
            "eu.larkc.csparql.core.new_parser.CsparqlParser": SimpleNamespace(createAndParse=parse),
            "eu.larkc.csparql.cep.api.RdfStream": Stream,
            "eu.larkc.csparql.cep.api.RdfQuadruple": Quadruple,
            "eu.larkc.csparql.sparql.jena.JenaEngine": Evaluator,
            "com.espertech.esper.client.time.CurrentTimeEvent": int,
        },
        "java.util.Observer",
    )
