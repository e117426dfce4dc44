"""CQELS 2 as its driver sees it, in Python: the same classes and methods, and no query language.

What a query does is the text itself, a word of `DEEDS`; every pushed statement comes back as a row
of its three terms, in the classes of Java's that the engine gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsp_conformance.model.terms import XSD

DEEDS = ("echo", "refuse", "forget", "throw", "fail", "flood", "late")


def java_class(name: str) -> type:
    """A class that is called as JPype calls Java's, with a text and `toString`."""

    def construct(self: Any, text: str) -> None:
        self.text = text

    def text_of(self: Any) -> str:
        return str(self.text)

    return type(name, (), {"__init__": construct, "toString": text_of, "__str__": text_of})


UnsupportedOperation = type("java.lang.UnsupportedOperationException", (Exception,), {})
ParseError = type("org.cqels.lang.CqelsQueryParser$CqelsQLParseException", (Exception,), {})
NullPointer = type("java.lang.NullPointerException", (Exception,), {})

BOXES = {
    "integer": java_class("java.lang.Long"),
    "decimal": java_class("java.lang.Double"),
    "double": java_class("java.lang.Double"),
    "boolean": java_class("java.lang.Boolean"),
}
String = java_class("java.lang.String")


class Value:
    """An IRI, a BNode or a Literal of RDF4J's."""

    def __init__(self, text: str, datatype: str = "", language: str = "") -> None:
        self.text = text
        self.datatype = datatype
        self.language = language

    def in_row(self) -> Any:
        """The object that the engine's answers have for it."""
        kind = BOXES.get(self.datatype.removeprefix(XSD))
        return kind(self.text) if kind else String(self.text)


class ValueFactory:
    """RDF4J's."""

    def createIRI(self, text: str) -> Value:
        return Value(text)

    def createBNode(self, label: str) -> Value:
        return Value(label)

    def createLiteral(self, label: str, more: Value | str) -> Value:
        if isinstance(more, Value):
            return Value(label, more.text)
        return Value(label, language=more)

    def createStatement(self, *parts: Value) -> tuple[Value, ...]:
        return parts


class Factory:
    """SimpleValueFactory."""

    @staticmethod
    def getInstance() -> ValueFactory:
        return ValueFactory()


class ArrayList(list[Any]):
    """Java's."""

    def add(self, one: Any) -> None:
        self.append(one)


class Row:
    """A map of Java's."""

    def __init__(self, bindings: Mapping[str, Any]) -> None:
        self.bindings = bindings

    def keySet(self) -> list[str]:
        return list(self.bindings)

    def get(self, name: str) -> Any:
        return self.bindings[name]


class Parser:
    """CqelsQueryParser."""

    @staticmethod
    def parseCqelsQLStrict(query: str) -> None:
        if query.split(maxsplit=1)[0] not in DEEDS:
            raise ParseError(f"line 1:0 mismatched input '{query}'")


class Stream:
    """DataStream."""

    def __init__(self, engine: CQELSEngine, name: str) -> None:
        self.engine = engine
        self.name = name

    def push(self, graph: Any, milliseconds: int) -> None:
        self.engine.pushed.append((self.name, graph, milliseconds))
        for statement in graph if isinstance(graph, ArrayList) else [graph]:
            self.engine.answer(statement)


class Connection:
    """RepositoryConnection."""

    def __init__(self, engine: CQELSEngine) -> None:
        self.engine = engine

    def add(self, statement: Any) -> None:
        self.engine.background.append(statement)

    def close(self) -> None:
        self.engine.background.append("closed")


class Repository:
    """Repository."""

    def __init__(self, engine: CQELSEngine) -> None:
        self.engine = engine

    def getConnection(self) -> Connection:
        return Connection(self.engine)


class Builder:
    """CQELSEngine.Builder."""

    def withMemoryStore(self) -> Builder:
        return self

    def build(self) -> CQELSEngine:
        CQELSEngine.made.append(CQELSEngine())
        return CQELSEngine.made[-1]


class CQELSEngine:
    """The engine; `made` are all that the driver made."""

    made: list[CQELSEngine] = []  # noqa: RUF012 - one list for all

    def __init__(self) -> None:
        self.streams: dict[str, Stream] = {}
        self.background: list[Any] = []
        self.pushed: list[tuple[str, Any, int]] = []
        self.deed = ""
        self.state = "new"
        self.listener: Any = None

    @staticmethod
    def builder() -> Builder:
        return Builder()

    def getRepository(self) -> Repository:
        return Repository(self)

    def createStream(self, name: str) -> Stream:
        assert name not in self.streams
        self.streams[name] = Stream(self, name)
        return self.streams[name]

    def registerCqelsQuery(self, query: str, listener: Any) -> None:
        self.deed = query.split(maxsplit=1)[0]
        if self.deed == "refuse":
            raise UnsupportedOperation("not yet\nsupported")
        if self.deed == "forget":
            raise NullPointer("projection is null")
        self.listener = listener

    def start(self) -> None:
        self.state = "started"

    def close(self) -> None:
        self.state = "closed"
        if self.deed == "late" and self.listener is not None:
            self.listener.onComplete()

    def answer(self, statement: Any) -> None:
        assert self.state == "started"
        if self.deed == "throw":
            raise NullPointer("it is null")
        row = {name: part.in_row() for name, part in zip(("?s", "p", "o"), statement, strict=True)}
        for _ in range(1_000 if self.deed == "flood" else 1):
            self.listener.onResult(Row({**row, "unbound": None}))
        if self.deed == "fail":
            self.listener.onError(NullPointer("it is null"))


class FakeJava:
    """Java with the classes above."""

    CLASSES = {  # noqa: RUF012 - a table
        "org.cqels.engine.CQELSEngine": CQELSEngine,
        "org.cqels.lang.CqelsQueryParser": Parser,
        "org.eclipse.rdf4j.model.impl.SimpleValueFactory": Factory,
        "java.util.ArrayList": ArrayList,
    }

    def cls(self, name: str) -> Any:
        return self.CLASSES[name]

    def proxy(self, interface: str, target: object) -> Any:
        assert interface == "org.cqels.engine.QueryResultListener"
        return target
