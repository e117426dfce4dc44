"""The classes of C-SPARQL 2 that its driver calls, without Java: an engine that echoes triples.

Each triple of a graph that is put is a row of `?s`, `?p` and `?o`, or the graph of CONSTRUCT, at
once and at the graph's time; those of the background data come with the first graph. The kit's own
parser reads the queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

from rsp_conformance.adapters.csparql2 import names
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.ntriples import parse_ntriples
from rsp_conformance.text.parse import parse_query
from tests.adapters.jvm.fake import FakeJava, Field, JavaError, getters

done: list[str] = []
"""What was done to Esper and its clock, oldest first."""

TIMES = ("eventTime", "processingTime")


def node(kind: str, **values: Any) -> Any:
    """A node of Jena's."""
    kinds = {f"is{name}": name == kind for name in ("URI", "Blank", "Literal")}
    return getters(**kinds, **values)


def uri(value: str) -> Any:
    return node("URI", getURI=value)


def literal(lexical: str, more: Any = "") -> Any:
    tag = more if isinstance(more, str) else ""
    datatype = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString" if tag else more
    found = {"getLiteralLexicalForm": lexical, "getLiteralLanguage": tag}
    return node("Literal", **found, getLiteralDatatypeURI=datatype and str(datatype))


class Datatype(SimpleNamespace):
    def __str__(self) -> str:
        return str(self.iri)


def triple(*parts: Any) -> Any:
    return getters(getSubject=parts[0], getPredicate=parts[1], getObject=parts[2])


class Graph:
    def __init__(self, triples: Iterable[Any] = ()) -> None:
        self.triples = list(triples)
        self.add = self.triples.append

    def find(self) -> Any:
        return getters(toList=self.triples)


def table(values: Mapping[str, Any]) -> Any:
    """A table of one row, which has the engine's own two columns, too."""
    found = {**values, **{name: literal("0", Datatype(iri="urn:t")) for name in TIMES}}
    variables = [getters(getVarName=name) for name in found]
    row = SimpleNamespace(vars=lambda: variables, get=lambda one: found[one.getVarName()])
    return getters(rows=[row])


class Stream:
    def __init__(self, iri: str) -> None:
        self.iri = iri
        self.consumers: list[Any] = []
        self.addConsumer = self.consumers.append

    def put(self, thing: Any, time: int) -> None:
        for consumer in self.consumers:
            consumer.notify(thing, time)


class Query:
    """What QueryFactory makes of a text."""

    def __init__(self, base: str, text: str) -> None:
        try:
            parse_query(text)
        except QuerySyntaxError as error:
            raise JavaError(f"ParseCancellationException: line {error.line}") from error
        self.constructs = "CONSTRUCT" in text
        self.background: list[Any] = []

    def addGraphURI(self, address: str) -> None:
        text = Path(urlsplit(address).path).read_text("utf-8")
        self.background += [[uri(part.value) for part in one] for one in parse_ntriples(text)]


class Engine:
    """CSPARQLEngine, and what its queries are while they run."""

    def __init__(self, time: int, configuration: str) -> None:
        done.append(f"engine at {time}")
        assert Path(configuration).read_text("utf-8").count("rsp_engine.") == 12
        self._out = Stream("out")
        self._query: Any = None

    def register(self, thing: Any, settings: str = "") -> Any:
        if isinstance(thing, Stream):
            thing.addConsumer(self)
            return thing
        self._query = thing
        return getters(outstream=self._out)

    def notify(self, graph: Graph, time: int) -> None:
        for parts in self._query.background:
            self._row(parts, time)
        self._query.background = []
        for one in graph.triples:
            parts = [one.getSubject(), one.getPredicate(), one.getObject()]
            if parts[1].getURI() == "urn:throws":
                raise JavaError("java.lang.IllegalStateException: bad")
            self._row(parts, time)

    def _row(self, parts: list[Any], time: int) -> None:
        if not self._query.constructs:
            self._out.put(table(dict(zip("spo", parts, strict=True))), time)
            return
        moment = literal("0", Datatype(iri="urn:t"))
        added = [triple(uri("urn:result"), uri(f"urn:base:{name}"), moment) for name in TIMES]
        self._out.put(Graph([triple(*parts), *added]), time)


class Manager(SimpleNamespace):
    """A class with private static fields."""

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.class_ = SimpleNamespace(getDeclaredField=self._field)

    def _field(self, name: str) -> Any:
        own = Field(name)
        return SimpleNamespace(
            setAccessible=own.setAccessible,
            get=lambda _: own.get(self),
            set=lambda _, value: own.set(self, value),
        )


def esper() -> Manager:
    """RuntimeManager."""
    administrator = SimpleNamespace(destroyAllStatements=lambda: done.append("empty"))
    service = getters(getEPAdministrator=administrator)
    runtime = SimpleNamespace(sendEvent=lambda span: done.append(f"runs to {span}"))
    return Manager(
        cep=service,
        cepAdm=administrator,
        cepRT=runtime,
        getCEP=lambda: service,
        getEPRuntime=lambda: runtime,
    )


RUNNING = getters(getState="RUNNABLE")


def java(thread: Any = RUNNING) -> FakeJava:
    """Java as the driver sees it; with THREAD as the one that runs."""
    classes: Mapping[str, Any] = {
        names.ENGINE: Engine,
        names.QUERY_FACTORY: SimpleNamespace(parse=Query),
        names.ESPER: esper(),
        names.ENGINE_CONFIGURATION: str,
        names.QUERY_CONFIGURATION: str,
        names.STREAM: Stream,
        names.SERVICES: Manager(runtimes=SimpleNamespace(clear=lambda: done.append("forget"))),
        names.SPAN: int,
        names.GRAPH: Graph,
        names.GRAPHS: SimpleNamespace(createGraphMem=Graph),
        names.TRIPLE: SimpleNamespace(create=triple),
        names.NODES: SimpleNamespace(
            createURI=uri,
            createBlankNode=lambda label: node("Blank", getBlankNodeLabel=label),
            createLiteral=literal,
        ),
        names.DATATYPES: getters(
            getInstance=SimpleNamespace(getSafeTypeByName=lambda iri: Datatype(iri=iri))
        ),
        names.IRIS: SimpleNamespace(resolve=lambda name: f"urn:base:{name}"),
        names.LOGGER: getters(getRootLogger=SimpleNamespace(setLevel=done.append)),
        names.LEVEL: SimpleNamespace(ERROR="ERROR"),
        names.THREAD: getters(currentThread=thread),
    }
    return FakeJava(classes, names.CONSUMER)
