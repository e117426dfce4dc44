"""A Python engine without a process: an object with the methods `hello` and `run`.

An object whose hello declares `pieces` has the methods `open`, `push` and `close` as well, each of
which takes the request as a dict and returns the reply (docs/protocol.md).
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol, cast

from rsp_conformance.protocol.engine import Engine, Request, case_id
from rsp_conformance.protocol.failures import EngineBroken, EngineError, Loss
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.protocol.messages import (
    Response,
    failure_of_loss,
    read_hello,
    read_id,
    response_of,
)
from rsp_conformance.protocol.requests import hello_request

_TRACEBACK_LINES = 40
"""The number of lines that are kept of an exception, the last ones. It bounds the traceback of a
recursion; other exceptions are mostly shorter."""


class SpeaksProtocol(Protocol):
    """The interface of a Python engine: the protocol's two operations on plain dicts."""

    def hello(self, request: dict[str, Any], /) -> Mapping[str, Any]:
        """Answer a hello request (section "hello")."""

    def run(self, request: dict[str, Any], /) -> Mapping[str, Any]:
        """Run one whole case on a fresh state (section "run")."""


class InProcessEngine(Engine):
    """An engine that is a Python object; its messages are validated like those of a driver.

    An exception of the object makes the case `crashed`, and its traceback takes the place of a
    driver's standard error. There is no time limit: if the object hangs, the kit hangs.

    Args:
        make: the object, or a function without arguments that creates it. With a function,
            `restart` and `close` drop the object and the next call creates another.
    """

    def __init__(self, make: SpeaksProtocol | Callable[[], SpeaksProtocol]) -> None:
        self._make = make
        self._object: SpeaksProtocol | None = None
        self._hello: Hello | None = None

    def __repr__(self) -> str:
        return f"InProcessEngine({self._make!r})"

    def hello(self) -> Hello:
        """Return the object's description of itself; see `Engine.hello`.

        Raises:
            EngineBroken: the object fails, or its hello is not valid.
        """
        if self._hello is None:
            try:
                self._hello = self._redeclared(read_hello(self._call("hello", hello_request())))
            except Loss as loss:
                said = f"the hello failed: {loss.message}"
                raise EngineBroken(said, hint=loss.hint, stderr=loss.stderr) from loss
        return self._hello

    def run_many(
        self, requests: Iterable[Request], *, patience: float = 1.0
    ) -> Iterator[tuple[str, Response]]:
        """Run the cases one after another; see `Engine.run_many`."""
        hello = self.hello()
        for request in requests:
            case = case_id(request)
            try:
                message = self._call("run", request)
                read_id(message, (case,), f'the id of the request, "{case}"')
                yield case, response_of(message, request, hello)
            except Loss as loss:
                yield case, failure_of_loss(loss)

    def restart(self) -> None:
        """Drop the object; the next call creates another if a function can create it."""
        self._object = None

    def close(self) -> None:
        """Drop the object and its hello."""
        self._object = None
        self._hello = None

    def _exchange(self, message: Request) -> object:
        return self._call(message["op"], message)

    def _discard(self, why: str) -> tuple[str, ...]:
        self.restart()
        return ()

    def _call(self, method: str, message: Request) -> Any:
        try:
            return getattr(self._engine(), method)(dict(message))
        except EngineError:
            raise
        except Exception as error:
            name = type(error).__name__
            where = tuple(traceback.format_exc().splitlines()[-_TRACEBACK_LINES:])
            raise Loss(
                "crashed", f"{name}: {error}" if str(error) else name, stderr=where
            ) from error

    def _engine(self) -> SpeaksProtocol:
        if self._object is None:
            make = cast(Any, self._make)
            is_maker = isinstance(make, type) or not hasattr(make, "run")
            self._object = cast(SpeaksProtocol, make() if is_maker else make)
        return self._object
