"""The reference engine as the protocol sees it: ``hello`` and ``run`` on plain dicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rsp_conformance.adapters.reference.background import BackgroundData
from rsp_conformance.adapters.reference.engine import RegisteredQuery
from rsp_conformance.adapters.reference.messages import (
    Rejected,
    read_background,
    read_element,
    read_stamp,
)
from rsp_conformance.adapters.reference.options import Options, read_options
from rsp_conformance.adapters.reference.starts import choice
from rsp_conformance.model.algebra import Window
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.traversal import subpatterns
from rsp_conformance.model.usage import query_features
from rsp_conformance.syntax.errors import QuerySyntaxError
from rsp_conformance.syntax.parse import parse_query

PROTOCOL = 1

NOT_SUPPORTED = frozenset(
    {
        "rdf-star",
        "triple-terms",
        "uncertainty",
        "count-windows",
        "now-window",
        "unbounded-window",
    }
)
"""Features that the engine does not have."""


class ReferenceEngine:
    """Speaks the engine protocol in process; every case runs on a fresh engine.

    Keeps no state between cases, so several threads may share it.
    """

    def __init__(self, options: Options | Mapping[str, str] | None = None) -> None:
        self.options = options if isinstance(options, Options) else read_options(options or {})

    def __repr__(self) -> str:
        return f"ReferenceEngine({self.options!r})"

    def hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What the engine is."""
        if request.get("protocol", PROTOCOL) < PROTOCOL:
            return {
                "op": "hello",
                "error": {"kind": "version", "message": f"this engine speaks protocol {PROTOCOL}"},
            }
        dials = self.options.profile.base
        refused = {f"{r.lower()}stream" for r in "RID" if r not in dials.stream_operators}
        if dials.windows_in == "default":
            refused.add("window-variable")
        return {
            "op": "hello",
            "protocol": PROTOCOL,
            "engine": "reference",
            "version": _version(),
            "language": "rsp-ql",
            "dialect": {"duration": "instants"},
            "profile": self.options.profile.to_json(),
            "features": [name for name in FEATURES if name not in NOT_SUPPORTED | refused],
            "answers": "evaluations",
            "advances": self.options.advances,
            "parallel": 1,
        }

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Run one case; a failure is an error in the reply, with the answers before it."""
        reply: dict[str, Any] = {"op": "run", "id": request["id"]}
        answers: list[dict[str, Any]] = []
        try:
            self._run(request, answers)
        except Unsupported as error:
            return reply | _error("unsupported", error)
        except QuerySyntaxError as error:
            return reply | _error("rejected", error)
        except Rejected as error:
            failure = _error("rejected", error)
            if error.element is not None:
                failure["error"]["element"] = error.element
            return reply | failure
        return reply | {"answers": answers}

    def _run(self, request: Mapping[str, Any], answers: list[dict[str, Any]]) -> None:
        query = _parsed(request["query"])
        dials = self._dials(query, request["unit"])
        _check(query, dials)
        options = self.options
        try:
            registered = RegisteredQuery(
                query,
                dials,
                BackgroundData(read_background(request)),
                registered=request["registered"],
                choice=choice(options.t0, request["query"], options.seed),
                behaviour=options.behaviour(query),
            )
        except ValueError as error:
            raise Rejected(str(error)) from None
        stamp = read_stamp(request)
        for index, element in enumerate(request["elements"]):
            answers += registered.push(read_element(index, element, stamp, dials.unit))
        if options.advances == "clock":
            answers += registered.finish(request["until"])

    def _dials(self, query: Query, unit: int) -> Dials:
        return replace(self.options.profile.resolve(query_features(query)), unit=unit)


def _version() -> str:
    """The kit's version: the engine is part of it."""
    try:
        return version("rsp-conformance")
    except PackageNotFoundError:
        return "not installed"


@lru_cache(maxsize=64)
def _parsed(text: str) -> Query:
    """The query that TEXT writes; a kit asks one query several times when it shrinks a case."""
    return parse_query(text)


def _check(query: Query, dials: Dials) -> None:
    """Raise Unsupported for what the profile or the engine does not take."""
    if query.form is Form.DESCRIBE:
        raise Unsupported("DESCRIBE")
    if query.operator is not None and query.operator.letter not in dials.stream_operators:
        raise Unsupported(f"{query.operator.value} under this profile")
    if dials.windows_in == "default" and any(
        isinstance(part, Window) for part in subpatterns(query.pattern)
    ):
        raise Unsupported("WINDOW where windows are merged into the default graph")


def _error(kind: str, error: Exception) -> dict[str, Any]:
    return {"error": {"kind": kind, "message": " ".join(str(error).split())}}
