"""The cases that run on CQELS 1."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from rsp_conformance.adapters.cqels1.case import Case
from rsp_conformance.adapters.cqels1.engine import Engine
from rsp_conformance.adapters.jvm.java import Java


class Cqels1Driver:
    """CQELS 1 behind the protocol; see `jvm.driver.Make`."""

    def __init__(
        self, java: Java, _: Mapping[str, str], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._java = java
        self._clock = clock
        self._engine = Engine(java)
        self._cases = 0

    def case(self, request: Mapping[str, Any]) -> Case:
        """Return the case of `request`, on streams of its own; no other case runs."""
        if self._engine.full:
            self._engine.renew()
        self._cases += 1
        return Case(self._engine, self._cases, request, self._clock)

    def run(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the answers to a request that is alone; raises `Refused`."""
        case = self.case(request)
        while True:
            case.begin()
            while not case.late:
                time.sleep(max(0.0, case.due - self._clock()))
                if (answers := case.step()) is not None:
                    return answers

    def close(self) -> None:
        """End the engine."""
        self._engine.close()
