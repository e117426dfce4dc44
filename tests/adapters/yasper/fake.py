"""The classes of YASPER that its driver calls, without Java: an engine that echoes every triple.

Each triple of a graph that is put is a row of `?s`, `?p` and `?o`, at once and at the graph's time;
the background data are the rows of the first graph, too. The kit's own parser reads the queries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rsp_conformance.adapters.yasper import names
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.ntriples import parse_ntriples
from rsp_conformance.text.parse import parse_query
from tests.adapters.jvm.fake import FakeJava, JavaError, getters

registered: list[str] = []
"""The texts of the queries that were registered, oldest first."""


class IRI:
    def __init__(self, value: str) -> None:
        self.getIRIString = lambda: value


class BlankNode:
    def __init__(self, label: str) -> None:
        self.ntriplesString = lambda: f"_:{label}"


class Literal:
    def __init__(self, lexical: str, more: IRI | str) -> None:
        tag = more if isinstance(more, str) else ""
        self.getLexicalForm = lambda: lexical
        self.getLanguageTag = lambda: getters(isPresent=bool(tag), get=tag)
        self.getDatatype = lambda: more


class RDF:
    """SimpleRDF: one for each case."""

    createIRI = staticmethod(IRI)
    createLiteral = staticmethod(Literal)

    def __init__(self) -> None:
        self._nodes: dict[str, BlankNode] = {}

    def createBlankNode(self, label: str) -> BlankNode:
        return self._nodes.setdefault(label, BlankNode(label))

    def createGraph(self) -> Graph:
        return Graph()


class Graph(list[tuple[Any, Any, Any]]):
    def add(self, *triple: Any) -> None:
        self.append((triple[0], triple[1], triple[2]))


class Stream:
    def __init__(self, iri: str) -> None:
        self.iri = iri
        self.consumers: list[Any] = []

    def addConsumer(self, consumer: Any) -> None:
        self.consumers.append(consumer)

    def put(self, thing: Any, time: int) -> None:
        for consumer in self.consumers:
            consumer.notify(thing, time)


def binding(values: Mapping[str, Any]) -> Any:
    """A row; its variables have names."""
    variables = [getters(name=name) for name in values]
    return SimpleNamespace(variables=lambda: variables, value=lambda one: values[one.name()])


class Query:
    """What TPQueryFactory makes of a text."""

    def __init__(self, text: str) -> None:
        registered.append(text)
        if "NOT IN" in text:
            raise JavaError("java.lang.NullPointerException")
        self.output = Stream("out")
        found = re.search(r"FROM <(/[^>]*)>", text)
        self.background = parse_ntriples(Path(found[1]).read_text("utf-8")) if found else []
        self.nothing = "LIMIT 0" in text
        self.sign = "$" if "$s" in text else ""  # which is a part of the name
        self.getOutputStream = lambda: self.output


class Program:
    """ContinuousProgramBuilder and the program at once."""

    def __init__(self) -> None:
        self._query: Any = None
        self._streams: list[Stream] = []
        self._output = Stream("")

    def in_(self, stream: Stream) -> Program:
        self._streams.append(stream)
        return self

    def addTask(self, task: Any) -> Program:
        self._query = task
        return self

    def out(self, stream: Stream) -> Program:
        self._output = stream
        return self

    def addJoinAlgorithm(self, algorithm: Any) -> Program:
        return self

    def build(self) -> Program:
        for stream in self._streams:
            stream.addConsumer(self)
        return self

    def notify(self, graph: Graph, time: int) -> None:
        for triple in self._query.background:
            self._row([IRI(part.value) for part in triple], time)
        self._query.background = []
        for row in graph:
            if isinstance(row[2], Literal) and row[2].getLexicalForm() == "bad":
                raise JavaError("java.lang.IllegalStateException: bad")
            self._row(row, time)

    def _row(self, triple: Sequence[Any], time: int) -> None:
        names = (self._query.sign + name for name in "spo")
        values = dict(zip(names, triple, strict=True)) | {"unbound": None}
        if not self._query.nothing:
            self._output.put(binding(values), time)


class Task:
    """QueryTaskBuilder: a task is its query."""

    def fromQuery(self, query: Query) -> Any:
        return getters(build=query)


class Recogniser:
    """Lexer and parser: the parser reads, and tells its listeners."""

    def __init__(self, source: Any) -> None:
        self.text: str = source.text if isinstance(source, Recogniser) else source
        self.listeners: list[Any] = []

    def removeErrorListeners(self) -> None:
        self.listeners.clear()

    def addErrorListener(self, listener: Any) -> None:
        self.listeners.append(listener)

    def queryUnit(self) -> Any:
        text = self.text.partition("\nmore")[0]
        try:
            parse_query(text)
        except QuerySyntaxError as error:
            for listener in self.listeners:
                listener.syntaxError(self, None, error.line, error.column, error.message, None)
        select = re.search(r"SELECT.*", text)
        if select is None:
            return getters(query=getters(selectQuery=None))
        clause = getters(getStop=getters(getStopIndex=select.end() - 1))
        return getters(query=getters(selectQuery=getters(selectClause=clause)))

    def getCurrentToken(self) -> Any:
        kind = 7 if "\nmore" in self.text else -1
        line = self.text.count("\n") + 1
        return getters(getType=kind, getLine=line, getCharPositionInLine=0)


levels: list[str] = []
"""Those of the log, oldest first."""

CLASSES: Mapping[str, Any] = {
    names.QUERY_FACTORY: SimpleNamespace(parse=Query),
    names.JOIN: object,
    names.TASK_BUILDER: Task,
    names.PROGRAM_BUILDER: Program,
    names.UPPER_CASE: lambda text, upper: text,
    names.LEXER: Recogniser,
    names.PARSER: Recogniser,
    names.STREAM: Stream,
    names.RDF: RDF,
    names.IRI: IRI,
    names.BLANK_NODE: BlankNode,
    names.LITERAL: Literal,
    names.CHARACTERS: SimpleNamespace(fromString=str),
    names.TOKENS: lambda lexer: lexer,
    names.LOGGER: getters(getRootLogger=SimpleNamespace(setLevel=levels.append)),
    names.LEVEL: SimpleNamespace(ERROR="ERROR"),
}


def java(**others: Any) -> FakeJava:
    """Java as the driver sees it, with OTHERS than those classes."""
    classes = {**CLASSES, **{getattr(names, name): other for name, other in others.items()}}
    return FakeJava(classes, names.CONSUMER, names.ERROR_LISTENER)
