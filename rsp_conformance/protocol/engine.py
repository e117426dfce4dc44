"""The interface of an engine to the kit: the same for a driver process and for a Python object."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Self

from rsp_conformance.model.errors import note
from rsp_conformance.model.features import redeclared
from rsp_conformance.protocol.feed import Feed, by_pieces, collected
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.protocol.messages import Response

Request = Mapping[str, Any]
"""A whole `run` request of the protocol, with `op`, `id`, `elements`, `pacing` and so on."""


class Engine(ABC):
    """An engine that speaks the protocol: a driver process or a Python object.

    It is a context manager: leaving it closes the engine. The first call after `close` opens the
    engine again.

    Attributes:
        added: features that are added to those of its hello message (`features.redeclared`).
        left_out: features that are removed from those of its hello message.
        tell: called with a line for the user if the engine takes long to start; by default it
            writes a note on standard error.
    """

    added: Collection[str] = ()
    left_out: Collection[str] = ()
    tell: Callable[[str], None] = staticmethod(note)

    @abstractmethod
    def hello(self) -> Hello:
        """Return the engine's description of itself, requested once per connection.

        Raises:
            EngineUnavailable, VersionMismatch, EngineBroken: there is no engine to run.
        """

    @abstractmethod
    def run_many(
        self, requests: Iterable[Request], *, patience: float = 1.0
    ) -> Iterator[tuple[str, Response]]:
        """Run the cases, as many at once as the engine allows.

        Requests are taken from the iterable only when they are sent. A case that fails does not
        raise: its response is a `Failure`.

        Args:
            requests: whole `run` requests, each with an `id` of its own.
            patience: each case may take this many times the engine's time limit, if it has a limit.

        Yields:
            The id of a case and its response, in the order in which the cases end.

        Raises:
            EngineUnavailable, VersionMismatch, EngineBroken: the engine is gone for good.
            ValueError: a request has no `id`, or the `id` of a case that is still running.
        """

    @abstractmethod
    def restart(self) -> None:
        """Forget all state: the next case runs on a new engine."""

    @abstractmethod
    def close(self) -> None:
        """End the engine and everything it started. May be called twice."""

    def run(self, request: Request, *, patience: float = 1.0) -> Response:
        """Run one case and return its response; see `run_many`."""
        ((_, response),) = self.run_many([request], patience=patience)
        return response

    def feed(self, opening: Request) -> Feed:
        """Open a case whose elements come in pieces.

        Only one such case may be open at a time, and no other case may run beside it. If the engine
        accepts whole cases only, the case runs when the feed is closed (`Feed.incremental` is False
        then) and has the time limit once per 1,000 elements. Failures of the case are raised by the
        feed.

        Args:
            opening: an `open` request.

        Raises:
            EngineUnavailable, VersionMismatch, EngineBroken: there is no engine to run.
            ValueError: the opening has no `id`.
        """
        case_id(opening)
        hello = self.hello()
        if not hello.pieces:
            return Feed(opening, collected(self.run), lambda _: (), incremental=False)
        rows = hello.answers == "rows"
        return Feed(opening, by_pieces(self._exchange), self._discard, rows=rows)

    def _redeclared(self, hello: Hello) -> Hello:
        """Return `hello` with the features that are declared for the engine."""
        features = redeclared(hello.features, self.added, self.left_out)
        return replace(hello, features=features)

    @abstractmethod
    def _exchange(self, message: Request) -> object:
        """Send a request of a feed to the engine and return the unchecked reply; raise `Loss`."""

    @abstractmethod
    def _discard(self, why: str) -> tuple[str, ...]:
        """Kill the engine and return the last lines of its standard error."""

    def pid(self) -> int | None:
        """Return the id of the driver's process, to watch its memory; None without a process."""
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def case_id(request: Request) -> str:
    """Return the id of a request.

    Raises:
        ValueError: the request has no id that is a string.
    """
    case = request.get("id")
    if not isinstance(case, str):
        raise ValueError(f"a request needs an id that is a string, not {case!r}")
    return case
