"""What the kit asks of an engine, however it is reached."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Self

from rsp_conformance.model.features import redeclared
from rsp_conformance.protocol.feed import Feed, by_pieces, collected
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.protocol.messages import Outcome

Request = Mapping[str, Any]
"""A whole `run` request as the protocol has it, with `op`, `id`, `elements`, `pacing` and all."""


class Engine(ABC):
    """An engine that speaks the protocol: a driver process or a Python object.

    A context manager: leaving it closes the engine. After `close` the next call opens it anew.

    Attributes:
        added, left_out: features that its hello is read with and without (`features.redeclared`).
    """

    added: Collection[str] = ()
    left_out: Collection[str] = ()

    @abstractmethod
    def hello(self) -> Hello:
        """What the engine says of itself; asked once for each connection.

        Raises:
            EngineUnavailable, VersionMismatch, EngineBroken: there is no engine to run.
        """

    @abstractmethod
    def run_many(
        self, requests: Iterable[Request], *, patience: float = 1.0
    ) -> Iterator[tuple[str, Outcome]]:
        """Run the cases, as many at once as the engine allows; (id, outcome) as they come.

        The requests are taken from the iterable only as they are sent. A case that fails is a
        `Failure` among the outcomes. Each may take PATIENCE times the time limit, where the engine
        has one.

        Raises:
            EngineUnavailable, VersionMismatch, EngineBroken: the engine is gone for good.
            ValueError: a request has no `id`, or the one of a case that is still running.
        """

    @abstractmethod
    def restart(self) -> None:
        """Forget all state: the next case meets a new engine."""

    @abstractmethod
    def close(self) -> None:
        """End the engine and everything it started. May be called twice."""

    def run(self, request: Request, *, patience: float = 1.0) -> Outcome:
        """Run one case; as `run_many` does."""
        ((_, outcome),) = self.run_many([request], patience=patience)
        return outcome

    def feed(self, opening: Request) -> Feed:
        """Open a case whose elements come in pieces: OPENING is an `open` request.

        One at a time, and no other case beside it. An engine that takes whole cases only runs
        this one when the feed is closed (`Feed.incremental` says so), within the time limit for
        every 1,000 elements. What goes wrong with the case is raised by the feed.

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
        """HELLO with the features that are declared for the engine."""
        features = redeclared(hello.features, self.added, self.left_out)
        return hello.model_copy(update={"features": features})

    @abstractmethod
    def _exchange(self, message: Request) -> object:
        """Put a request of a feed to the engine; its reply, unchecked. Raises `Loss`."""

    @abstractmethod
    def _discard(self, why: str) -> tuple[str, ...]:
        """Kill the engine; the last lines of its standard error."""

    def pid(self) -> int | None:
        """The id of the driver's process, to watch its memory; None without a process."""
        return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def case_id(request: Request) -> str:
    """The id of a request; raises `ValueError` where it has none."""
    case = request.get("id")
    if not isinstance(case, str):
        raise ValueError(f"a request needs an id that is a string, not {case!r}")
    return case
