"""The messages a driver sends, validated: `Hello`, `Reply` with its answers, `Failure`.

Everything is checked here, once, and becomes values of the model: behind this border nobody looks
at a driver's JSON again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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
from rsp_conformance.model.answers import (
    Content,
    Observed,
    Rows,
    Triples,
    Truth,
    rows_from_solutions,
)
from rsp_conformance.model.features import FEATURES
from rsp_conformance.protocol.failures import (
    EngineUnavailable,
    Loss,
    ProtocolError,
    VersionMismatch,
)
from rsp_conformance.protocol.requests import PROTOCOL
from rsp_conformance.text.languages import LANGUAGES

DURATIONS: Final = ("instants", "iso", "ms", "s")
EXPERIMENTAL: Final = "x-"
"""Features that begin so are a driver's own and are ignored."""

FailureKind = Literal["unsupported", "rejected", "crashed", "died", "timeout", "protocol-error"]
"""The first three are the driver's own words, the others the client's."""

RUN_ERRORS: Final = ("unsupported", "rejected", "crashed")

_HINTS: dict[str, str] = {
    "unsupported": "Drop the feature from the hello if the engine never does this.",
    "rejected": "Look at the query as it was printed, and at the dialect in the hello.",
    "crashed": "The engine threw.",
    "died": "The driver must outlive its engine's errors and answer them as `crashed`.",
    "timeout": "The case took longer than the time limit, counted from sending it.",
    "protocol-error": "The driver broke the protocol; the engine itself may be right.",
}


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
class Failure:
    """A case without a whole answer: a verdict of its own, never "wrong answer".

    Attributes:
        kind: which failure; stays the same from version to version.
        message: what happened, in one sentence.
        hint: what to do next.
        element: the index of the element that the engine refused; only for `rejected`.
        answers: the answers before a crash.
        stderr: the last lines of the driver's standard error, for all but `unsupported` and
            `rejected`.
    """

    kind: FailureKind
    message: str
    hint: str
    element: int | None = None
    answers: tuple[Observed, ...] = ()
    stderr: tuple[str, ...] = ()

    def with_stderr(self, lines: tuple[str, ...]) -> Failure:
        """This failure with the last LINES of standard error, where they belong to it."""
        if self.stderr or self.kind in ("unsupported", "rejected"):
            return self
        return replace(self, stderr=lines)


Outcome = Reply | Failure
"""What becomes of one case."""


def failure_of_loss(loss: Loss) -> Failure:
    """The failure of the one case to blame for a lost connection."""
    kind = cast(FailureKind, loss.kind)
    return Failure(kind, loss.message, loss.hint or _HINTS[kind], stderr=loss.stderr)


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
        error = as_object(message["error"], "error")
        kind = as_choice(get(error, "kind"), "error.kind", ("unavailable", "version"))
        text = as_text(get(error, "message"), "error.message")
        raise (EngineUnavailable if kind == "unavailable" else VersionMismatch)(text)
    protocol = as_int(get(message, "protocol"), "protocol", least=1)
    if protocol > PROTOCOL:
        fail("protocol", f"a version not above {PROTOCOL}, which was asked for", protocol)
    answers = as_choice(message.get("answers", "evaluations"), "answers", ("evaluations", "rows"))
    advances = as_choice(message.get("advances", "clock"), "advances", ("clock", "elements"))
    return Hello(
        protocol=protocol,
        engine=as_text(get(message, "engine"), "engine"),
        version=as_text(get(message, "version"), "version"),
        language=as_choice(get(message, "language"), "language", tuple(LANGUAGES)),
        dialect=_dialect(message.get("dialect", {})),
        profile=_profile(get(message, "profile")),
        features=_features(get(message, "features")),
        answers=cast(Literal["evaluations", "rows"], answers),
        advances=cast(Literal["clock", "elements"], advances),
        parallel=as_int(message.get("parallel", 1), "parallel", least=1),
        pieces=as_flag(message.get("pieces", False), "pieces"),
    )


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
def read_run(message: object, *, elements: int, pacing: str = "burst", op: str = "run") -> Outcome:
    """A driver's reply to a `run` request of so many elements and this pacing.

    The replies to OP `open`, `push` and `close` have the same form, after so many elements since
    the case's start; that to `open` has no answers.

    Raises:
        ProtocolError: a field is missing or not what section "run" says.
    """
    message = as_object(message, "")
    as_choice(get(message, "op"), "op", (op,))
    case = as_text(get(message, "id"), "id")
    if "error" in message:
        return _failure(message, elements, pacing)
    answers = _answers(() if op == "open" else get(message, "answers"), elements, pacing)
    for number, answer in enumerate(answers if op == "push" else ()):
        if answer.cause == "end":
            fail(f"answers[{number}].cause", "an index: the stream has not ended", "end")
    return Reply(case, answers)


def _failure(message: Mapping[str, Any], elements: int, pacing: str) -> Failure:
    error = as_object(message["error"], "error")
    kind = cast(FailureKind, as_choice(get(error, "kind"), "error.kind", RUN_ERRORS))
    text = as_text(get(error, "message"), "error.message")
    element = error.get("element") if kind == "rejected" else None
    answers = message.get("answers") if kind == "crashed" else None
    return Failure(
        kind,
        text,
        _HINTS[kind],
        None if element is None else _index(element, "error.element", elements),
        () if answers is None else _answers(answers, elements, pacing),
    )


def outcome_of(
    message: Mapping[str, Any],
    request: Mapping[str, Any],
    hello: Hello,
    stderr: Callable[[], tuple[str, ...]] = tuple,
) -> Outcome:
    """The outcome of the `run` REQUEST that the engine of HELLO replies by MESSAGE.

    STDERR gives the last lines of its standard error. Raises ProtocolError as `read_run` does.
    """
    elements, pacing = len(request.get("elements", ())), request.get("pacing", "burst")
    outcome = read_run(message, elements=elements, pacing=pacing)
    if isinstance(outcome, Failure):
        return outcome.with_stderr(stderr())
    rows = hello.answers == "rows"
    return replace(outcome, answers=merge_rows(outcome.answers)) if rows else outcome


def _answers(value: object, elements: int, pacing: str) -> tuple[Observed, ...]:
    return tuple(
        _answer(as_object(item, f"answers[{i}]"), f"answers[{i}]", elements, pacing)
        for i, item in enumerate(as_list(value, "answers"))
    )


def _answer(item: Mapping[str, Any], where: str, elements: int, pacing: str) -> Observed:
    if "t" not in item:
        fail(f"{where}.t", "an integer, a decimal or null", MISSING)
    t = as_instant(item["t"], f"{where}.t")
    cause = item.get("cause")
    if cause is not None and cause != "end":
        cause = _index(cause, f"{where}.cause", elements)
    if cause is None and pacing == "settled":
        fail(f"{where}.cause", 'an index of elements or "end", for the pacing is settled', None)
    return Observed(t, content_from_json(item, where), cause)


def _index(value: object, where: str, elements: int) -> int:
    expected = f"an index of the {elements} elements"
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < elements:
        fail(where, expected, value)
    return value


# --- single rows (hello, `answers: rows`) -------------------------------------------------------


def merge_rows(answers: Iterable[Observed]) -> tuple[Observed, ...]:
    """Neighbours of equal `t`, or of equal `cause` where both `t` are null, made one answer.

    The merged answer keeps the first one's `cause`; rows stay in their order, graphs are
    joined. Neighbours with neither `t` nor `cause` stay apart, for nothing says that they
    belong together; so do answers of different forms and those of ASK.
    """
    groups: list[list[Observed]] = []
    for answer in answers:
        if groups and _together(groups[-1][0], answer):
            groups[-1].append(answer)
        else:
            groups.append([answer])
    return tuple(_joined(group) for group in groups)


class RowMerger:
    """Merges rows that come in pieces: the last answer waits, for its neighbour may still come."""

    def __init__(self) -> None:
        self._held: tuple[Observed, ...] = ()

    def take(self, answers: Iterable[Observed]) -> tuple[Observed, ...]:
        """The answers that are whole now, with those of the next piece."""
        merged = merge_rows((*self._held, *answers))
        self._held = merged[-1:]
        return merged[:-1]

    def rest(self, answers: Iterable[Observed] = ()) -> tuple[Observed, ...]:
        """The last answers: nothing comes after these."""
        held, self._held = self._held, ()
        return merge_rows((*held, *answers))


def _together(one: Observed, other: Observed) -> bool:
    if one.t is not None or other.t is not None:
        same = one.t == other.t
    else:
        same = one.cause is not None and one.cause == other.cause
    return same and type(one.content) is type(other.content) is not Truth


def _joined(group: Sequence[Observed]) -> Observed:
    first = group[0]
    if len(group) == 1:
        return first
    contents = [answer.content for answer in group]
    joined: Content
    if isinstance(first.content, Rows):
        rows = (content for content in contents if isinstance(content, Rows))
        joined = rows_from_solutions(tuple(row for some in rows for row in some.solutions()))
    else:
        graphs = (content.graph for content in contents if isinstance(content, Triples))
        joined = Triples(frozenset().union(*graphs))
    return replace(first, content=joined)
