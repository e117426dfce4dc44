"""The engine: one context a process, in which many cases have queries on streams of their own."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from rsp_conformance.adapters.cqels1 import names
from rsp_conformance.adapters.cqels1.terms import Terms
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused, said
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.terms import Term, Triple

_PREFIX: Final = "rsp-cqels1-"
_OPENED: Final = 120.0
"""The seconds after which a context that has not opened its files counts as broken: far above any
delay of a busy machine."""

MOST_QUERIES: Final = 200
"""The number of queries that are registered in a context before a new one replaces it: a context
forgets no query. The number bounds its memory."""


@contextmanager
def _folder() -> Iterator[str]:
    """Yield a folder for the files of a context, which opens all of them at once.

    They need no names from then on (what 200 queries write is 0.1 MB of log, and a second file
    begins at 10 MB), so nothing is left behind however this process ends; what one has left that
    was killed as it opened them is removed by the next.
    """
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > _OPENED:
                shutil.rmtree(left)
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder:
        yield folder


class Listener:
    """A `ContinuousListener`; its method bears that interface's name."""

    def __init__(self, heard: Callable[[Any], None]) -> None:
        self._heard = heard

    def update(self, mapping: Any) -> None:
        """A row."""
        self._heard(mapping)


class Engine:
    """CQELS 1 in this process."""

    def __init__(self, java: Java) -> None:
        self._java = java
        self._terms = Terms(java)
        self._open()

    @property
    def full(self) -> bool:
        """Whether a new context is due, once no case runs."""
        return self._registered >= MOST_QUERIES

    def renew(self) -> None:
        """A new context in place of this one; whatever is registered is gone."""
        self.close()
        self._open()

    def close(self) -> None:
        """End the context."""
        with suppress(Exception):  # databases that are still open
            self._context.env().close()
        with suppress(Exception):
            self._context.getDataset().close()
        with suppress(Exception):  # a Java that does not let them be ended
            self._end_timers()
        self._java.cls(names.ESPER).getDefaultProvider().getEPAdministrator().destroyAllStatements()

    def _end_timers(self) -> None:
        """End the threads of the windows' timers: each window has one, which nothing else ends."""
        for thread in self._java.cls("java.lang.Thread").getAllStackTraces().keySet():
            kind = thread.getClass()
            if str(kind.getName()) == "java.util.TimerThread":
                queue, going = map(kind.getDeclaredField, ("queue", "newTasksMayBeScheduled"))
                queue.setAccessible(True)
                going.setAccessible(True)
                clear = queue.get(thread).getClass().getDeclaredMethod("clear")
                clear.setAccessible(True)
                clear.invoke(queue.get(thread))
                going.setBoolean(thread, False)
                thread.interrupt()

    def register(
        self, query: str, background: Iterable[Triple], heard: Callable[[Any], None]
    ) -> None:
        """Register a query, and delete its background data again.

        Args:
            query: the query in CQELS-QL.
            background: the triples of the default graph, which the engine reads at once.
            heard: called with each row that the engine delivers.

        Raises:
            Refused: the engine takes no such query.
        """
        self._registered += 1
        data = self._context.getDataset().getDefaultGraph()
        added = [self._terms.triple(triple) for triple in background]
        for triple in added:
            data.add(triple)
        try:
            listener = self._java.proxy(names.LISTENER, Listener(heard))
            self._context.registerSelect(query).register(listener)
        except Exception as error:  # whatever of Java's comes out of it
            raise Refused("rejected", said(error)) from error
        finally:
            for triple in added:
                data.delete(triple)

    def element(self, stream: str, triples: Iterable[Triple]) -> list[tuple[Any, Any]]:
        """Return the message for an element."""
        graph = self._terms.iri(stream)
        return [(graph, self._terms.triple(triple)) for triple in triples]

    def send(self, stream: Any, triple: Any) -> None:
        """Send a triple; what it gives is heard before this returns."""
        self._context.engine().send(stream, triple)

    def solution(self, mapping: Any) -> dict[str, Any]:
        """Return the row of a mapping, as the protocol has it.

        Raises:
            Refused: a value cannot be computed, or is no RDF term.
        """
        row = {}
        variables = mapping.vars()
        while variables.hasNext():
            variable = variables.next()
            name = str(variable.getVarName())
            try:
                number = mapping.get(variable)  # Java's long, which decode takes
            except Exception as error:  # BIND is evaluated only now
                raise Refused("crashed", f"reading ?{name} of a row: {said(error)}") from error
            if number > 0:
                row[name] = ANSWERS.write(
                    Term, self._terms.of(self._context.engine().decode(number))
                )
        return row

    def _open(self) -> None:
        with _folder() as folder:
            self._context = self._java.cls(names.CONTEXT)(folder, True)
        # The number of its first term is 0, which is also how a row says that there is none.
        self._context.engine().encode(self._terms.iri("urn:rsp:first"))
        self._registered = 0
