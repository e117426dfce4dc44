"""The reference engine as the protocol sees it: its operations on plain dicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rsp_conformance.adapters.reference.dataset import BackgroundData
from rsp_conformance.adapters.reference.engine import RegisteredQuery
from rsp_conformance.adapters.reference.messages import (
    Rejected,
    read_background,
    read_element,
    read_stamp,
)
from rsp_conformance.adapters.reference.mutant import MutatedRun, TriedMutants
from rsp_conformance.adapters.reference.options import Options, read_options
from rsp_conformance.adapters.reference.starts import choice
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.algebra import Window
from rsp_conformance.model.answers import Content
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.features import WHOLE
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.streams import Stamp
from rsp_conformance.model.walk import subpatterns
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.parse import parse_query

PROTOCOL = 1
"""The version of the protocol that the engine speaks."""

FAILURES = (Unsupported, LimitExceeded, QuerySyntaxError, Rejected)
"""The exceptions that keep the engine from an answer."""


@dataclass(slots=True)
class OpenCase:
    """A case at work: it takes elements of the protocol, and returns answers.

    Attributes:
        registered: the query at work.
        stamp: how named elements are stamped.
        dials: the dials for the query.
        until: the last instant; None for an engine that learns the time only from elements.
        streams: the streams, in their order.
        position: the number of elements so far.
    """

    registered: RegisteredQuery
    stamp: Stamp
    dials: Dials
    until: int | None
    streams: Sequence[str]
    position: int = 0

    def push(self, elements: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Take elements one by one, and return the answers to them.

        Raises:
            Rejected, Unsupported: an element cannot be read.
        """
        answers: list[dict[str, Any]] = []
        for element in elements:
            arrival = read_element(self.position, element, self.stamp, self.dials)
            self.position += 1
            answers += self.registered.push(arrival)
        return answers

    def finish(self) -> list[dict[str, Any]]:
        """Let the time pass to the end of the case, if the engine has a clock."""
        return [] if self.until is None else self.registered.finish(self.until, self.streams)


class ReferenceEngine:
    """Speaks the engine protocol in process; every case runs on a fresh engine.

    Keeps nothing between whole cases but solutions, by all that they depend on, so several threads
    may share it for them. Of cases in pieces one is open at a time: opening another drops it.
    """

    def __init__(self, options: Options | Mapping[str, str] | None = None) -> None:
        self._open: tuple[str, OpenCase] | None = None
        self.options = options if isinstance(options, Options) else read_options(options or {})

    def __repr__(self) -> str:
        return f"ReferenceEngine({self.options!r})"

    def hello(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Answer the hello."""
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
            "profile": PROFILES.write(Profile, self.options.profile),
            "features": [name for name in WHOLE if name not in refused],
            "answers": "evaluations",
            "advances": self.options.advances,
            "parallel": 1,
            "pieces": True,
        }

    def run(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Run one case; a failure is an error in the reply."""
        return _reply(request, lambda: self.answers(request))

    def answers(
        self,
        request: Mapping[str, Any],
        query: Query | None = None,
        trial: TriedMutants | None = None,
        is_enough: Callable[[dict[str, Any]], bool] = lambda answer: False,
    ) -> list[dict[str, Any]]:
        """Return the answers to a whole case: ``t``, ``cause`` and ``content``, a model value.

        Args:
            request: the case.
            query: its query, if it is parsed already.
            trial: mutants to try beside those that the engine has.
            is_enough: returns whether the case ends early, with this answer.

        Raises:
            Exception: one of `FAILURES`.
        """
        case = self._registered(request, query, trial)
        found: list[dict[str, Any]] = []
        for element in request["elements"]:
            for answer in case.push([element]):
                found.append(answer)
                if is_enough(answer):
                    case.registered.break_off()
                    return found
        found += case.finish()
        return found if request.get("pacing") == "settled" else case.registered.burst(found)

    def open(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Register the query of a case whose elements come in pieces (docs/protocol.md)."""
        self._open = None

        def register() -> None:
            self._open = request["id"], self._registered(request)

        return _reply(request, register)

    def push(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Take elements of the open case; the answers that became due."""
        return self._piece(request, lambda case: case.push(request["elements"]))

    def close(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """End the open case; the answers that became due since."""
        reply = self._piece(request, OpenCase.finish)
        self._open = None
        return reply

    def _piece(
        self, request: Mapping[str, Any], step: Callable[[OpenCase], list[dict[str, Any]]]
    ) -> dict[str, Any]:
        opened = self._open

        def answers() -> list[dict[str, Any]]:
            if opened is None or opened[0] != request["id"]:
                raise Rejected("no such case is open")
            self._open = None
            found = step(opened[1])
            self._open = opened
            return found

        return _reply(request, answers)

    def _registered(
        self,
        request: Mapping[str, Any],
        query: Query | None = None,
        trial: TriedMutants | None = None,
    ) -> OpenCase:
        query = _parsed(request["query"]) if query is None else query
        options = self.options
        dials = options.profile.dials(query)
        if dials.unit != request["unit"]:
            dials = replace(dials, unit=request["unit"])
        _check(query, dials)
        try:
            registered = RegisteredQuery(
                query,
                dials,
                BackgroundData(read_background(request, dials)),
                registered=request["registered"],
                choice=choice(options.t0, request["query"], options.seed),
                run=MutatedRun(
                    query,
                    options.mutants,
                    options.counts,
                    trial,
                    settled=request.get("pacing") == "settled",
                ),
                library=options.library,
            )
        except ValueError as error:
            raise Rejected(str(error)) from None
        until = None
        if options.advances == "clock":
            until = request["until"]
            if not isinstance(until, int):
                raise Rejected(f"until: expected an instant, found {until!r}")
        return OpenCase(registered, read_stamp(request), dials, until, request["streams"])


def _version() -> str:
    """Return the kit's version: the engine is part of it."""
    try:
        return version("rsp-conformance")
    except PackageNotFoundError:
        return "not installed"


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Query:
    """Return the query that `text` writes.

    A kit asks one query several times when it shrinks a case.
    """
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


def _reply(
    request: Mapping[str, Any], step: Callable[[], list[dict[str, Any]] | None]
) -> dict[str, Any]:
    """Make the reply, with the answers of `step` if it has any, or with the error it ends in."""
    about = {"op": request["op"], "id": request["id"]}
    try:
        with limited():
            answers = step()
            written = {} if answers is None else {"answers": [*map(_written, answers)]}
    except FAILURES as error:
        kind, message = failure_kind(error), " ".join(str(error).split())
        failure: dict[str, Any] = {"kind": kind, "message": message}
        if isinstance(error, Rejected) and error.element is not None:
            failure["element"] = error.element
        return about | {"error": failure}
    return about | written


def failure_kind(error: Exception) -> str:
    """Return the protocol's kind of an error, which is one of `FAILURES`."""
    return "unsupported" if isinstance(error, (Unsupported, LimitExceeded)) else "rejected"


def _written(answer: dict[str, Any]) -> dict[str, Any]:
    return {"t": answer["t"], "cause": answer["cause"], **ANSWERS.write(Content, answer["content"])}
