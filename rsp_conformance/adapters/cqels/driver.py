"""The driver: an engine a case, made, fed by `push`, and closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rsp_conformance.adapters.cqels.terms import Terms
from rsp_conformance.adapters.jvm.driver import MOST_ROWS, background_of, triples_of
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused, said
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.printer.continuous import bare_name


class Sink:
    """A `QueryResultListener`: the rows of a case, each with the push that brought it."""

    def __init__(self) -> None:
        self.cause: int | None = None
        self.rows: list[tuple[int | None, Any]] = []
        self.error: str | None = None

    def onResult(self, row: Any) -> None:
        """A row: a map of Java's from variables to objects."""
        if len(self.rows) < MOST_ROWS:
            self.rows.append((self.cause, row))

    def onError(self, error: Any) -> None:
        """The query has failed."""
        self.error = self.error or said(error)

    def onComplete(self) -> None:
        """No stream is ever completed here."""


class CqelsDriver:
    """CQELS 2 behind the protocol; see `jvm.driver.Make`."""

    def __init__(self, java: Java, _: Mapping[str, str]) -> None:
        self._java = java
        self._engine = java.cls("org.cqels.engine.CQELSEngine")
        self._parser = java.cls("org.cqels.lang.CqelsQueryParser")
        self._list = java.cls("java.util.ArrayList")
        self._values = java.cls("org.eclipse.rdf4j.model.impl.SimpleValueFactory").getInstance()
        self._engine.builder().withMemoryStore().build().close()  # what is missing shows here

    def run(self, request: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
        """Return the answers to one case: a row each.

        Raises:
            Refused: a part of the case is not supported, or the engine rejects the query or
                crashes.
        """
        terms, sink = Terms(self._values), Sink()
        background = [terms.statement(triple, graph) for triple, graph in background_of(request)]
        elements = [
            [terms.statement(triple) for triple in triples_of(element, index)]
            for index, element in enumerate(request["elements"])
        ]
        self._check(request["query"])
        engine = self._engine.builder().withMemoryStore().build()
        try:
            self._add(engine, background)
            streams = self._streams(engine, request["streams"])
            self._register(engine, request["query"], sink)
            engine.start()
            for index, element in enumerate(request["elements"]):
                sink.cause = index
                milliseconds = int(element["t"]) * int(request["unit"])
                self._push(streams[element["stream"]], elements[index], milliseconds)
                if sink.error is not None:
                    break
        finally:
            engine.close()
        answers = [
            {"t": None, "cause": cause, "solutions": [terms.solution(row)]}
            for cause, row in sink.rows
        ]
        if sink.error is not None:
            raise Refused("crashed", sink.error, answers=answers)
        return answers

    def _check(self, query: str) -> None:
        """Refuse what the engine's parser refuses: registered, it would be printed and run on."""
        try:
            self._parser.parseCqelsQLStrict(query)
        except Exception as error:  # Java's exceptions
            raise Refused("rejected", said(error)) from error

    def _add(self, engine: Any, background: list[Any]) -> None:
        if background:
            connection = engine.getRepository().getConnection()
            for statement in background:
                connection.add(statement)
            connection.close()

    def _streams(self, engine: Any, iris: list[str]) -> dict[str, Any]:
        """Return the streams by their IRIs; queries call them by the last words of these."""
        names = {iri: bare_name(IRI(iri)) or iri for iri in iris}
        if len(set(names.values())) < len(names):
            raise Refused("unsupported", "streams of one name")
        return {iri: engine.createStream(name) for iri, name in names.items()}

    def _register(self, engine: Any, query: str, sink: Sink) -> None:
        listener = self._java.proxy("org.cqels.engine.QueryResultListener", sink)
        try:
            engine.registerCqelsQuery(query, listener)
        except Exception as error:  # Java's exceptions
            own_limit = "UnsupportedOperation" in type(error).__name__
            kind = "unsupported" if own_limit else "rejected"
            raise Refused(kind, said(error)) from error

    def _push(self, stream: Any, statements: list[Any], milliseconds: int) -> None:
        """Push an element; a join of two streams takes single statements alone."""
        if len(statements) == 1:
            stream.push(statements[0], milliseconds)
            return
        graph = self._list()
        for statement in statements:
            graph.add(statement)
        stream.push(graph, milliseconds)
