"""The classes of CQELS 1 that its driver calls, without Java: each triple of a window is a row.

A row has `?s`, `?p`, `?o` and `?n`, how many triples the window holds: by the clock those sent
within RANGE, all for ALL, one for NOW, and N at most for TRIPLES N. The clock is the test's own,
and it stands still but for `Clock.sleep`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from math import inf
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

from rsp_conformance.adapters.cqels1 import names
from tests.adapters.jvm.fake import FakeJava, Field, JavaError, getters


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


def mapping(row: Mapping[str, int]) -> Any:
    """A row: variables to numbers of nodes, 0 for none."""
    left = [getters(getVarName=name) for name in row]
    variables = SimpleNamespace(hasNext=lambda: bool(left), next=lambda: left.pop(0))
    return SimpleNamespace(vars=lambda: variables, get=lambda one: row[one.getVarName()])


def java_class(name: str) -> Any:
    """A class of Java's, by reflection."""
    return SimpleNamespace(getName=lambda: name, getDeclaredField=Field, getDeclaredMethod=Field)


class Thread:
    """A thread, until it ends; nothing may interrupt one that is no timer's."""

    alive: ClassVar[set[Thread]] = set()

    def __init__(self) -> None:
        self.alive.add(self)

    def getClass(self) -> Any:
        return java_class("java.lang.Thread")

    def interrupt(self) -> None:
        raise AssertionError("a thread that is no timer's")

    @classmethod
    def getAllStackTraces(cls) -> Any:
        return SimpleNamespace(keySet=lambda: set(cls.alive))


class TimerThread(Thread):
    """A timer's; it ends as it wakes with nothing to do, and nothing to come."""

    def __init__(self) -> None:
        super().__init__()
        tasks = ["one, which comes again and again"]
        kind = java_class("java.util.TaskQueue")
        self.queue = SimpleNamespace(left=tasks, clear=tasks.clear, getClass=lambda: kind)
        self.newTasksMayBeScheduled = True

    def getClass(self) -> Any:
        return java_class("java.util.TimerThread")

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
        self._registered: list[tuple[str, float, int, int, list[Any], list[float]]] = []
        graph = SimpleNamespace(add=self.data.append, delete=self.data.remove)
        dataset = getters(getDefaultGraph=graph, close=None)
        self.engine, self.getDataset = lambda: self, lambda: dataset
        self.env = lambda: getters(close=None)

    def registerSelect(self, query: str) -> Any:
        self.queries.append(query)
        if "rejected" in query:
            raise JavaError("org.openjena.atlas.lib.ParseException: no")
        found = re.search(r"STREAM <([^>]*)> \[(RANGE|TRIPLES|NOW|ALL)(?: (\d+)(?:ms)?)?\]", query)
        assert found
        number = int(found[3] or 1)
        width = number / 1000 if found[2] == "RANGE" else inf
        most = number if found[2] in ("TRIPLES", "NOW") else sys.maxsize
        listeners: list[Any] = []
        window = (found[1], width, most, len(self.data), listeners, [])
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
        for name, width, most, static, listeners, held in self._registered:
            if name == stream.getURI():
                held[:] = [*(then for then in held if now - then <= width), now][-most:]
                count = Node.createLiteral(str(len(held) + static), "", None)
                row = dict(zip("spon", map(self._number, (*triple, count)), strict=True))
                for listener in listeners:
                    listener.update(mapping(row | {"unbound": 0}))
        self.clock.now += self.clock.costs.pop(0) if self.clock.costs else 0.0001

    def _number(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1


_ADMINISTRATOR = getters(destroyAllStatements=None)
JAVA = FakeJava(
    {
        "java.lang.Thread": Thread,
        names.CONTEXT: Context,
        names.NODE: Node,
        names.LABEL: str,
        names.TRIPLE: lambda s, p, o: (s, p, o),
        names.TYPES: getters(getInstance=SimpleNamespace(getSafeTypeByName=str)),
        names.ESPER: getters(getDefaultProvider=getters(getEPAdministrator=_ADMINISTRATOR)),
    },
    names.LISTENER,
)
