"""The driver of C-SPARQL: one engine for all cases, and a new one to compare it with."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from rsp_conformance.adapters.csparql.engine import TICK, CSparqlCase, CSparqlEngine, case_of
from rsp_conformance.adapters.jvm.java import Java
from rsp_conformance.adapters.stdio import Refused, said

SAMPLED: Final = 256
"""A new engine is also asked in the 4th, 16th, 64th case, and in each whose number this divides: a
failing reset shows early, and later each comparison would cost a start of the engine."""

REPEATED: Final = 3
"""A new engine is also asked if a case comes for this time, or has another answer than before: a
client that asks a case so often is about to report the engine as wrong."""

REMEMBERED: Final = 1000
"""The number of cases whose earlier answers are kept: a case that is asked again is asked soon."""


class CSparqlDriver:
    """The driver's engine, for `adapters.jvm.driver.main`."""

    def __init__(self, java: Java, options: Mapping[str, str]) -> None:
        self._java = java
        self._early = options.get("clock", "early") == "early"
        self._engine: CSparqlEngine | None = None
        self._cases = 0
        self._earlier: dict[int, list[object]] = {}
        settings = java.cls("java.util.Properties")()
        settings.put("esper.externaltime.enabled", "true")
        settings.put("esper.externaltime.tick", str(TICK))
        java.cls("eu.larkc.csparql.common.config.Config").INSTANCE.setConfigParams(settings)

    def run(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the answers to a request; raises `Refused`."""
        case = case_of(request)
        self._cases += 1
        answers, refused = self._asked(case)
        earlier = self._earlier.setdefault(hash(case), [])
        if len(self._earlier) > REMEMBERED:
            del self._earlier[next(iter(self._earlier))]
        earlier.append(_comparable(answers, refused))
        doubtful = len(earlier) == REPEATED or earlier[-1] != earlier[0]
        if doubtful or _is_sampled(self._cases):
            self._renew()
            anew = _comparable(*self._asked(case))
            for other in earlier:
                if other != anew:
                    raise self._differs(other, anew)
        if refused is not None:
            raise refused
        return answers

    def _asked(self, case: CSparqlCase) -> tuple[list[dict[str, Any]], Refused | None]:
        """Return the engine's answers, or the error that it ends in."""
        engine = self._ready()
        try:
            return engine.run(case, self._early), None
        except Refused as refused:
            if refused.kind == "crashed":
                self._renew()
            return [], refused
        except Exception:
            self._renew()
            raise

    def _ready(self) -> CSparqlEngine:
        """Return an empty engine: the present one after a reset, or else a new one."""
        if self._engine is not None:
            try:
                self._engine.reset()
            except Exception as error:  # any exception of Java's; it is not a bug of C-SPARQL
                print(f"C-SPARQL is not reset but started anew: {said(error)}", file=sys.stderr)
                self._renew()
        if self._engine is None:
            self._engine = CSparqlEngine(self._java)
        return self._engine

    def _renew(self) -> None:
        """Give the engine up; the next case gets a new one."""
        engine, self._engine = self._engine, None
        if engine is not None:
            with suppress(Exception):  # it may be what is broken
                engine.close()

    def _differs(self, reset: object, anew: object) -> Refused:
        """Return the error that names this driver as the culprit.

        The kit shows it with the end of standard error.
        """
        found = "a reset engine answers otherwise than a new one"
        print(f"Case {self._cases}: {found}.", file=sys.stderr)
        print("That is the driver's fault, not C-SPARQL's.", file=sys.stderr)
        print(f"reset: {_short(reset)}\nnew:   {_short(anew)}", file=sys.stderr, flush=True)
        return Refused("driver", found)


def _is_sampled(number: int) -> bool:
    return number % SAMPLED == 0 or number in {4, 16, 64}


def _comparable(answers: list[dict[str, Any]], refused: Refused | None) -> object:
    """Return the part of an answer on which two engines must agree.

    Rows and triples may come in any order, and blank nodes under any name.
    """
    if refused is not None:
        return refused.kind, str(refused)
    return [(answer["t"], answer["cause"], sorted(_parts(answer))) for answer in answers]


def _parts(answer: Mapping[str, Any]) -> list[str]:
    if "graph" in answer:
        return [
            " ".join("_:" if part.startswith("_:") else part for part in line.split(" "))
            for line in answer["graph"].splitlines()
        ]
    if "boolean" in answer:
        return [str(answer["boolean"])]
    return [
        json.dumps(
            {name: "_:" if term["type"] == "bnode" else term for name, term in row.items()},
            sort_keys=True,
        )
        for row in answer["solutions"]
    ]


def _short(answers: object) -> str:
    text = json.dumps(answers, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "…"
