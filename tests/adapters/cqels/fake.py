"""CQELS 2 as its driver sees it, in Python: the same classes and methods, and no query language.

What a query does is the text itself, a word of `DEEDS`; every pushed statement comes back as a row
of its three terms, in the classes of Java's that the engine gives.
"""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any, ClassVar

from rsp_conformance.model.terms import XSD
from tests.adapters.jvm.fake import FakeJava, getters

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

String = java_class("java.lang.String")
BOXES = {
    f"{XSD}integer": java_class("java.lang.Long"),
    f"{XSD}decimal": java_class("java.lang.Double"),
    f"{XSD}double": java_class("java.lang.Double"),
    f"{XSD}float": java_class("java.lang.Double"),
    f"{XSD}boolean": java_class("java.lang.Boolean"),
}


def value(text: str, more: Any = None) -> Any:
    """A term of RDF4J's, and the class of the object that the engine's answers have for it."""
    return SimpleNamespace(text=text, box=BOXES.get(getattr(more, "text", ""), String))


FACTORY = SimpleNamespace(
    createIRI=value, createBNode=value, createLiteral=value, createStatement=lambda *parts: parts
)


class ArrayList(list[Any]):
    """Java's."""

    add = list.append


def parse(query: str) -> None:
    if query.split(maxsplit=1)[0] not in DEEDS:
        raise ParseError(f"line 1:0 mismatched input '{query}'")


class CQELSEngine:
    """The engine; `made` are all that the driver made."""

    made: ClassVar[list[CQELSEngine]] = []

    def __init__(self) -> None:
        self.made.append(self)
        self.streams: dict[str, Any] = {}
        self.background: list[Any] = []
        self.pushed: list[tuple[str, Any, int]] = []
        self.deed = ""
        self.state = "new"
        self.listener: Any = None
        close = partial(self.background.append, "closed")
        connection = SimpleNamespace(add=self.background.append, close=close)
        self.getRepository = lambda: getters(getConnection=connection)

    @classmethod
    def builder(cls) -> Any:
        return getters(withMemoryStore=SimpleNamespace(build=cls))

    def createStream(self, name: str) -> Any:
        assert name not in self.streams
        self.streams[name] = SimpleNamespace(push=partial(self.push, name))
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

    def push(self, stream: str, graph: Any, milliseconds: int) -> None:
        self.pushed.append((stream, graph, milliseconds))
        for statement in graph if isinstance(graph, ArrayList) else [graph]:
            self.answer(statement)

    def answer(self, statement: Any) -> None:
        assert self.state == "started"
        if self.deed == "throw":
            raise NullPointer("it is null")
        parts = zip(("?s", "p", "o"), statement, strict=True)
        row = {"unbound": None} | {name: part.box(part.text) for name, part in parts}
        for _ in range(1_000 if self.deed == "flood" else 1):
            self.listener.onResult(SimpleNamespace(keySet=row.keys, get=row.get))
        if self.deed == "fail":
            self.listener.onError(NullPointer("it is null"))


JAVA = FakeJava(
    {
        "org.cqels.engine.CQELSEngine": CQELSEngine,
        "org.cqels.lang.CqelsQueryParser": SimpleNamespace(parseCqelsQLStrict=parse),
        "org.eclipse.rdf4j.model.impl.SimpleValueFactory": getters(getInstance=FACTORY),
        "java.util.ArrayList": ArrayList,
    },
    "org.cqels.engine.QueryResultListener",
)
