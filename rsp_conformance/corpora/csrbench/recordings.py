"""The engines whose answers CSRBench recorded, and their recordings: JSON, one relation an answer.

``{"relations": [{"head": {"vars": […]}, "timestamp": 4000, "results": {"bindings":
[{"timestamp": 4000, "binding": {…}}]}}]}``, times in milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from rsp_conformance.files.files import FileError
from rsp_conformance.files.results_json import term_from_json
from rsp_conformance.model.answers import Rows, rows_from_solutions
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.terms import Term

ENGINES = {"csparql": "c-sparql", "cqels": "cqels", "sparqlstream": "sparqlstream"}
"""The bundled profile of each engine, by the name that the benchmark's files use."""

_OPERATORS = {"R": "RSTREAM", "I": "ISTREAM", "D": "DSTREAM"}


@dataclass(frozen=True, slots=True)
class Recorded:
    """One answer: its rows, and its stamp in milliseconds (None where the engine gave none).

    ``cause`` is the element that caused it, where that is known (``model.answers.Observed``).
    """

    stamp: int | Fraction | None
    rows: Rows
    cause: int | str | None = None


def recording_from_json(value: Any, path: Path) -> tuple[Recorded, ...]:
    """The answers that the JSON value of PATH holds, in its order.

    Raises:
        FileError: the value is no recording; the error names the relation that is not.
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("relations"), list):
        raise FileError(path, "expected an object with relations, as CSRBench records answers")
    found = []
    for position, relation in enumerate(value["relations"], 1):
        try:
            found.append(_relation(relation))
        except ValueError as error:
            raise FileError(path, f"relation {position}: {error}") from None
    return tuple(found)


def _relation(relation: Any) -> Recorded:
    variables = _member(relation, "head", "vars")
    bindings = _member(relation, "results", "bindings")
    if not isinstance(variables, list) or not all(isinstance(name, str) for name in variables):
        raise ValueError("head.vars: expected a list of names")
    if not isinstance(bindings, list):
        raise ValueError("results.bindings: expected a list")
    stamp = relation.get("timestamp")
    if isinstance(stamp, bool) or not isinstance(stamp, int):
        raise ValueError(f"timestamp: expected milliseconds, a whole number, found {stamp!r}")
    solutions = tuple(_solution(binding) for binding in bindings)
    return Recorded(stamp, rows_from_solutions(solutions, tuple(variables)))


def _solution(binding: Any) -> dict[str, Term]:
    terms = binding.get("binding") if isinstance(binding, Mapping) else None
    if not isinstance(terms, Mapping) or not all(isinstance(v, Mapping) for v in terms.values()):
        raise ValueError("each of results.bindings has an object binding, of variables and terms")
    return {name: term_from_json(_standard(value), f"?{name}") for name, value in terms.items()}


def _standard(term: Mapping[str, Any]) -> dict[str, Any]:
    """TERM with the type that SPARQL 1.1 gives literals; its drafts had ``typed-literal``."""
    return {**term, "type": "literal"} if term.get("type") == "typed-literal" else dict(term)


def _member(value: Any, *names: str) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    if value is None:
        raise ValueError(f"has no {'.'.join(names)}")
    return value


def operator_of(dials: Dials) -> str | None:
    """The streaming operator that an engine applies to a query that names none.

    The first of R, I and D that it has: what csrbench-oracle's properties say of each engine.
    """
    return next(
        (name for letter, name in _OPERATORS.items() if letter in dials.stream_operators), None
    )
