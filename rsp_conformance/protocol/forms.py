"""The messages of the protocol (docs/protocol.md): one description for reading, writing, schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Annotated, Any, Final
from typing import Literal as OneOf

from rsp_conformance.files.algebra import ALGEBRA
from rsp_conformance.files.answers import ANSWERS, LONGEST, WHOLE, IriText
from rsp_conformance.files.cases import element_rules
from rsp_conformance.files.codec import (
    ANY_TEXT,
    DIALECT,
    Format,
    Keys,
    Rule,
    Text,
    Via,
    at_least,
    at_most,
    one_of,
)
from rsp_conformance.files.fields import fail, whole
from rsp_conformance.files.profiles import PROFILE_RULES, ProfileJson, ProfileName
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.errors import did_you_mean, printable
from rsp_conformance.model.features import FEATURES, RESTRICTIONS
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import Stamp, StreamElement
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.trial import PACINGS
from rsp_conformance.text.durations import STYLES
from rsp_conformance.text.languages import LANGUAGES
from rsp_conformance.text.ntriples import Quad, parse_nquads, write_nquads
from rsp_conformance.text.printer.cqels_ql_2 import DIRECTIONS

PROTOCOL: Final = 1
"""The highest version of the protocol that the kit speaks."""
EXPERIMENTAL: Final = "x-"
"""The prefix of features of a driver's own, which are ignored."""
MOST_OUTSTANDING: Final = 1_000
"""The greatest number of outstanding requests, whatever the driver allows. It bounds the memory of
both sides for a driver that allows any number."""
LONGEST_NAME: Final = 100
"""The number of characters that are kept of an engine's name and of its version: a line."""
LONGEST_MESSAGE: Final = 2_000
"""The number of characters that are kept of an error's message: some 25 lines of a report."""
_FEATURE_NAMES: Final = (*FEATURES, *RESTRICTIONS)


# --- parts ---------------------------------------------------------------------------------------


def _feature(name: str) -> str:
    if name not in _FEATURE_NAMES and not name.startswith(EXPERIMENTAL):
        near = did_you_mean(name, _FEATURE_NAMES).removeprefix("; ")
        hint = near or f"The table: {', '.join(_FEATURE_NAMES)}; names of your own begin with x-."
        fail("", "a name of the table of features", name, hint=hint)
    return name


def _without_experimental(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in names if not name.startswith(EXPERIMENTAL))


_FEATURE: Final = Text(
    str,
    _feature,
    "a string",
    {"anyOf": [{"enum": [*_FEATURE_NAMES]}, {"type": "string", "pattern": f"^{EXPERIMENTAL}"}]},
)


_ANSWERS: Final = {
    "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Answer"}}, {"type": "null"}]
}
_ELEMENT: Final = {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]}
# The kit chooses ids, so they may have what no answer may have, such as half of a character.
Id = Annotated[str, "the id of a request"]
FeatureName = Annotated[str, "the name of a feature"]
Time = Annotated[int, at_least(0)]
Pacing = Annotated[str, one_of(PACINGS)]
_NAME: Final = Via(str, lambda text: printable(text, LONGEST_NAME), str)


@dataclass(frozen=True, kw_only=True, slots=True)
class DialectJson:
    """How the language of queries is written."""

    duration: Annotated[str, one_of(STYLES)] | None = None
    """How RANGE, STEP and COMPUTED EVERY are written."""
    explicit_step: bool | None = None
    """Whether a RANGE without STEP is written with the STEP of one instant that it means."""
    triple_terms: bool | None = None
    """Whether quoted triples are written as in RDF 1.2."""
    bare_stream: bool | None = None
    """Whether a window is ``ON :s``, without STREAM."""
    explicit_register: bool | None = None
    """Whether every query is registered, also one without an operator, as RStream."""
    capital_operators: bool | None = None
    """Whether operators are written RSTREAM, ISTREAM and DSTREAM."""
    full_iris: bool | None = None
    """Whether queries have no prefixes."""
    direction: Annotated[str, one_of(DIRECTIONS)] | None = None
    """How windows of CQELS-QL 2 are written."""
    static_graph: IriText | None = None
    """The graph that a C-SPARQL query reads the background data from."""
    triples_only: bool | None = None
    """Whether STREAM of CQELS-QL contains triple patterns only."""

    def chosen(self) -> dict[str, Any]:
        """Return what the driver has said."""
        said = {own.name: getattr(self, own.name) for own in fields(self)}
        return {name: value for name, value in said.items() if value is not None}


@dataclass(frozen=True, kw_only=True, slots=True)
class BackgroundJson:
    """Background data that is valid in an interval, both ends included."""

    quads: Sequence[Quad]
    """N-Quads."""
    since: int | None = None
    until: int | None = None


def _by_interval(background: Background) -> tuple[BackgroundJson, ...]:
    """Return the background data with one entry per interval, in order of first mention."""
    quads: dict[tuple[int | None, int | None], list[Quad]] = {}
    for entry in background:
        own = quads.setdefault((entry.since, entry.until), [])
        own.extend((triple, entry.graph) for triple in entry.triples)
    return tuple(
        BackgroundJson(quads=own, since=since, until=until) for (since, until), own in quads.items()
    )


def _background(entries: Sequence[BackgroundJson]) -> Background:
    return Background(
        tuple(
            BackgroundEntry((triple,), graph, own.since, own.until)
            for own in entries
            for triple, graph in own.quads
        )
    )


# --- hello ---------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class HelloRequest:
    """Opens every connection."""

    op: OneOf["hello"] = "hello"
    protocol: Annotated[int, at_least(1)]
    """The highest version that the kit speaks."""


@dataclass(frozen=True, kw_only=True)
class Hello:
    """A driver's description of itself and its engine; texts are made printable and shortened."""

    op: OneOf["hello"] = "hello"
    protocol: Annotated[int, at_least(1), at_most(PROTOCOL)]
    """The highest version that the driver speaks and that is not above the request's."""
    engine: str
    """The engine's name."""
    version: str
    """The engine's own version."""
    language: Annotated[str, one_of(LANGUAGES)]
    """The language that queries are sent in."""
    dialect: Mapping[str, Any] = field(default_factory=dict)
    """How that language is written."""
    profile: ProfileName | ProfileJson
    """The name of a bundled profile, or an object of dials."""
    features: frozenset[str]
    """The features that cases may use; names that begin with ``x-`` are left out."""
    answers: OneOf["evaluations", "rows"] = "evaluations"
    """``rows`` if the engine emits single rows, and nothing shows where an evaluation ends."""
    advances: OneOf["clock", "elements"] = "clock"
    """``elements`` if the engine learns the time only from elements."""
    parallel: Annotated[int, at_least(1)] = 1
    """The number of requests that may be outstanding."""
    pieces: bool = False
    """Whether the driver takes a case in pieces (docs/protocol.md)."""
    algebra: bool = False
    """Whether requests must have the query's algebra beside its text."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReasonJson:
    """Why there is no engine: it cannot start, or the driver speaks none of the versions."""

    kind: OneOf["unavailable", "version"]
    message: str


@dataclass(frozen=True, kw_only=True, slots=True)
class HelloError:
    """The reply of a driver whose engine cannot be used."""

    op: OneOf["hello"] = "hello"
    error: ReasonJson


# --- run, and a case in pieces -------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenRequest:
    """The beginning of a case whose elements come in pieces."""

    op: OneOf["open"] = "open"
    id: Id
    """The reply repeats it."""
    query: str
    """In the driver's language and dialect."""
    streams: tuple[IRI, ...]
    """All streams; some may have no elements."""
    registered: Time
    """The instant of the query's registration."""
    until: Time
    """Nothing after this instant is compared."""
    unit: Annotated[int, at_least(1)]
    """Milliseconds per instant."""
    pacing: Pacing
    """``settled``: wait after each element until the engine is quiet."""
    static: Background
    stamp: Stamp | None = None
    """Only if elements are named."""
    algebra: Query | None = None
    """The query's algebra, if the hello asks for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRequest(OpenRequest):
    """A whole case."""

    op: OneOf["run"] = "run"  # type: ignore[assignment]  # a request with one more field
    elements: tuple[StreamElement, ...]
    """In the order of arrival."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PushRequest:
    """More elements of the open case."""

    op: OneOf["push"] = "push"
    id: Id
    elements: tuple[StreamElement, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class CloseRequest:
    """The end of the open case."""

    op: OneOf["close"] = "close"
    id: Id


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenReply:
    """The case is open."""

    op: OneOf["open"]
    id: Id


@dataclass(frozen=True, kw_only=True, slots=True)
class AnswersReply:
    """The answers; for a case in pieces those since the last reply."""

    op: OneOf["run", "push", "close"]
    id: Id
    answers: tuple[Observed, ...]
    """In the order of emission."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorJson:
    """The reason: the engine does not support this (``unsupported``), refuses it, or crashed."""

    kind: OneOf["unsupported", "rejected", "crashed"]
    message: str
    element: int | None = None
    """The index of the element that was rejected, if one was."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorReply:
    """The reason why there is no whole answer."""

    op: OneOf["run", "open", "push", "close"]
    id: Id
    error: ErrorJson
    answers: tuple[Observed, ...] = ()
    """For an engine that crashed: the answers before."""


REQUESTS: Final = (HelloRequest, RunRequest, OpenRequest, PushRequest, CloseRequest)
REPLIES: Final = (Hello, HelloError, OpenReply, AnswersReply, ErrorReply)

# --- the format ----------------------------------------------------------------------------------


def _if_kind(kind: str, key: str, schema: Any, *path: str) -> dict[str, Any]:
    """Return the schema of a member that is read only if an error has this kind."""
    found: dict[str, Any] = {"const": kind}
    for name in ("kind", *path):
        found = {"properties": {name: found}}
    return {"if": found, "then": {"properties": {key: schema}}}


def _error(kind: Any, message: str, element: Any = None) -> ErrorJson:
    """Return the error; an element belongs to a rejection alone, and else is ignored."""
    element = whole(element) if kind == "rejected" else None
    if element is not None and (type(element) is not int or element < 0):
        fail("element", "an integer of at least 0 or null", element)
    return ErrorJson(kind=kind, message=message, element=element)


def _error_reply(op: Any, id: str, error: ErrorJson, answers: Any = None) -> ErrorReply:
    """Return the reply; answers belong to a crash alone, and else are ignored."""
    crashed = error.kind == "crashed" and answers is not None
    read = REPLY.read(tuple[Observed, ...], answers, "answers") if crashed else ()
    return ErrorReply(op=op, id=id, error=error, answers=read)


_REPLY_RULES: Final[Mapping[Any, Rule]] = {
    **ANSWERS.rules,
    **PROFILE_RULES,
    int: WHOLE,
    FeatureName: _FEATURE,
    Id: ANY_TEXT,
    DialectJson: Keys(absent="*"),
    Hello: Keys(
        members={
            "engine": _NAME,
            "version": _NAME,
            "dialect": Via(DialectJson, DialectJson.chosen, lambda own: DialectJson(**own)),
            "features": Via(frozenset[FeatureName], _without_experimental, frozenset),
            "parallel": Via(
                Annotated[int, at_least(1)], lambda own: min(own, MOST_OUTSTANDING), int
            ),
        },
        required="op",
    ),
    HelloError: Keys(required="op"),
    ErrorJson: Keys(
        members={"element": Any}, make=_error, schema=_if_kind("rejected", "element", _ELEMENT)
    ),
    ErrorReply: Keys(
        members={"answers": Any},
        make=_error_reply,
        schema=_if_kind("crashed", "answers", _ANSWERS, "error"),
    ),
}
REPLY: Final = Format(_REPLY_RULES, tag="type", open=True, longest=LONGEST)
"""What drivers send."""


def _requests(*, triple_terms: bool = False) -> Format:
    """Return the format of requests, with quoted triples as RDF 1.2 writes them or as RSP-QL*."""
    return Format(
        {
            **element_rules(triple_terms=triple_terms),
            Query: ALGEBRA,
            Id: ANY_TEXT,
            Background: Via(tuple[BackgroundJson, ...], _background, _by_interval),
            BackgroundJson: Keys(
                "from=since until quads",
                members={
                    "quads": Text(
                        lambda quads: write_nquads(quads, triple_terms=triple_terms),
                        parse_nquads,
                        "N-Quads",
                    )
                },
                absent="*",
            ),
            OpenRequest: Keys(" ".join(("op", *_CASE, "stamp", "algebra")), **_OPTIONAL),
            RunRequest: Keys(" ".join(("op", *_CASE, "elements", "stamp", "algebra")), **_OPTIONAL),
            **dict.fromkeys((HelloRequest, PushRequest, CloseRequest), Keys(required="op")),
        },
        open=True,
    )


_CASE: Final = "id query streams registered until unit pacing static".split()
_OPTIONAL: Final[Any] = {"absent": "*", "required": "op"}
REQUEST: Final = _requests()
"""What the kit sends."""
REQUEST_1_2: Final = _requests(triple_terms=True)
"""What the kit sends to a driver that reads RDF 1.2."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a line of the protocol, in either direction.

    ``$defs`` contains a schema for each message, under the name of its class in this module.
    """
    title = {"title": "The messages of the engine protocol"}
    definitions = REPLY.schema(*REPLIES)["$defs"] | REQUEST.schema(*REQUESTS)["$defs"]
    references = [{"$ref": f"#/$defs/{own.__name__}"} for own in (*REQUESTS, *REPLIES)]
    return {"$schema": DIALECT, **title, "anyOf": references, "$defs": definitions}
