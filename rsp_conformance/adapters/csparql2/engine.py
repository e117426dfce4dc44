"""C-SPARQL 2 for one case: its streams and its query, its elements one after another, its rows.

The engine works on one Esper, which is the process's. A new one sleeps for a tenth of a second, so
Esper is kept, and emptied between two cases; all else is new.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from rsp_conformance.adapters.csparql2 import names
from rsp_conformance.adapters.csparql2.terms import Terms
from rsp_conformance.adapters.jvm.driver import MOST_ROWS
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused, said
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.answers import Content, Triples
from rsp_conformance.model.terms import IRI, Term, Triple
from rsp_conformance.text.ntriples import write_ntriples

CONFIGURATION: Final = str(Path(__file__).with_name("engine.properties"))

BASE: Final = "http://streamreasoning.org/csparql/"
"""The base that the engine gives to queries, by its configuration."""

ADDED: Final = frozenset({"eventTime", "processingTime"})
"""What the engine adds to each row, as variables, and to each graph, as predicates."""

LOOKED_AFTER: Final = 0.005
"""Seconds between two looks at the thread of a case that is not done."""

WAITING: Final = "acquireWriteLock"
"""Esper's method in which a call waits for the lock of a window."""


class Engine:
    """An engine, new, whose clock shows the registration.

    Args:
        java: runs already.
        registered: the time of registration, in milliseconds.
    """

    def __init__(self, java: Java, registered: int) -> None:
        self._java = java
        self._own = java.cls(names.ENGINE)(
            registered, java.cls(names.ENGINE_CONFIGURATION)(CONFIGURATION)
        )
        self._streams: dict[str, Any] = {}

    def register(
        self, query: str, streams: Iterable[str], background: Iterable[Triple], consumer: object
    ) -> None:
        """Create the streams, then register the query; the consumer hears each of its rows.

        Background data are a file, as users have it: FROM would name it.

        Raises:
            Refused: the engine refuses the query.
        """
        java, stream = self._java, self._java.cls(names.STREAM)
        self._streams = {iri: self._own.register(stream(iri)) for iri in streams}
        try:
            read = java.cls(names.QUERY_FACTORY).parse(BASE, query)
            settings = java.cls(names.QUERY_CONFIGURATION)(CONFIGURATION)
            if triples := list(background):
                with tempfile.NamedTemporaryFile("w", suffix=".nt", encoding="utf-8") as file:
                    file.write(write_ntriples(triples))
                    file.flush()
                    read.addGraphURI(Path(file.name).as_uri())
                    registered = self._own.register(read, settings)
            else:
                registered = self._own.register(read, settings)
            registered.outstream().addConsumer(java.proxy(names.CONSUMER, consumer))
        except Exception as error:  # whatever of Java's comes out of it
            raise Refused("rejected", said(error)) from error

    def put(self, stream: str, graph: Any, time: int) -> None:
        """Put an element, whose rows are out when this returns."""
        self._streams[stream].put(graph, time)


class Esper:
    """The process's Esper."""

    def __init__(self, java: Java) -> None:
        self._java = java
        self._manager = java.cls(names.ESPER)

    def empty(self) -> None:
        """Take all statements out of it, and so the types and schedules that they made."""
        self._manager.getCEP().getEPAdministrator().destroyAllStatements()

    def forget(self) -> None:
        """Leave it as it is: the next engine gets a new one."""
        _private(self._java.cls(names.SERVICES), "runtimes").get(None).clear()
        for name in ("cep", "cepAdm", "cepRT"):
            _private(self._manager, name).set(None, None)

    def go_on_to(self, time: int) -> None:
        """Let its clock run to `time`: all that is due on the way is done at its own time."""
        self._manager.getEPRuntime().sendEvent(self._java.cls(names.SPAN)(time))


class Rows:
    """RSP4J's Consumer of what comes out, row by row; its method bears that interface's name.

    Attributes:
        answers: what came, as members of the reply.
        cause: what is being put: the index of an element, or ``"end"``.
        error: what cannot be told of what came, for Esper would swallow an exception.
    """

    def __init__(self, java: Java, terms: Terms, unit: int) -> None:
        self._graph = java.cls(names.GRAPH)
        self._iris = java.cls(names.IRIS)
        self._terms = terms
        self._unit = unit
        self.answers: list[dict[str, Any]] = []
        self.cause: int | str = 0
        self.error: Exception | None = None

    def notify(self, found: Any, milliseconds: int) -> None:
        """One row, or the graph that CONSTRUCT makes of one."""
        if len(self.answers) >= MOST_ROWS or self.error is not None:
            return
        whole, rest = divmod(int(milliseconds), self._unit)
        t = whole + rest / self._unit if rest else whole
        of = self._graph_of if isinstance(found, self._graph) else self._row_of
        try:
            self.answers.append({"t": t, "cause": self.cause, **of(found)})
        except Exception as error:
            self.error = error

    def _row_of(self, table: Any) -> Mapping[str, Any]:
        (binding,) = table.rows()
        # Jena's names of variables of its own begin with a mark that no protocol lets through.
        found = {str(one.getVarName()).lstrip("?"): binding.get(one) for one in binding.vars()}
        row = {
            name: ANSWERS.write(Term, self._terms.of(node))
            for name, node in found.items()
            if name not in ADDED
        }
        return {"solutions": [row]}

    def _graph_of(self, graph: Any) -> Mapping[str, Any]:
        added = {IRI(str(self._iris.resolve(name))) for name in ADDED}
        found = map(self._terms.triple_of, graph.find().toList())
        triples = [one for one in found if one.predicate not in added]
        content: dict[str, Any] = ANSWERS.write(Content, Triples(frozenset(triples)))
        return content


def done_or_stuck(java: Java, work: Callable[[], None]) -> str:
    """Do some work in a thread of its own, and wait until it is done or can never be.

    Returns:
        Empty, or where the work waits for a lock. Nothing else runs in this Esper, so it is a lock
        of its own, for which it waits for ever.

    Raises:
        Exception: what the work has raised.
    """
    own: list[Any] = []
    errors: list[Exception] = []

    def run() -> None:
        own.append(java.cls(names.THREAD).currentThread())
        try:
            work()
        except Exception as error:  # told below, where somebody hears it
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOKED_AFTER)
        if thread.is_alive() and own and (place := _lock_of(own[0])):
            return place
    if errors:
        raise errors[0]
    return ""


def _lock_of(thread: Any) -> str:
    """The method that waits for a lock in a thread of Java's; empty if none does."""
    if str(thread.getState()) != "WAITING":
        return ""
    frames = [str(frame) for frame in thread.getStackTrace()]
    return next((frame for frame in frames if WAITING in frame), "")


def _private(owner: Any, name: str) -> Any:
    """Return the private static field `name` of a class."""
    field = owner.class_.getDeclaredField(name)
    field.setAccessible(True)
    return field
