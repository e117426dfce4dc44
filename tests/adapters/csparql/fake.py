"""C-SPARQL without Java: the part of its API that the driver calls, and windows over plain triples.

Its queries are words: what stands before ``FROM STREAM`` says the form (SELECT, ASK, CONSTRUCT),
``bad`` is none, and ``broken`` throws whenever it is evaluated. Every evaluation gives the triples
of the window and of the background data.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, ClassVar

from rsp_conformance.text.ntriples import parse_ntriples

_STREAM = re.compile(r"FROM STREAM <([^>]*)> \[RANGE (\d+)(ms|s|m) STEP (\d+)(ms|s|m)\]")


class Thrown(Exception):
    """What Java throws."""


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
            raise Thrown(f"NoSuchFieldException: {name}")
        return Field(name)


class Field:
    """A private field, once it is accessible."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.accessible = False

    def setAccessible(self, accessible: bool) -> None:
        self.accessible = accessible

    def get(self, owner: Any) -> Any:
        if not self.accessible:
            raise Thrown("IllegalAccessException")
        return vars(owner)[self.name]

    def set(self, owner: Any, value: Any) -> None:
        self.get(owner)
        vars(owner)[self.name] = value

    setBoolean = set


class Quadruple:
    """``RdfQuadruple``: three texts and milliseconds."""

    def __init__(self, subject: str, predicate: str, value: str, timestamp: int) -> None:
        self.triple = (subject, predicate, value)
        self.timestamp = timestamp


class Stream(Observable):
    """``RdfStream``."""

    def __init__(self, iri: str) -> None:
        super().__init__()
        self.iri = iri

    def put(self, quad: Quadruple) -> None:
        self.notify(quad)


class Length:
    """``TimeIntervalDescription``, and its unit."""

    def __init__(self, value: str, unit: str) -> None:
        self.value = int(value)
        self.unit = unit

    def getValue(self) -> int:
        return self.value

    def getTimeUnit(self) -> Length:
        return self

    def name(self) -> str:
        return self.unit.upper()

    def milliseconds(self) -> int:
        return self.value * {"ms": 1, "s": 1000, "m": 60_000}[self.unit]


class Window:
    """``StreamInfo`` and its ``LogicalWindow``."""

    def __init__(self, iri: str, *lengths: str) -> None:
        self.iri = iri
        self.range, self.step = Length(*lengths[:2]), Length(*lengths[2:])

    def getWindow(self) -> Window:
        return self

    def getRangeDescription(self) -> Length:
        return self.range

    def getStepDescription(self) -> Length:
        return self.step


class Query:
    """``CSparqlQuery``, with its results."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.windows = [Window(*found) for found in _STREAM.findall(text)]
        self.results = Observable()

    def getStreams(self) -> list[Window]:
        return self.windows

    def getId(self) -> str:
        return "q"


class Table:
    """``RDFTable``, of the three columns ?s ?p ?o."""

    def __init__(self, text: str, triples: list[tuple[str, str, str]]) -> None:
        self.triples = [Row(triple) for triple in triples]
        self.json = ""
        if "SELECT" in text:
            rows = [dict(zip("spo", map(_cell, triple), strict=True)) for triple in triples]
            self.json = json.dumps({"head": {"vars": [*"spo"]}, "results": {"bindings": rows}})
        elif "CONSTRUCT" in text:
            self.json = json.dumps({"@graph": []})
        else:
            self.triples = [Row(("true" if triples else "false",))]

    def getJsonSerialization(self) -> str:
        return self.json

    def __iter__(self) -> Any:
        return iter(self.triples)


class Row:
    """``RDFTuple``."""

    def __init__(self, fields: tuple[str, ...]) -> None:
        self.fields = fields

    def get(self, place: int) -> str:
        return self.fields[place]


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
        self.quadAtBoundary: list[Quadruple] = []
        self.isSysTimeInit = False
        self.currentSystemTime: int | None = None
        self.currentSystemLastTickTime: int | None = None
        self.clock = 0
        self.statement: Callable[[int], None] | None = None
        Esper.started += 1

    def getEpService(self) -> Esper:
        return self

    def getEPAdministrator(self) -> Esper:
        return self

    def getEPRuntime(self) -> Esper:
        return self

    def destroyAllStatements(self) -> None:
        self.statement = None

    def getCurrentTime(self) -> int:
        return self.clock

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
        self.first: int | None = None

    def registerStream(self, stream: Stream) -> None:
        self.streams[stream.iri] = stream
        stream.addObserver(self)

    def putStaticNamedModel(self, iri: str, triples: str) -> None:
        if "urn:bad" in triples:
            raise Thrown("InvalidPropertyURIException: urn:bad")
        self.sparqlEngine.background = [
            tuple(str(term)[1:-1] for term in triple)  # type: ignore[misc]  # three of them
            for triple in parse_ntriples(triples)
        ]

    def registerQuery(self, text: str, inference: bool) -> Observable:
        if "bad" in text:
            raise Thrown("NullPointerException: because query is null")
        query = Query(text)
        self.queries.append(query)
        self.cepEngine.statement = self.evaluate
        if not self.keeps_elements:
            self.elements, self.first = [], None
        return query.results

    def getAllQueries(self) -> list[Query]:
        return self.queries

    def unregisterQuery(self, name: str) -> None:
        self.queries.clear()

    def destroy(self) -> None:
        if self.queries:
            raise Thrown("ConcurrentModificationException")

    def update(self, stream: Stream, quad: Quadruple) -> None:
        """An element of STREAM; one that is earlier than the clock is an exception."""
        tick = self.cepEngine.currentSystemLastTickTime
        if tick is not None and quad.timestamp < tick:
            raise Thrown("RuntimeException: unordered stream")
        if self.first is None:
            self.first = quad.timestamp
        self.cepEngine.reach(quad.timestamp)
        self.elements.append((stream.iri, quad))

    def evaluate(self, now: int) -> None:
        (query,) = self.queries
        window = query.windows[0]
        assert self.first is not None
        if (now - self.first) % window.step.milliseconds():
            return
        held = [
            quad.triple
            for iri, quad in self.elements
            if iri in {window.iri for window in query.windows}
            and now - window.range.milliseconds() < quad.timestamp <= now
        ]
        if held and "broken" not in query.text:
            table = Table(query.text, [*held, *self.sparqlEngine.background])
            query.results.notify(table)


class Parser:
    """``CsparqlParser``, which says why a query is none."""

    @staticmethod
    def createAndParse(text: str) -> None:
        if "bad" in text:
            raise Thrown("ParseException: Encountered bad")


class Config:
    """``Config``, the settings of all engines."""

    settings: ClassVar[dict[str, str]] = {}

    @classmethod
    def setConfigParams(cls, settings: Properties) -> None:
        cls.settings = dict(settings.given)


Config.INSTANCE = Config  # type: ignore[attr-defined]  # Java's singleton


class Properties:
    """Java's own."""

    def __init__(self) -> None:
        self.given: dict[str, str] = {}

    def put(self, name: str, value: str) -> None:
        self.given[name] = value


_CLASSES: dict[str, Any] = {
    "java.util.Properties": Properties,
    "eu.larkc.csparql.common.config.Config": Config,
    "eu.larkc.csparql.core.engine.CsparqlEngineImpl": Engine,
    "eu.larkc.csparql.core.new_parser.CsparqlParser": Parser,
    "eu.larkc.csparql.cep.api.RdfStream": Stream,
    "eu.larkc.csparql.cep.api.RdfQuadruple": Quadruple,
    "eu.larkc.csparql.sparql.jena.JenaEngine": Evaluator,
    "com.espertech.esper.client.time.CurrentTimeEvent": int,
}


class FakeJava:
    """Java as the driver sees it; ENGINE stands for C-SPARQL's."""

    def __init__(self, engine: type[Engine] = Engine) -> None:
        self.engine = engine

    def cls(self, name: str) -> Any:
        return self.engine if name.endswith(".CsparqlEngineImpl") else _CLASSES[name]

    def proxy(self, interface: str, target: object) -> Any:
        assert interface == "java.util.Observer"
        return target
