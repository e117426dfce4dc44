"""Many requests at once: what each case waits for, the others use."""

from __future__ import annotations

import heapq
import json
import queue
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, Any

from rsp_conformance.adapters.cqels1.case import Case
from rsp_conformance.adapters.jvm.driver import JvmDriver, jars_are_whole
from rsp_conformance.adapters.stdio import OPERATIONS, reply_to


def serve(driver: JvmDriver, requests: IO[str], replies: IO[str]) -> None:
    """Answer every request until the input ends, each case as soon as it has its answers.

    Args:
        driver: the driver of the engine; it is closed at the end.
        requests: the requests, one per line.
        replies: the stream for the replies, which may be in another order.
    """
    _Desk(driver, replies).work(_lines_of(requests))
    driver.close()


def _lines_of(requests: IO[str]) -> queue.SimpleQueue[str | None]:
    """Return the lines of `requests` as they come; None after the last one."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        for line in requests:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


class _Desk:
    """Runs cases in rounds: all that wait are registered, which takes long, and then all are sent.

    So no registration makes an element of another case late.
    """

    def __init__(self, driver: JvmDriver, replies: IO[str]) -> None:
        self._driver = driver
        self._replies = replies
        self._waiting: list[tuple[str, Case]] = []

    def work(self, lines: queue.SimpleQueue[str | None]) -> None:
        """Take `lines`, and run what they ask for, until both are at their end."""
        reading = True
        while reading or self._waiting:
            while reading and not (self._waiting and lines.empty()):
                line = lines.get()
                if line is None:
                    reading = False
                elif line.strip():
                    self._say(reply_to(self, line, OPERATIONS))
            self._round()

    def hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the hello."""
        return self._driver.hello(request)

    def run(self, request: Mapping[str, Any]) -> dict[str, Any] | None:
        """Take a case, which is answered later."""
        self._waiting.append((request["id"], self._driver.engine.case(request)))
        return None

    def _round(self) -> None:
        """Run the cases that wait, side by side; those that are late wait for the next round."""
        waiting, self._waiting = self._waiting, []
        due: list[tuple[float, int, str, Case]] = []
        for number, (id, case) in enumerate(waiting):
            if not self._is_answered(id, case.begin):
                due.append((0.0, number, id, case))
        while due:
            at, number, id, case = heapq.heappop(due)
            time.sleep(max(0.0, at - time.monotonic()))
            if self._is_answered(id, case.step):
                continue
            if case.late:
                self._waiting.append((id, case))
            else:
                heapq.heappush(due, (case.due, number, id, case))

    def _is_answered(self, id: str, step: Callable[[], list[dict[str, Any]] | None]) -> bool:
        """Take a step of a case, and return whether it was the last, with answers or an error."""
        about = {"op": "run", "id": id}

        class Once:
            """The step as an operation, so that it fails as any other."""

            def run(self, _: Mapping[str, Any]) -> dict[str, Any] | None:
                with jars_are_whole():
                    answers = step()
                return None if answers is None else about | {"answers": answers}

        reply = reply_to(Once(), json.dumps(about), OPERATIONS)
        self._say(reply)
        return reply is not None

    def _say(self, reply: Mapping[str, Any] | None) -> None:
        if reply is not None:
            self._replies.write(json.dumps(reply, ensure_ascii=False) + "\n")
            self._replies.flush()
