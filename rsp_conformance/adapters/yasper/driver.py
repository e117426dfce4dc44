"""The driver's engine: a continuous program for each case, pushed element by element."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from rsp_conformance.adapters.jvm.driver import MOST_ROWS, default_graph_of, triples_of
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused, said
from rsp_conformance.adapters.yasper import names
from rsp_conformance.adapters.yasper.syntax import Syntax
from rsp_conformance.adapters.yasper.terms import Terms
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.terms import Term
from rsp_conformance.text.ntriples import write_ntriples


class Yasper:
    """YASPER in this process; every case has a program, streams and terms of its own."""

    def __init__(self, java: Java, _: Mapping[str, str]) -> None:
        self._java = java
        self._syntax = Syntax(java)
        self._query_factory = java.cls(names.QUERY_FACTORY)
        self._task_builder = java.cls(names.TASK_BUILDER)
        self._program_builder = java.cls(names.PROGRAM_BUILDER)
        self._join = java.cls(names.JOIN)
        self._stream = java.cls(names.STREAM)
        # Its own configuration logs a line for every window of every element.
        java.cls(names.LOGGER).getRootLogger().setLevel(java.cls(names.LEVEL).ERROR)

    def run(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the rows of one case, each with the instant that the engine gives it.

        Raises:
            Refused: a part of the case is not supported, or the engine rejects the query or
                crashes.
        """
        terms = Terms(self._java)
        elements = [
            (element["stream"], element["t"], terms.graph(triples_of(element, index)))
            for index, element in enumerate(request["elements"])
        ]
        rows = _Rows(terms, request["unit"])
        with _background_file(request) as path:
            streams = self._registered(request, path, rows)
        for index, (stream, t, graph) in enumerate(elements):
            rows.cause = index
            try:
                streams[stream].put(graph, t * request["unit"])
            except Exception as error:  # whatever of Java's comes out of it
                raise Refused(
                    "crashed", f"element {index}: {said(error)}", answers=rows.answers
                ) from error
        return rows.answers

    def _registered(
        self, request: Mapping[str, Any], background: str | None, rows: _Rows
    ) -> dict[str, Any]:
        """Return the streams of a case, with the query registered on them."""
        text = self._syntax.read(request["query"], background)
        try:
            query = self._query_factory.parse(text)
            task = self._task_builder().fromQuery(query).build()
            streams = {iri: self._stream(iri) for iri in request["streams"]}
            program = self._program_builder()
            for stream in streams.values():
                program.in_(stream)
            answers = query.getOutputStream()
            program.addTask(task).out(answers).addJoinAlgorithm(self._join()).build()
            answers.addConsumer(self._java.proxy(names.CONSUMER, rows))
        except Exception as error:  # whatever of Java's comes out of it
            raise Refused("rejected", said(error)) from error
        return streams


class _Rows:
    """RSP4J's Consumer of what comes out, row by row; its method bears that interface's name."""

    def __init__(self, terms: Terms, unit: int) -> None:
        self._terms = terms
        self._unit = unit
        self.answers: list[dict[str, Any]] = []
        self.cause = 0

    def notify(self, binding: Any, milliseconds: int) -> None:
        """One row."""
        if len(self.answers) >= MOST_ROWS:
            return
        # YASPER takes the `$` of `$x` for a part of the name (SPARQL 1.1, 4.1.3).
        found = {str(v.name()).removeprefix("$"): binding.value(v) for v in binding.variables()}
        row = {
            name: ANSWERS.write(Term, self._terms.of(value))
            for name, value in found.items()
            if value is not None
        }
        t = Fraction(int(milliseconds), self._unit)
        self.answers.append(
            {
                "t": t.numerator if t.denominator == 1 else float(t),
                "cause": self.cause,
                "solutions": [row],
            }
        )


@contextmanager
def _background_file(request: Mapping[str, Any]) -> Iterator[str | None]:
    """Yield a file with the case's background data, as FROM names it; None if it has none.

    The engine reads it as the query is registered. It has no name of its own: nothing of it is left
    if this process is killed, and the place of temporary files may be called as it likes.
    """
    triples = default_graph_of(request)
    if not triples:
        yield None
        return
    with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
        file.write(write_ntriples(triples))
        file.seek(0)
        yield f"/dev/fd/{file.fileno()}"
