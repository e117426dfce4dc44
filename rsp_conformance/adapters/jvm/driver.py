"""The process of a driver: Java started by the hello, then one case after another."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any, Final

from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.adapters.jvm.jars import jars_in
from rsp_conformance.adapters.jvm.java import Java, start_java
from rsp_conformance.adapters.stdio import Refused, claim_stdout, end, said, serve
from rsp_conformance.model.terms import Triple
from rsp_conformance.protocol import EngineUnavailable
from rsp_conformance.text.ntriples import NTriplesError, Quad, parse_nquads

PROTOCOL = 1
"""The version of the protocol that the driver speaks."""
MOST_ROWS = 300_000
"""The number of rows per case beyond which a driver drops the rows of a flooding engine. The kit
ends the case long before it has read so many: they would only fill the driver's memory."""

_A: Final = "<urn:rsp:a> <urn:rsp:{}> <urn:rsp:b> ."
TRIAL: Final[Mapping[str, Any]] = {
    **{"op": "run", "id": "trial", "streams": ["urn:rsp:trial"], "registered": 0, "until": 9},
    **{"unit": 1000, "pacing": "burst", "static": [{"quads": _A.format("q")}]},
    "elements": [
        {"stream": "urn:rsp:trial", "t": t, "graph": _A.format("p")} for t in (1, 3, 4, 9)
    ],
}
"""The request for `JvmEngine.trials`, without the query."""

_LACKING: Final = re.compile(r"(NoClassDefFoundError|ClassNotFoundException): [\w.$/]+$")
"""The message of Java if a class is missing; that of a class which fails is longer."""

Make = Callable[[Java, Mapping[str, str]], Any]
"""The driver's engine from Java and the options of the command line.

It has a method `run`, which takes a request and gives its answers, or raises `Refused`.
"""


class JvmDriver:
    """A driver for `stdio.serve`.

    Args:
        engine: the facts about the engine.
        make: makes the engine once Java runs; called once.
        folders: the folders with its jars.
        options: the engine's further options.
        start: starts Java, or a fake in tests.
    """

    def __init__(
        self,
        engine: JvmEngine,
        make: Make,
        folders: Sequence[str],
        options: Mapping[str, str],
        start: Callable[..., Java] = start_java,
    ) -> None:
        self._known = engine
        self._make = make
        self._folders = folders
        self._options = options
        self._start = start
        self._made: Any = None
        self._version = ""

    def hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the hello; Java starts here."""
        if request.get("protocol", PROTOCOL) < PROTOCOL:
            message = f"this driver speaks protocol {PROTOCOL}"
            return {"op": "hello", "error": {"kind": "version", "message": message}}
        try:
            self._started()
        except EngineUnavailable as error:
            return {"op": "hello", "error": {"kind": "unavailable", "message": error.line}}
        own = self._known.hello_of(self._version, self._options)
        return {"op": "hello", "protocol": PROTOCOL, "engine": self._known.name} | own

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Run one whole case on a fresh engine."""
        with jars_are_whole():
            answers = list(self.engine.run(request))
        return {"op": "run", "id": request["id"], "answers": answers}

    @property
    def engine(self) -> Any:
        """The driver's engine; Java starts with it."""
        self._started()
        return self._made

    def close(self) -> None:
        """End the driver's engine, if it was started and has to be ended."""
        if self._made is not None:
            self._made.close()

    def _started(self) -> None:
        if self._made is not None:
            return
        version = self._version = self._known.check(self._folders)
        least, options = self._known.least_java, self._known.java_options
        java = self._start(jars_in(self._folders), least, options)
        try:
            made = self._make(java, self._options)
            for query in self._known.trials:
                _try(made, query)
        except Exception as error:  # a class that is not there, or one that does not load
            words = str(error) if isinstance(error, Refused) else said(error)
            raise EngineUnavailable(
                f"{self._known.title} {version} does not start: {words}",
                hint=f"its jars are not whole; {self._known.how()}",
            ) from error
        self._made = made


@contextmanager
def jars_are_whole() -> Iterator[None]:
    """Raise an error of the driver, not of the engine, if Java misses a class in this block.

    Raises:
        Refused: a class is missing: the jars are incomplete.
    """
    try:
        yield
    except Exception as error:
        if lacking := _LACKING.search(said(error)):
            raise Refused("driver", f"the jars are not whole: {lacking[0]}") from error
        raise


def _try(made: Any, query: str) -> None:
    """Ask the engine a query that has an answer, to see whether its jars are complete.

    Otherwise a class that the jars lack would look like a bug of the engine: some engines swallow
    the error of a missing class, and are silent then.

    Args:
        made: the engine.
        query: the query.
    """
    try:
        answers = list(made.run({**TRIAL, "query": query}))
    except Refused as refused:
        if refused.kind == "unsupported":  # as on a machine that is too busy: nothing of the jars
            return
        raise
    if not any(answer.get("solutions") or answer.get("graph") for answer in answers):
        raise Refused("crashed", f"it has no answer to {query}")


def main(
    engine: JvmEngine,
    make: Make,
    written: Sequence[str] | None = None,
    serve: Callable[[JvmDriver, IO[str], IO[str]], None] = serve,
) -> None:
    """Run the driver of an engine until its input ends; the process ends with it.

    Args:
        engine: the facts about the engine.
        make: makes the engine from Java and the options of the command line.
        written: the arguments of the command line; None for those of the process.
        serve: answers the requests until the input ends.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m rsp_conformance.adapters.{engine.name.replace('-', '_')}",
        description=f"The driver of {engine.title} for the RSP conformance kit.",
    )
    parser.add_argument("--jars", action="append", metavar="FOLDER", help="a folder of its jars")
    for name, meaning in engine.options.items():
        parser.add_argument(f"--{name}", metavar="VALUE", help=meaning)
    given = vars(parser.parse_args(written))
    folders = given.pop("jars") or engine.remembered()
    if not folders:
        parser.error(f"no jars: {engine.how()}")
    chosen = {name: given[name.replace("-", "_")] for name in engine.options}
    options = {name: value for name, value in chosen.items() if value is not None}
    replies = claim_stdout()
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # a pipe is a text stream
    serve(JvmDriver(engine, make, folders, options), sys.stdin, replies)
    end()


def triples_of(element: Mapping[str, Any], index: int) -> list[Triple]:
    """Return the triples of the element at `index`, in order and once each.

    Raises:
        Refused: it cannot be read.
    """
    found = _read(element["graph"], f"element {index}", index)
    return list(dict.fromkeys(triple for triple, _ in found))


def background_of(request: Mapping[str, Any]) -> list[Quad]:
    """Return the background data of a request.

    Raises:
        Refused: they change in time, or cannot be read.
    """
    found: list[Quad] = []
    for entry in request.get("static", ()):
        if "from" in entry or "until" in entry:
            raise Refused("unsupported", "background data that change in time")
        found += _read(entry["quads"], "background data")
    return found


def default_graph_of(request: Mapping[str, Any]) -> list[Triple]:
    """Return the triples of the background data of a request.

    Raises:
        Refused: there are named graphs as well.
    """
    found = background_of(request)
    if any(graph is not None for _, graph in found):
        raise Refused("unsupported", "background data in named graphs")
    return [triple for triple, _ in found]


def _read(text: str, where: str, index: int | None = None) -> list[Quad]:
    try:
        return parse_nquads(text)
    except NTriplesError as error:
        raise Refused("rejected", f"{where}: {error}", index) from error
