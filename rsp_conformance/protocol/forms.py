"""The forms of all messages (docs/protocol.md), which validate them and give the JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final
from typing import Literal as OneOf

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    TypeAdapter,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from rsp_conformance.files.algebra_json import algebra_schema
from rsp_conformance.files.fields import DIGITS, as_instant, fail, whole
from rsp_conformance.files.forms import ABSENT, MANY, JsonForm, Kept, Matching, Text
from rsp_conformance.files.results_json import ContentForm, IriText
from rsp_conformance.model.errors import did_you_mean, printable
from rsp_conformance.model.features import FEATURES, RESTRICTIONS
from rsp_conformance.protocol.requests import PROTOCOL
from rsp_conformance.text.durations import STYLES
from rsp_conformance.text.languages import LANGUAGES
from rsp_conformance.text.printer.cqels_ql_2 import DIRECTIONS

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


def _feature(name: str) -> str:
    if name not in _FEATURE_NAMES and not name.startswith(EXPERIMENTAL):
        near = did_you_mean(name, _FEATURE_NAMES).removeprefix("; ")
        hint = near or f"The table: {', '.join(_FEATURE_NAMES)}; names of your own begin with x-."
        fail("", "a name of the table of features", name, hint=hint)
    return name


FeatureName = Annotated[
    Text,
    AfterValidator(_feature),
    WithJsonSchema({"anyOf": [{"enum": [*_FEATURE_NAMES]}, {"type": "string", "pattern": "^x-"}]}),
]
_END = 10**DIGITS
"""The first number beyond the instants that are read, as JSON Schema states it."""
InstantForm = Annotated[
    Any,
    PlainValidator(lambda value: as_instant(value, "")),
    WithJsonSchema(
        {"type": ["number", "null"], "exclusiveMinimum": -_END, "exclusiveMaximum": _END}
    ),
]
"""The instant that an engine reports: an integer, a decimal, or null if it reports none."""


def _index(value: Any, info: ValidationInfo) -> Any:
    value = whole(value)
    elements = (info.context or {}).get("elements", 0)
    good = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < elements
    if value is not None and not good:
        fail("", f"an index of the {elements} elements", value)
    return value


def _rejected(value: Any, info: ValidationInfo) -> Any:
    return _index(value, info) if info.data.get("kind") == "rejected" else None


def _of_a_crash(value: Any, info: ValidationInfo) -> Any:
    error = info.data.get("error")
    return value if error is not None and error.kind == "crashed" else None


_ELEMENT: Final[Any] = {"type": "integer", "minimum": 0}
CauseForm = Annotated[
    Any,
    PlainValidator(lambda value, info: value if value == "end" else _index(value, info)),
    WithJsonSchema({"anyOf": [_ELEMENT, {"enum": ["end", None]}]}),
]
"""The index of an element, ``"end"`` or null; the context's ``elements`` is their number."""
WHOLE: Final = BeforeValidator(whole)
"""Marks integers, which JSON Schema allows to be written with a point: `2.0` is 2."""
Integer = Annotated[int, WHOLE]
Time = Annotated[int, Field(ge=0), WHOLE]
Name = Annotated[Text, AfterValidator(lambda text: printable(text, LONGEST_NAME))]
ProfileName = Annotated[
    str, Matching(r"[^\x00-\x1f\x7f-\x9f]{0,200}", "a name of at most 200 characters")
]
LanguageName = Annotated[str, Matching("|".join(LANGUAGES), f"one of {', '.join(LANGUAGES)}")]
DurationStyle = Annotated[str, Matching("|".join(STYLES), f"one of {', '.join(STYLES)}")]

Direction = Annotated[str, Matching("|".join(DIRECTIONS), f"one of {', '.join(DIRECTIONS)}")]


def _without_experimental(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name for name in names if not name.startswith(EXPERIMENTAL))


_LISTED: Final = Field(strict=False, fail_fast=True, json_schema_extra={"uniqueItems": False})


# --- hello ---------------------------------------------------------------------------------------


class HelloRequest(JsonForm):
    """Opens every connection."""

    op: OneOf["hello"]
    protocol: Annotated[int, Field(ge=1), WHOLE]
    """The highest version that the kit speaks."""


class DialectForm(JsonForm):
    """How the language of queries is written."""

    duration: DurationStyle = ABSENT
    """How RANGE, STEP and COMPUTED EVERY are written."""
    explicit_step: bool = ABSENT
    """Whether a RANGE without STEP is written with the STEP of one instant that it means."""
    triple_terms: bool = ABSENT
    """Whether quoted triples are written as in RDF 1.2."""
    bare_stream: bool = ABSENT
    """Whether a window is ``ON :s``, without STREAM."""
    explicit_register: bool = ABSENT
    """Whether every query is registered, also one without an operator, as RStream."""
    capital_operators: bool = ABSENT
    """Whether operators are written RSTREAM, ISTREAM and DSTREAM."""
    full_iris: bool = ABSENT
    """Whether queries have no prefixes."""
    direction: Direction = ABSENT
    """How windows of CQELS-QL 2 are written."""
    static_graph: IriText = ABSENT
    """The graph that a C-SPARQL query reads the background data from."""
    triples_only: bool = ABSENT
    """Whether STREAM of CQELS-QL contains triple patterns only."""


DialValue = Text | Integer | bool | list[Text]


class OverrideForm(JsonForm):
    """Dials for queries of some shapes."""

    when: Annotated[list[Text], MANY]
    dials: dict[Text, DialValue]


class ProfileForm(JsonForm, extra="allow"):
    """Dials by name (docs/dials.md), on top of those of the bundled profile ``base``."""

    __pydantic_extra__: dict[str, DialValue] = Field(init=False)
    name: ProfileName = ABSENT
    base: ProfileName = ABSENT
    description: Text = ABSENT
    overrides: Annotated[list[OverrideForm], MANY] = ABSENT


class Hello(JsonForm):
    """A driver's description of itself and its engine; texts are made printable and shortened."""

    op: OneOf["hello"]
    protocol: Annotated[int, Field(ge=1, le=PROTOCOL), WHOLE]
    """The highest version that the driver speaks and that is not above the request's."""
    engine: Name
    """The engine's name."""
    version: Name
    """The engine's own version."""
    language: LanguageName
    """The language that queries are sent in."""
    dialect: Annotated[Mapping[str, Any], Kept(DialectForm)] = {}
    """How that language is written."""
    profile: Annotated[
        Annotated[ProfileName, Tag("its name")]
        | Annotated[Mapping[str, Any], Kept(ProfileForm), Tag("its dials")],
        Discriminator(lambda value: "its name" if isinstance(value, str) else "its dials"),
    ]
    """The name of a bundled profile, or an object of dials."""
    features: Annotated[frozenset[FeatureName], _LISTED, AfterValidator(_without_experimental)]
    """The features that cases may use; names that begin with ``x-`` are left out."""
    answers: OneOf["evaluations", "rows"] = "evaluations"
    """``rows`` if the engine emits single rows, and nothing shows where an evaluation ends."""
    advances: OneOf["clock", "elements"] = "clock"
    """``elements`` if the engine learns the time only from elements."""
    parallel: Annotated[
        int, Field(ge=1), WHOLE, AfterValidator(lambda n: min(n, MOST_OUTSTANDING))
    ] = 1
    """The number of requests that may be outstanding."""
    pieces: bool = False
    """Whether the driver takes a case in pieces (docs/protocol.md)."""
    algebra: bool = False
    """Whether requests must have the query's algebra beside its text."""


class HelloErrorForm(JsonForm):
    """Why there is no engine: it cannot start, or the driver speaks none of the versions."""

    kind: OneOf["unavailable", "version"]
    message: Text


class HelloError(JsonForm):
    """The reply of a driver whose engine cannot be used."""

    op: OneOf["hello"]
    error: HelloErrorForm


# --- run, and a case in pieces -------------------------------------------------------------------


class ElementForm(JsonForm):
    """A graph that enters a stream."""

    stream: IriText
    t: Time
    """The instant, never earlier than that of the element before."""
    graph: Annotated[Text, Field(min_length=1)]
    """N-Triples."""
    name: Text = ABSENT
    """The name of an element of RSP-QL*: an IRI or ``_:label``."""


class BackgroundForm(JsonForm):
    """Background data that is valid in an interval, both ends included."""

    quads: Text
    """N-Quads."""
    since: Integer = Field(default_factory=ABSENT.default_factory, alias="from")
    until: Integer = ABSENT


class StampForm(JsonForm):
    """How the timestamp triple of a named element is written."""

    predicate: IriText
    datatype: IriText


class OpenRequest(JsonForm):
    """The beginning of a case whose elements come in pieces."""

    op: OneOf["open"]
    id: str
    """The reply repeats it."""
    query: Text
    """In the driver's language and dialect."""
    streams: list[IriText]
    """All streams; some may have no elements."""
    registered: Time
    """The instant of the query's registration."""
    until: Time
    """Nothing after this instant is compared."""
    unit: Annotated[int, Field(ge=1), WHOLE]
    """Milliseconds per instant."""
    pacing: OneOf["burst", "settled"]
    """``settled``: wait after each element until the engine is quiet."""
    static: list[BackgroundForm]
    stamp: StampForm = ABSENT
    """Only if elements are named."""
    algebra: Annotated[Any, WithJsonSchema({"type": "object"})] = ABSENT
    """The query's algebra, if the hello asks for it."""


class RunRequest(OpenRequest):
    """A whole case."""

    op: OneOf["run"]  # type: ignore[assignment]  # a request of the same fields and one more
    elements: list[ElementForm]
    """In the order of arrival."""


class PushRequest(JsonForm):
    """More elements of the open case."""

    op: OneOf["push"]
    id: str
    elements: list[ElementForm]


class CloseRequest(JsonForm):
    """The end of the open case."""

    op: OneOf["close"]
    id: str


class AnswerForm(ContentForm):
    """The answer of one evaluation."""

    t: InstantForm
    """The instant that the engine itself reports; null if it reports none."""
    cause: CauseForm = None
    """The index of the element pushed last when the answer came; null if not known."""


AnswerForms = Annotated[list[AnswerForm], MANY]
"""In the order of emission."""


class OpenReply(JsonForm):
    """The case is open."""

    op: OneOf["open"]
    id: str


class AnswersReply(JsonForm):
    """The answers; for a case in pieces those since the last reply."""

    op: OneOf["run", "push", "close"]
    id: str
    answers: AnswerForms


class ErrorForm(JsonForm):
    """The reason: the engine does not support this (``unsupported``), refuses it, or crashed."""

    kind: OneOf["unsupported", "rejected", "crashed"]
    message: Text
    element: Annotated[
        Any, PlainValidator(_rejected), WithJsonSchema({"anyOf": [_ELEMENT, {"type": "null"}]})
    ] = None
    """The index of the element that was rejected, if one was."""


class ErrorReply(JsonForm):
    """The reason why there is no whole answer."""

    op: OneOf["run", "open", "push", "close"]
    id: str
    error: ErrorForm
    answers: Annotated[AnswerForms | None, BeforeValidator(_of_a_crash)] = None
    """For an engine that crashed: the answers before."""


# --- the schema ----------------------------------------------------------------------------------

REQUESTS: Final = (HelloRequest, RunRequest, OpenRequest, PushRequest, CloseRequest)
REPLIES: Final = (Hello, HelloError, OpenReply, AnswersReply, ErrorReply)


class _Schema(GenerateJsonSchema):
    """Writes fields without titles, which would repeat the names."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Return False for every field."""
        return False


def schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a line of the protocol, in either direction.

    ``$defs`` contains a schema for each message, under the name of its class in this module.
    """
    forms = (*REQUESTS, *REPLIES)
    _, found = models_json_schema(
        [(form, "validation") for form in forms],
        title="The messages of the engine protocol",
        schema_generator=_Schema,
    )
    references = [{"$ref": f"#/$defs/{form.__name__}"} for form in forms]
    found["$defs"] |= algebra_schema()
    for form in (OpenRequest, RunRequest):
        found["$defs"][form.__name__]["properties"]["algebra"]["$ref"] = "#/$defs/Query"
    return {"$schema": GenerateJsonSchema.schema_dialect, **found, "anyOf": references}


HELLO: Final[TypeAdapter[Any]] = TypeAdapter(Hello)
HELLO_ERROR: Final[TypeAdapter[Any]] = TypeAdapter(HelloError)
OPENED: Final[TypeAdapter[Any]] = TypeAdapter(OpenReply)
ANSWERED: Final[TypeAdapter[Any]] = TypeAdapter(AnswersReply)
FAILED: Final[TypeAdapter[Any]] = TypeAdapter(ErrorReply)
