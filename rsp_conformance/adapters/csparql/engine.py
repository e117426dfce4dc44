"""One C-SPARQL engine in this process: a case's streams, query and data go in, answers come out.

The engine is set to external time. It knows no clock then but the timestamps of its elements, and
when the call that puts an element returns, all answers that it sets off are out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any, Final

from rsp_conformance.adapters.csparql.tables import content_of, text_of
from rsp_conformance.adapters.jvm.driver import MOST_ROWS, default_graph_of, triples_of
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused, said
from rsp_conformance.text.ntriples import write_ntriples

TICK: Final = 1000
"""The milliseconds of a tick of the engine's external clock, as in its own example."""

BACKGROUND: Final = "urn:rsp:background"
"""The name of the background data, as the kit's printer writes FROM."""

CLOCK: Final = "urn:rsp:clock"
"""The driver's own stream, whose one element starts the clock, and that element's terms."""

_IMPL = "eu.larkc.csparql.core.engine.CsparqlEngineImpl"


@dataclass(frozen=True, slots=True)
class CSparqlCase:
    """A request as the engine takes it, all times in milliseconds.

    Attributes:
        query: C-SPARQL.
        streams: their IRIs.
        background: N-Triples; None if the query has no FROM.
        registered: the time of registration.
        elements: the stream of each, its time, and its triples as three texts each.
        unit: the milliseconds of the case's instants.
    """

    query: str
    streams: tuple[str, ...]
    background: str | None
    registered: int
    elements: tuple[tuple[str, int, tuple[tuple[str, str, str], ...]], ...]
    unit: int


def case_of(request: Mapping[str, Any]) -> CSparqlCase:
    """Return the case of a request.

    Raises:
        Refused: the case has something that C-SPARQL lacks.
    """
    unit = request["unit"]
    if unit % TICK:
        raise Refused("unsupported", f"instants of {unit} ms: the clock goes on by {TICK}")
    background = default_graph_of(request)
    for triple in background:
        for term in triple:
            text_of(term)
    elements = []
    for index, element in enumerate(request["elements"]):
        triples = triples_of(element, index)
        texts = tuple((text_of(s), text_of(p), text_of(o)) for s, p, o in triples)
        elements.append((element["stream"], element["t"] * unit, texts))
    return CSparqlCase(
        request["query"],
        tuple(request["streams"]),
        write_ntriples(background) if request.get("static") else None,
        request["registered"] * unit,
        tuple(elements),
        unit,
    )


class CSparqlEngine:
    """An engine, new; `reset` makes it as good as new again.

    Raises whatever Java raises.
    """

    def __init__(self, java: Java) -> None:
        self._java = java
        self._impl = java.cls(_IMPL)()
        self._impl.initialize()
        self._esper = _private(self._impl, "cepEngine").get(self._impl)
        self._service = self._esper.getEpService()

    def reset(self) -> None:
        """Take everything out of it, and set its clock to what a new engine's says, the wall's.

        A new engine costs 0.4 s, which Esper sleeps when it is started and ended. So its service
        is kept, without statements; all else is new.
        """
        self._service.getEPAdministrator().destroyAllStatements()
        for name in ("queries", "streams", "snapshots", "results"):
            _private(self._impl, name).get(self._impl).clear()
        evaluator = self._java.cls("eu.larkc.csparql.sparql.jena.JenaEngine")()
        evaluator.initialize()
        _private(self._impl, "sparqlEngine").set(self._impl, evaluator)
        for name in ("queries", "streams", "statements", "quadAtBoundary"):
            _private(self._esper, name).get(self._esper).clear()
        for name in ("currentSystemTime", "currentSystemLastTickTime"):
            _private(self._esper, name).set(self._esper, None)
        _private(self._esper, "isSysTimeInit").setBoolean(self._esper, False)
        now = self._java.cls("com.espertech.esper.client.time.CurrentTimeEvent")
        self._service.getEPRuntime().sendEvent(now(int(time.time() * 1000)))

    def close(self) -> None:
        """End it. Its own `destroy` fails where a query is registered, so those go first."""
        for query in list(self._impl.getAllQueries()):
            self._impl.unregisterQuery(query.getId())
        self._impl.destroy()

    def run(self, case: CSparqlCase, early: bool) -> list[dict[str, Any]]:
        """Return the answers to `case`; with `early` the clock starts before the first window.

        Raises:
            Refused: the engine refuses the query, or ends in an exception.
        """
        streams = {iri: self._stream(iri) for iri in (*case.streams, CLOCK)}
        self._put_background(case.background)
        heard = _Listener(self._now, case)
        self._register(case.query).addObserver(self._java.proxy("java.util.Observer", heard))
        quad = self._java.cls("eu.larkc.csparql.cep.api.RdfQuadruple")
        try:
            for start in self._starts(case.registered) if early else ():
                heard.after = case.registered
                streams[CLOCK].put(quad(CLOCK, CLOCK, CLOCK, start))
            for index, (stream, t, triples) in enumerate(case.elements):
                heard.cause = index
                for subject, predicate, value in triples:
                    streams[stream].put(quad(subject, predicate, value, t))
        except Exception as error:
            raise Refused("crashed", said(error), answers=heard.answers) from error
        if heard.error is not None:
            raise heard.error
        return heard.answers

    def _put_background(self, triples: str | None) -> None:
        try:
            if triples is not None:
                self._impl.putStaticNamedModel(BACKGROUND, triples)
        except Exception as error:
            raise Refused("crashed", said(error)) from error

    def _now(self) -> tuple[int, bool]:
        """Return the instant of what is going on, and whether it is a triple that comes in.

        The engine keeps what lies at a tick until the clock has to go beyond, and hands it to Esper
        before it moves Esper's clock there.
        """
        held = _private(self._esper, "quadAtBoundary").get(self._esper)
        if held.isEmpty():
            # Windows close when the clock has gone a millisecond beyond the tick.
            return int(self._service.getEPRuntime().getCurrentTime()) // TICK * TICK, False
        return int(held.get(0).getTimestamp()), True

    def _stream(self, iri: str) -> Any:
        stream = self._java.cls("eu.larkc.csparql.cep.api.RdfStream")(iri)
        self._impl.registerStream(stream)
        return stream

    def _register(self, query: str) -> Any:
        """Return the query's results, which can be observed.

        The engine prints what its parser says and goes on into an exception that says nothing, so
        the parser is asked again for its words.
        """
        try:
            return self._impl.registerQuery(query, False)
        except Exception as error:
            words = said(error)
            try:
                self._java.cls("eu.larkc.csparql.core.new_parser.CsparqlParser").createAndParse(
                    query
                )
            except Exception as parsing:
                words = said(parsing)
            raise Refused("rejected", words) from error

    def _starts(self, registered: int) -> list[int]:
        """Return when elements of the driver's own start the clock.

        That is a time at which windows close, before any window of the case opens. A window by
        count counts the triples of all streams, so there are as many as fill it. Windows by count
        alone need no clock.
        """
        (query,) = self._impl.getAllQueries()
        windows, sizes = [], []
        for stream in query.getStreams():
            window = stream.getWindow()
            if stream.hasPhisicalWindow():
                sizes.append(int(window.getWindowRange()))
            else:
                windows.append(window)
        if not windows:
            return []
        width = max(_milliseconds(window.getRangeDescription()) for window in windows)
        grid = lcm(*(_milliseconds(window.getStepDescription()) for window in windows))
        return [(registered - width - grid) // grid * grid] * lcm(*sizes)


_UNITS = {"MS": 1, "S": 1000, "M": 60_000, "H": 3_600_000, "D": 86_400_000}


def _milliseconds(length: Any) -> int:
    return int(length.getValue()) * _UNITS[str(length.getTimeUnit().name())]


class _Listener:
    """Collects answers, as Java's ``Observer``."""

    def __init__(self, now: Callable[[], tuple[int, bool]], case: CSparqlCase) -> None:
        self._now = now
        self._unit = case.unit
        self._rows = 0
        self.cause: int | None = None
        self.after: int | None = None
        self.answers: list[dict[str, Any]] = []
        self.error: Exception | None = None

    def update(self, source: Any, table: Any) -> None:
        """An evaluation; Esper would swallow an exception, so it is kept."""
        try:
            t, by_a_triple = self._now()
            if self.after is not None and t <= self.after and not by_a_triple:
                return
            content = content_of(table)
            self._rows += (
                1 + len(content.get("solutions", ())) + content.get("graph", "").count("\n")
            )
            if self._rows <= MOST_ROWS:
                instant = t // self._unit if t % self._unit == 0 else t / self._unit
                self.answers.append({"t": instant, "cause": self.cause, **content})
        except Exception as error:
            self.error = error


def _private(owner: Any, name: str) -> Any:
    """Return the private field `name` of `owner`'s class."""
    field = owner.getClass().getDeclaredField(name)
    field.setAccessible(True)
    return field
