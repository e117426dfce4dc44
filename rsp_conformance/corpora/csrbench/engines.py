"""The engines whose answers CSRBench recorded, and the profile that the papers give each."""

from __future__ import annotations

from rsp_conformance.model.dials import Dials

ENGINES = {"csparql": "c-sparql", "cqels": "cqels", "sparqlstream": "sparqlstream"}
"""The bundled profile of each engine, by the name that the benchmark's files use."""

_OPERATORS = {"R": "RSTREAM", "I": "ISTREAM", "D": "DSTREAM"}


def operator_of(dials: Dials) -> str | None:
    """The streaming operator that an engine applies to a query that names none.

    The first of R, I and D that it has: what csrbench-oracle's properties say of each engine.
    """
    return next(
        (name for letter, name in _OPERATORS.items() if letter in dials.stream_operators), None
    )
