"""The driver of C-SPARQL 2: an engine for each case, on one Esper."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rsp_conformance.adapters.csparql2 import names
from rsp_conformance.adapters.csparql2.engine import Engine, Esper, Rows, done_or_stuck
from rsp_conformance.adapters.csparql2.terms import Terms
from rsp_conformance.adapters.jvm.driver import default_graph_of, triples_of
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused, said


class CSparql2Driver:
    """The driver's engine, for `adapters.jvm.driver.main`."""

    def __init__(self, java: Java, options: Mapping[str, str]) -> None:
        self._java = java
        self._runs = options.get("clock", "jumps") == "runs"
        self._terms = Terms(java)
        self._esper = Esper(java)
        # Its own configuration logs every stream and query.
        java.cls(names.LOGGER).getRootLogger().setLevel(java.cls(names.LEVEL).ERROR)

    def run(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows of one case, each with the instant that the engine gives it.

        Raises:
            Refused: a part of the case is not supported, or the engine rejects the query, crashes,
                or waits for ever for a lock of its own.
        """
        unit = request["unit"]
        elements = [
            (element["stream"], element["t"] * unit, self._terms.graph(triples_of(element, index)))
            for index, element in enumerate(request["elements"])
        ]
        background = default_graph_of(request)
        rows = Rows(self._java, self._terms, unit)

        def whole() -> None:
            engine = Engine(self._java, request["registered"] * unit)
            engine.register(request["query"], request["streams"], background, rows)
            for index, (stream, time, graph) in enumerate(elements):
                rows.cause = index
                try:
                    if self._runs:
                        self._esper.go_on_to(time)
                    engine.put(stream, graph, time)
                except Exception as error:  # whatever of Java's comes out of it
                    raise Refused("crashed", f"element {index}: {said(error)}") from error
                if rows.error is not None:
                    raise rows.error
            if self._runs:
                rows.cause = "end"
                self._esper.go_on_to(request["until"] * unit)

        try:
            if place := done_or_stuck(self._java, whole):
                self._esper.forget()
                what = f"waits for ever for a lock of its own, in {place}"
                raise Refused("crashed", f"element {rows.cause}: {what}")
        except Refused as refused:
            refused.answers = list(rows.answers)
            raise
        finally:
            self._esper.empty()
        return rows.answers
