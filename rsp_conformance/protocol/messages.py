"""The messages a driver sends, validated: `Hello`, `Reply` with its answers, `RunError`.

Everything is checked here, once, and becomes values of the model: behind this border nobody looks
at a driver's JSON again.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal, NoReturn, cast

from rsp_conformance.files.fields import (
    MISSING,
    SHOWN,
    FieldError,
    as_choice,
    as_flag,
    as_instant,
    as_int,
    as_list,
    as_object,
    as_text,
    fail,
    get,
    shown,
)
from rsp_conformance.files.results_json import content_from_json
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.features import FEATURES
from rsp_conformance.protocol.failures import EngineUnavailable, ProtocolError, VersionMismatch
from rsp_conformance.protocol.requests import PROTOCOL

LANGUAGES: Final = (
    "rsp-ql",
    "c-sparql",
    "cqels-ql",
    "cqels-ql-2",
    "sparqlstream",
    "rsp-ql-star",
)
DURATIONS: Final = ("instants", "iso", "ms", "s")
EXPERIMENTAL: Final = "x-"
"""Features that begin so are a driver's own and are ignored."""
RUN_ERRORS: Final = ("unsupported", "rejected", "crashed")

RunErrorKind = Literal["unsupported", "rejected", "crashed"]


@dataclass(frozen=True)
class Hello:
    """What a driver says of itself and its engine (section "hello").

    Attributes:
        protocol: the version both sides speak from now on.
        engine, version: the engine's name and its own version.
        language: the language the kit prints queries in, one of `LANGUAGES`.
        dialect: printing options of that language.
        profile: the name of a bundled profile, or an object of dials.
        features: what the generator may use; `x-` names are left out.
        answers: `rows` if each answer is a single row that the kit has to merge.
        advances: `elements` if the engine learns the time only from elements.
        parallel: how many requests may be outstanding.
        pieces: whether a case may be fed piece by piece (docs/incremental.md).
    """

    protocol: int
    engine: str
    version: str
    language: str
    dialect: Mapping[str, Any]
    profile: str | Mapping[str, Any]
    features: frozenset[str]
    answers: Literal["evaluations", "rows"] = "evaluations"
    advances: Literal["clock", "elements"] = "clock"
    parallel: int = 1
    pieces: bool = False


@dataclass(frozen=True)
class Reply:
    """A case that ran to its end: the answers in the order of emission."""

    id: str
    answers: tuple[Observed, ...]


@dataclass(frozen=True)
class RunError:
    """A case that the driver answered with an error.

    Attributes:
        element: the index of the element that was refused; only for `rejected`.
        answers: what had been answered before; only for `crashed`.
    """

    id: str
    kind: RunErrorKind
    message: str
    element: int | None = None
    answers: tuple[Observed, ...] = ()


@contextmanager
def _at_border() -> Iterator[None]:
    """Whatever is not as it should be in a driver's message is a ProtocolError."""
    try:
        yield
    except FieldError as error:
        raise ProtocolError(error.field, error.expected, error.found, hint=error.hint) from None


@_at_border()
def decode_line(line: bytes) -> dict[str, Any]:
    """The JSON object on one line of the driver; numbers with a point are kept exact.

    Raises:
        ProtocolError: the line is not UTF-8, not JSON, or not an object.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise FieldError("", "a line of UTF-8", repr(line[:SHOWN])) from None
    try:
        value = json.loads(text, parse_float=Decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        hint = "The driver's standard output is for the protocol alone; logs go to standard error."
        fail("", "a line of JSON", text.rstrip("\r\n"), hint=hint)
    return as_object(value, "")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


@_at_border()
def read_hello(message: object) -> Hello:
    """A driver's hello.

    Raises:
        EngineUnavailable: the driver says that its engine cannot start, and how to install it.
        VersionMismatch: the driver speaks no version of ours.
        ProtocolError: anything else that section "hello" does not know; for an unknown
            feature the hint lists the table.
    """
    message = as_object(message, "")
    as_choice(get(message, "op"), "op", ("hello",))
    if "error" in message:
        _raise_hello_error(message["error"])
    protocol = as_int(get(message, "protocol"), "protocol", least=1)
    if protocol > PROTOCOL:
        fail("protocol", f"a version not above {PROTOCOL}, which was asked for", protocol)
    answers = as_choice(message.get("answers", "evaluations"), "answers", ("evaluations", "rows"))
    advances = as_choice(message.get("advances", "clock"), "advances", ("clock", "elements"))
    return Hello(
        protocol=protocol,
        engine=as_text(get(message, "engine"), "engine"),
        version=as_text(get(message, "version"), "version"),
        language=as_choice(get(message, "language"), "language", LANGUAGES),
        dialect=_dialect(message.get("dialect", {})),
        profile=_profile(get(message, "profile")),
        features=_features(get(message, "features")),
        answers=cast(Literal["evaluations", "rows"], answers),
        advances=cast(Literal["clock", "elements"], advances),
        parallel=as_int(message.get("parallel", 1), "parallel", least=1),
        pieces=as_flag(message.get("pieces", False), "pieces"),
    )


def _raise_hello_error(value: object) -> None:
    error = as_object(value, "error")
    kind = as_choice(get(error, "kind"), "error.kind", ("unavailable", "version"))
    text = as_text(get(error, "message"), "error.message")
    raise (EngineUnavailable if kind == "unavailable" else VersionMismatch)(text)


def _dialect(value: object) -> Mapping[str, Any]:
    dialect = as_object(value, "dialect")
    if "duration" in dialect:
        as_choice(dialect["duration"], "dialect.duration", DURATIONS)
    return dialect


def _profile(value: object) -> str | Mapping[str, Any]:
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        fail("profile", "the name of a profile or an object of dials", value)
    return as_object(value, "profile")


def _features(value: object) -> frozenset[str]:
    names = [as_text(n, f"features[{i}]") for i, n in enumerate(as_list(value, "features"))]
    for number, name in enumerate(names):
        if name not in FEATURES and not name.startswith(EXPERIMENTAL):
            hint = f"The table: {', '.join(FEATURES)}; names of your own begin with x-."
            fail(f"features[{number}]", "a name of the table of features", name, hint=hint)
    return frozenset(name for name in names if not name.startswith(EXPERIMENTAL))


@_at_border()
def read_id(message: object, outstanding: Container[str], expected: str) -> str:
    """The id of a reply, which is among those OUTSTANDING; EXPECTED says so in the error."""
    message = as_object(message, "")
    found = get(message, "id")
    if not isinstance(found, str) or found not in outstanding:
        hint = f"The driver said: {shown(message['error'])}" if "error" in message else ""
        fail("id", expected, found, hint=hint)
    return found


@_at_border()
def read_run(
    message: object, *, elements: int, pacing: str = "burst", op: str = "run"
) -> Reply | RunError:
    """A driver's reply to a `run` request of so many elements and this pacing.

    The replies to OP `open`, `push` and `close` have the same form, after so many elements since
    the case's start; that to `open` has no answers.

    Raises:
        ProtocolError: a field is missing or not what section "run" says.
    """
    message = as_object(message, "")
    as_choice(get(message, "op"), "op", (op,))
    case = as_text(get(message, "id"), "id")
    if "error" not in message:
        given = () if op == "open" else get(message, "answers")
        answers = _answers(given, elements, pacing)
        if op == "push":
            for number, answer in enumerate(answers):
                if answer.cause == "end":
                    fail(f"answers[{number}].cause", "an index: the stream has not ended", "end")
        return Reply(case, answers)
    error = as_object(message["error"], "error")
    kind = as_choice(get(error, "kind"), "error.kind", RUN_ERRORS)
    text = as_text(get(error, "message"), "error.message")
    element = None
    if kind == "rejected" and error.get("element") is not None:
        element = _index(error["element"], "error.element", elements)
    given = message.get("answers") if kind == "crashed" else None
    answers = () if given is None else _answers(given, elements, pacing)
    return RunError(case, cast(RunErrorKind, kind), text, element, answers)


def _answers(value: object, elements: int, pacing: str) -> tuple[Observed, ...]:
    return tuple(
        _answer(as_object(item, f"answers[{i}]"), f"answers[{i}]", elements, pacing)
        for i, item in enumerate(as_list(value, "answers"))
    )


def _answer(item: Mapping[str, Any], where: str, elements: int, pacing: str) -> Observed:
    if "t" not in item:
        fail(f"{where}.t", "an integer, a decimal or null", MISSING)
    t = as_instant(item["t"], f"{where}.t")
    cause = _cause(item.get("cause"), f"{where}.cause", elements)
    if cause is None and pacing == "settled":
        fail(f"{where}.cause", 'an index of elements or "end", for the pacing is settled', None)
    return Observed(t, content_from_json(item, where), cause)


def _cause(value: object, where: str, elements: int) -> int | str | None:
    if value is None:
        return None
    if value == "end":
        return "end"
    return _index(value, where, elements)


def _index(value: object, where: str, elements: int) -> int:
    expected = f"an index of the {elements} elements"
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < elements:
        fail(where, expected, value)
    return value
