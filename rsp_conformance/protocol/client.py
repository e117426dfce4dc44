"""The client of a driver process: it sends requests and returns a response for each.

Every case gets a response, whatever the driver does: a driver that ends, hangs or breaks the
protocol is killed and started again. Cases that were outstanding then are rerun one by one, so
that only the case that causes the loss fails. The docstring of `failures` describes the stages of a
connection in this order; this module implements them.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from rsp_conformance.model.errors import last_words, one_line
from rsp_conformance.model.finding import AT_START
from rsp_conformance.protocol.engine import Engine, Request, case_id
from rsp_conformance.protocol.failures import EngineBroken, EngineError, Loss
from rsp_conformance.protocol.feed import Feed
from rsp_conformance.protocol.forms import Hello
from rsp_conformance.protocol.messages import (
    Failure,
    Response,
    decode_line,
    failure_of_loss,
    read_hello,
    read_id,
    response_of,
)
from rsp_conformance.protocol.process import Child
from rsp_conformance.protocol.pump import Line
from rsp_conformance.protocol.requests import hello_request

_LINES_KEPT: Final = 8
"""The number of lines of standard error that are kept for an answered case, and for a start: enough
for an exception's message with its cause, in a report that stays on a screen."""

HELLOS: Final = 3
"""The number of hellos in a row that may fail before the engine counts as broken: a start may fail
by chance on a busy machine."""
START_LIMIT: Final = 15.0
"""The least seconds for all starts up to a hello, however short the time limit is. A JVM with an
engine in it needs up to 4 s on a quiet machine; several at once need three times as long."""
NOTICE: Final = 5.0
"""The seconds without a hello after which the kit says that it waits: longer than the start
of any bundled engine on a quiet machine."""

_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Characters that would control a terminal. The log shows them as JSON escapes."""

Log = Callable[[str, str], None]
"""Called with `→` and a line sent, `←` and a line received, or `!` and an event of the driver."""


class _Sent(NamedTuple):
    """An outstanding request.

    `since` is the number of lines of standard error before it; `alone` says whether no other
    request was outstanding at the same time.
    """

    request: Request
    deadline: float
    since: int
    alone: bool


class ProtocolEngine(Engine):
    """An engine behind a driver process.

    The process starts with the first call and is kept for all later calls.

    Args:
        command: the driver and its arguments; they are not interpreted by a shell.
        time_limit: seconds for a case, counted from sending it.
        hello_limit: seconds for the start and the hello, all attempts together; some engines need
            long. None is the time limit, but at least `START_LIMIT`.
        cwd: the driver's working directory; None inherits the kit's.
        env: the driver's whole environment; None inherits the kit's.
        log: receives all messages, line by line.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        time_limit: float = 30.0,
        hello_limit: float | None = None,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
        log: Log | None = None,
    ) -> None:
        self._command = tuple(command)
        self._time_limit = self._limit = time_limit
        self._hello_limit = max(time_limit, START_LIMIT) if hello_limit is None else hello_limit
        self._cwd = cwd
        self._env = env
        self._log = log
        self._child: Child | None = None
        self._hello: Hello | None = None
        self._at_start: tuple[str, ...] = ()
        self._busy = False
        self._feed: Feed | None = None

    def __repr__(self) -> str:
        return f"ProtocolEngine({list(self._command)!r}, time_limit={self._time_limit!r})"

    # --- the public interface --------------------------------------------------------------

    def hello(self) -> Hello:
        """Return the driver's hello, sent when it started; see `Engine.hello`."""
        return self._connected(idle=not self._busy and not self._feeding())[1]

    def run_many(
        self, requests: Iterable[Request], *, patience: float = 1.0
    ) -> Iterator[tuple[str, Response]]:
        """Run the cases, as many at once as the driver allows; see `Engine.run_many`.

        Only one such iterator may be open at a time. Closing it early kills the driver and with it
        the cases that are still running.
        """
        self._check_idle()
        self._busy = True
        self._limit = self._time_limit * patience
        try:
            yield from self._converse(iter(requests), self.hello().parallel)
        finally:
            self._busy = False
            self._limit = self._time_limit

    def feed(self, opening: Request) -> Feed:
        """Open a case whose elements come in pieces; see `Engine.feed`.

        Opening, each push and closing may each take the time limit.
        """
        self._check_idle()
        feed = super().feed(opening)
        self._feed = feed if feed.incremental else None
        return feed

    def pid(self) -> int | None:
        """Return the id of the driver's process and of its group; None if there is no process."""
        return None if self._child is None else self._child.pid

    def restart(self) -> None:
        """Kill the driver and all that it started; the next call starts a new process."""
        self._dismiss("its engine was restarted")
        self._discard("restarted")

    def close(self) -> None:
        """End the driver's input; kill every process that has not ended within two seconds."""
        self._dismiss("its engine was closed")
        child, self._child = self._child, None
        if child is not None:
            child.close()

    # --- a connection ----------------------------------------------------------------------

    def _feeding(self) -> bool:
        return self._feed is not None and not self._feed.over

    def _dismiss(self, why: str) -> None:
        """End the feed, if there is one, because its engine ends."""
        feed, self._feed = self._feed, None
        if feed is not None:
            feed.dismiss(why)

    def _check_idle(self) -> None:
        if self._feeding():
            raise RuntimeError("the case of a feed is still open")
        if self._busy:
            raise RuntimeError("the cases of another run_many are still running")

    def _connected(self, *, idle: bool) -> tuple[Child, Hello]:
        """Return the child, started and greeted; start a new child if it ended while `idle`."""
        if self._child is not None and idle and not self._child.alive():
            self._discard("ended between two cases")
        attempts, deadline = 0, time.monotonic() + self._hello_limit
        while self._child is None:
            attempts += 1
            self._child = Child(self._command, cwd=self._cwd, env=self._env)
            try:
                self._hello = self._greet(self._child, deadline)
                said = last_words(self._child.pipes.tail.lines(), _LINES_KEPT)
                self._at_start = tuple(f"{AT_START}{line}" for line in said)
            except EngineError as failure:
                failure.stderr = self._discard(failure.message)
                if not isinstance(failure, Loss):
                    raise
                if attempts == HELLOS or time.monotonic() >= deadline:
                    raise self._broken(attempts, failure) from failure
            except BaseException:
                self._discard("interrupted")
                raise
        assert self._hello is not None
        return self._child, self._hello

    def _broken(self, attempts: int, last: Loss) -> EngineBroken:
        """Return the error that ends the run after so many failed hellos in a row."""
        said = f"the driver failed {attempts} hellos in a row; the last: {last.message}"
        return EngineBroken(
            last.message if attempts == 1 else said,
            hint=last.hint or f"run it by hand: {' '.join(self._command)}",
            stderr=last.stderr,
        )

    def _greet(self, child: Child, deadline: float) -> Hello:
        self._send(child, hello_request())
        first_time = self._hello is None
        line = self._next_line(child, min(deadline, time.monotonic() + NOTICE))
        if line is None and time.monotonic() < deadline:
            if first_time:
                limit, command = self._hello_limit, one_line(" ".join(self._command))
                self.tell(f"waiting for the driver's hello, {limit:g} s at most: {command}")
            line = self._next_line(child, deadline)
        if line is None:
            said = f"the driver did not say hello within {self._hello_limit:g} s"
            raise Loss("timeout", said)
        return self._redeclared(read_hello(decode_line(line.text)))

    def _discard(self, why: str) -> tuple[str, ...]:
        """Kill the child, if there is one, and return the last lines of its standard error."""
        child, self._child = self._child, None
        if child is None:
            return ()
        if self._log is not None:
            self._log("!", why)
        return child.kill()

    def _send(self, child: Child, message: Mapping[str, Any]) -> None:
        text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        if self._log is not None:
            self._log("→", text)
        # A lone surrogate has no UTF-8; the escape that replaces it is valid JSON for it.
        child.pipes.write(text.encode("utf-8", "backslashreplace") + b"\n")

    def _next_line(self, child: Child, deadline: float) -> Line | None:
        """Return the next line, or None at the deadline; raise as `Child.receive` does."""
        line = child.receive(deadline)
        if line is not None and self._log is not None:
            text = line.text.decode("utf-8", "replace")
            self._log("←", _CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text))
        return line

    def _next_message(self, child: Child, deadline: float) -> Mapping[str, Any]:
        """Return the next reply; raise as `_next_line` does, and a `timeout` at the deadline."""
        line = self._next_line(child, deadline)
        if line is None or line.at > deadline:
            text = f"the driver did not answer within {self._limit:g} s"
            if child.pipes.buffer.partial:
                text += f"; {child.pipes.buffer.partial} bytes of a line without its end have come"
            raise Loss("timeout", text)
        return decode_line(line.text)

    # --- cases -----------------------------------------------------------------------------

    def _exchange(self, message: Request) -> object:
        assert self._child is not None
        self._send(self._child, message)
        return self._next_message(self._child, time.monotonic() + self._time_limit)

    def _converse(
        self, requests: Iterator[Request], parallel: int
    ) -> Iterator[tuple[str, Response]]:
        """Keep up to `parallel` requests outstanding; on a loss rerun them one by one."""
        outstanding: dict[str, _Sent] = {}
        try:
            while self._fill(outstanding, requests, parallel):
                try:
                    case, response = self._next_response(outstanding)
                except Loss as loss:
                    child, lost = self._child, [*outstanding.values()]
                    self._discard(loss.message)
                    outstanding.clear()
                    if len(lost) == 1:
                        ((request, _, since, _),) = lost
                        said = child.pipes.tail.lines(since) if child is not None else ()
                        yield case_id(request), failure_of_loss(loss).with_stderr(said)
                        continue
                    for sent in lost:
                        yield from self._converse(iter([sent.request]), 1)
                else:
                    del outstanding[case]
                    if not isinstance(response, Failure):
                        # The engine works on the next case while this one is judged.
                        self._fill(outstanding, requests, parallel)
                    yield case, response
        finally:
            if outstanding:
                self._discard("the cases it was running are wanted no more")

    def _fill(
        self, outstanding: dict[str, _Sent], requests: Iterator[Request], parallel: int
    ) -> bool:
        """Send requests until `parallel` of them are outstanding; return whether any is."""
        while len(outstanding) < parallel:
            request = next(requests, None)
            if request is None:
                break
            case = case_id(request)
            if case in outstanding:
                raise ValueError(f"the case {case!r} is still running")
            child, _ = self._connected(idle=not outstanding)
            alone, tail = not outstanding, child.pipes.tail
            since = tail.mark() if alone else tail.count
            for other, sent in outstanding.items():
                outstanding[other] = sent._replace(alone=False)
            self._send(child, request)
            outstanding[case] = _Sent(request, time.monotonic() + self._limit, since, alone)
        return bool(outstanding)

    def _next_response(self, outstanding: Mapping[str, _Sent]) -> tuple[str, Response]:
        """Return the id and the response of the next reply to any of the outstanding requests."""
        child, hello = self._child, self._hello
        assert child is not None and hello is not None
        message = self._next_message(child, min(sent.deadline for sent in outstanding.values()))
        case = read_id(message, outstanding, "the id of an outstanding request")
        sent, tail = outstanding[case], child.pipes.tail
        response = response_of(message, sent.request, hello)
        # Lines that the engine wrote about another case would mislead. A crash may have lines of
        # cases that ran beside it, and none of earlier ones.
        if isinstance(response, Failure) and response.kind == "crashed":
            return case, response.with_stderr(tail.lines(sent.since))
        said = last_words(tail.lines(sent.since), _LINES_KEPT) if sent.alone else ()
        return case, replace(response, stderr=said or self._at_start)
