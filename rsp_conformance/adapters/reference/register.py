"""The reference engine as the registry knows it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.options import OPTIONS, read_options
from rsp_conformance.protocol import Engine, EngineUnavailable, InProcessEngine, Log
from rsp_conformance.protocol.registry import EngineEntry


def connect(options: Mapping[str, str], time_limit: float, log: Log | None = None, /) -> Engine:
    """Return the engine, which runs in this process and needs no time limit.

    Args:
        options: the engine's options, by name.
        time_limit: not used.
        log: not used.

    Raises:
        ValueError: there is no such option, dial, profile or mutant.
        EngineUnavailable: by the first call on the engine, for a mutant that ends its process.
    """
    chosen = read_options(options)

    def make() -> ReferenceEngine:
        fatal = [mutant.name for mutant in chosen.mutants if mutant.fatal]
        if fatal:
            words = (f"{name}={value}" for name, value in options.items())
            driver = f"stdio:python -m rsp_conformance.adapters.reference {shlex.join(words)}"
            raise EngineUnavailable(
                f"the mutant {fatal[0]} ends the process that it runs in",
                hint=f"run the engine in one of its own: --engine={shlex.quote(driver)}",
            )
        return ReferenceEngine(chosen)

    return InProcessEngine(make)


ENGINE = EngineEntry(
    name="reference",
    summary="the kit's own streaming engine: any profile, patterns by pyoxigraph, mutants",
    connect=connect,
    options=OPTIONS,
    harmless=OPTIONS,
)
