"""The classes of CQELS 1 that its driver calls, without Java: each triple of a window is a row.

A row has `?s`, `?p`, `?o` and `?n`, how many triples the window holds by the clock: those sent
within RANGE. The clock is the test's own, and it stands still but for `Clock.sleep`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

from rsp_conformance.adapters.cqels1 import names


class JavaError(Exception):
    """What a method of this Java throws."""


class Clock:
    """Seconds; each `send` takes as many as are next in `costs`, or a hundredth of a second."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.costs: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


class Node:
    def __init__(self, kind: str, text: str, tag: str = "", datatype: str | None = None) -> None:
        self.isURI = lambda: kind == "uri"
        self.isBlank = lambda: kind == "bnode"
        self.isLiteral = lambda: kind == "literal"
        self.getURI = self.getBlankNodeLabel = self.getLiteralLexicalForm = lambda: text
        self.getLiteralLanguage = lambda: tag
        self.getLiteralDatatypeURI = lambda: datatype

    @classmethod
    def createURI(cls, iri: str) -> Node:
        return cls("uri", iri)

    @classmethod
    def createAnon(cls, label: str) -> Node:
        return cls("bnode", label)

    @classmethod
    def createLiteral(cls, lexical: str, tag: str, datatype: str | None) -> Node:
        return cls("literal", lexical, tag, datatype)


class Variable:
    def __init__(self, name: str) -> None:
        self.getVarName = lambda: name


class Mapping1:
    """A row: variables to numbers of nodes, 0 for none."""

    def __init__(self, row: Mapping[str, int]) -> None:
        self._row = row

    def vars(self) -> Any:
        left = list(self._row)
        return SimpleNamespace(
            hasNext=lambda: bool(left),
            next=lambda: Variable(left.pop(0)),
        )

    def get(self, variable: Any) -> int:
        return self._row[variable.getVarName()]


class Field:
    """A field of an object, or a method without arguments, by reflection."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._open = False

    def setAccessible(self, open: bool) -> None:
        self._open = open

    def get(self, owner: Any) -> Any:
        assert self._open
        return getattr(owner, self._name)

    def setBoolean(self, owner: Any, value: bool) -> None:
        assert self._open
        setattr(owner, self._name, value)

    def invoke(self, owner: Any) -> None:
        self.get(owner)()


class Class:
    """A class of Java's, by reflection."""

    getDeclaredField = getDeclaredMethod = staticmethod(Field)

    def __init__(self, name: str) -> None:
        self.getName = lambda: name


class Thread:
    """A thread, until it ends; nothing may interrupt one that is no timer's."""

    alive: ClassVar[set[Thread]] = set()

    def __init__(self) -> None:
        self.alive.add(self)

    def getClass(self) -> Class:
        return Class("java.lang.Thread")

    def interrupt(self) -> None:
        raise AssertionError("a thread that is no timer's")

    @classmethod
    def getAllStackTraces(cls) -> Any:
        return SimpleNamespace(keySet=lambda: set(cls.alive))


class Tasks:
    """What a timer has to do: one task, which comes again and again."""

    def __init__(self) -> None:
        self.left = 1

    def getClass(self) -> Class:
        return Class("java.util.TaskQueue")

    def clear(self) -> None:
        self.left = 0


class TimerThread(Thread):
    """A timer's; it ends as it wakes with nothing to do, and nothing to come."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = Tasks()
        self.newTasksMayBeScheduled = True

    def getClass(self) -> Class:
        return Class("java.util.TimerThread")

    def interrupt(self) -> None:
        if not (self.queue.left or self.newTasksMayBeScheduled):
            self.alive.discard(self)


class Context:
    """ExecContext, and all that belongs to it; each window has a timer that it never ends."""

    clock = Clock()
    made: ClassVar[list[Context]] = []
    queries: ClassVar[list[str]] = []

    def __init__(self, folder: str, clean: bool) -> None:
        assert clean and Path(folder).is_dir()
        self.folder = folder
        self.made.append(self)
        self.data: list[Any] = []
        self._nodes: list[Node] = []
        self._registered: list[tuple[str, float, int, list[Any], list[float]]] = []
        graph = SimpleNamespace(add=self.data.append, delete=self.data.remove)
        self._dataset = SimpleNamespace(getDefaultGraph=lambda: graph, close=lambda: None)

    def engine(self) -> Context:
        return self

    def getDataset(self) -> Any:
        return self._dataset

    def env(self) -> Any:
        return SimpleNamespace(close=lambda: None)

    def registerSelect(self, query: str) -> Any:
        self.queries.append(query)
        if "rejected" in query:
            raise JavaError("org.openjena.atlas.lib.ParseException: no")
        found = re.search(r"STREAM <([^>]*)> \[RANGE (\d+)ms\]", query)
        assert found
        listeners: list[Any] = []
        window = (found[1], int(found[2]) / 1000, len(self.data), listeners, [])
        self._registered.append(window)
        TimerThread()
        return SimpleNamespace(register=listeners.append)

    def encode(self, node: Node) -> int:
        return self._number(node)

    def decode(self, number: int) -> Node:
        return self._nodes[number]

    def send(self, stream: Node, triple: tuple[Node, Node, Node]) -> None:
        if triple[2].getURI() == "urn:bad":
            raise JavaError("java.lang.NullPointerException")
        now = self.clock.now
        for name, width, static, listeners, held in self._registered:
            if name == stream.getURI():
                held[:] = [*(then for then in held if now - then <= width), now]
                count = Node.createLiteral(str(len(held) + static), "", None)
                row = dict(zip("spon", map(self._number, (*triple, count)), strict=True))
                for listener in listeners:
                    listener.update(Mapping1(row | {"unbound": 0}))
        self.clock.now += self.clock.costs.pop(0) if self.clock.costs else 0.0001

    def _number(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1


_ADMIN = SimpleNamespace(destroyAllStatements=lambda: None)
_CLASSES: Mapping[str, Any] = {
    "java.lang.Thread": Thread,
    names.CONTEXT: Context,
    names.NODE: Node,
    names.LABEL: str,
    names.TRIPLE: lambda s, p, o: (s, p, o),
    names.TYPES: SimpleNamespace(
        getInstance=lambda: SimpleNamespace(getSafeTypeByName=lambda datatype: datatype)
    ),
    names.ESPER: SimpleNamespace(
        getDefaultProvider=lambda: SimpleNamespace(getEPAdministrator=lambda: _ADMIN)
    ),
}


class FakeJava:
    """Java as the driver sees it."""

    def cls(self, name: str) -> Any:
        return _CLASSES[name]

    def proxy(self, interface: str, target: object) -> Any:
        assert interface == names.LISTENER
        return target
