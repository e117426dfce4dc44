"""The messages that a driver sends, validated: `Hello`, `Reply` with its answers, `Failure`.

All checks are made here, once. The result consists of values of the model, so no other module looks
at a driver's JSON.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast

from rsp_conformance.files.answers import MOST_VARIABLES
from rsp_conformance.files.fields import SHOWN, FieldError, exact, fail, get, shown
from rsp_conformance.files.json_text import load, too_deep
from rsp_conformance.model.answers import (
    Content,
    Observed,
    Rows,
    Triples,
    Truth,
    rows_from_solutions,
)
from rsp_conformance.model.errors import printable
from rsp_conformance.protocol.failures import (
    EngineUnavailable,
    Flood,
    Loss,
    ProtocolError,
    VersionMismatch,
)
from rsp_conformance.protocol.forms import (
    LONGEST_MESSAGE,
    REPLY,
    AnswersReply,
    ErrorReply,
    Hello,
    HelloError,
    OpenReply,
)

FailureKind = Literal[
    "unsupported", "rejected", "crashed", "died", "timeout", "protocol-error", "too many rows"
]
"""Why a case has no whole answer. The driver reports the first three, the client the others."""

_HINTS: dict[str, str] = {
    "unsupported": "Drop the feature from the hello if the engine never does this.",
    "rejected": "Look at the query as it was printed, and at the dialect in the hello.",
    "crashed": "The engine threw.",
    "died": "The driver must outlive its engine's errors and answer them as `crashed`.",
    "timeout": "The case took longer than the time limit, counted from sending it.",
    "protocol-error": "The driver broke the protocol; the engine itself may be right.",
    "too many rows": "The engine answers without end, or the driver sends answers again and again.",
}

MOST_VALUES: Final = 2_000_000
"""The number of values that a reply may hold: 64 MB of `{}` would take gigabytes of memory."""
MOST_NESTED: Final = 134
"""The depth of nested arrays and objects: 64 quoted triples within an answer have this depth."""
_BEFORE_VALUES: Final = (b",", b"[", b"{")  # the marks that precede a value or a member
_UNMARKED: Final = bytes(set(range(256)) - set(b'",[{'))  # all bytes but quotes and marks


@dataclass(frozen=True)
class Reply:
    """A case that ran to its end.

    Attributes:
        id: the id of the request.
        answers: the answers in the order of emission.
        stderr: the last lines that the driver wrote to standard error during the case, if it ran
            alone; if there are none, those of the driver's start, marked as such.
    """

    id: str
    answers: tuple[Observed, ...]
    stderr: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A case without a whole answer: a verdict of its own, never "wrong answer".

    Attributes:
        kind: which failure; stays the same from version to version.
        message: what happened, in one sentence.
        hint: what to do next.
        element: the index of the element that the engine refused; only for `rejected`.
        answers: the answers before a crash.
        stderr: the last lines of the driver's standard error; for `unsupported` and `rejected`
            those of this case alone, or those of the driver's start, marked as such.
    """

    kind: FailureKind
    message: str
    hint: str
    element: int | None = None
    answers: tuple[Observed, ...] = ()
    stderr: tuple[str, ...] = ()

    def with_stderr(self, lines: tuple[str, ...]) -> Failure:
        """Return this failure with the last lines of standard error, if they belong to it."""
        if self.stderr or self.kind in ("unsupported", "rejected"):
            return self
        return replace(self, stderr=lines)


Response = Reply | Failure
"""The result of one case."""


def failure_of_loss(loss: Loss) -> Failure:
    """Return the failure of the one case that caused a lost connection."""
    kind = cast(FailureKind, loss.kind)
    return Failure(kind, loss.message, loss.hint or _HINTS[kind], stderr=loss.stderr)


@contextmanager
def _at_border() -> Iterator[None]:
    """Turn every `FieldError` about a driver's message into a `ProtocolError`."""
    try:
        yield
    except FieldError as error:
        expected = printable(error.expected)
        raise ProtocolError(error.field, expected, error.found, hint=error.hint) from None


@_at_border()
def decode_line(line: bytes) -> dict[str, Any]:
    """Read the JSON object on one line of the driver; numbers with a point are kept exact.

    Raises:
        ProtocolError: the line is not UTF-8, not JSON, not an object, names a member twice, or is
            nested deeper than `MOST_NESTED`.
        Flood: the line holds more than `MOST_VALUES` values.
    """
    if _too_many_values(line):
        raise Flood(f"a reply of too many values, where {MOST_VALUES:,} are the most")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise FieldError("", "a line of UTF-8", repr(line[:SHOWN])) from None
    hint = "The driver's standard output is for the protocol alone; logs go to standard error."
    try:
        value = load(text, exact)
    except (ValueError, RecursionError) as error:
        said = f" ({error})" if type(error) is ValueError else ""
        fail("", f"a line of JSON{said}", text.rstrip("\r\n"), hint=hint)
    message = _object(value)
    if (part := too_deep(message, MOST_NESTED)) is not None:
        fail("", f"values that are nested at most {MOST_NESTED} deep", part)
    return message


def _too_many_values(line: bytes) -> bool:
    """Whether `line`, of any length, has more than `MOST_VALUES` values: counted, not parsed."""
    if sum(map(line.count, _BEFORE_VALUES)) <= MOST_VALUES:
        return False
    # Marks within strings do not count. Now only quotes and marks are left, and no string is empty.
    bare = line.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, _UNMARKED)
    # Between two strings there is at least one mark, so this many parts are always enough.
    parts = bare.replace(b'""', b"").split(b'"', 2 * MOST_VALUES + 2)
    return sum(map(len, parts[::2])) > MOST_VALUES


@_at_border()
def read_hello(message: object) -> Hello:
    """Read a driver's hello; its texts are made printable and shortened.

    Raises:
        EngineUnavailable: the driver answers that its engine cannot start, and how to install it.
        VersionMismatch: the driver speaks no version that the kit speaks.
        ProtocolError: anything else that section "hello" does not define; for an unknown
            feature the hint lists the table.
    """
    message = _object(message)
    if "error" in message:
        error = REPLY.read(HelloError, message).error
        raised = EngineUnavailable if error.kind == "unavailable" else VersionMismatch
        raise raised(printable(error.message, LONGEST_MESSAGE))
    hello: Hello = REPLY.read(Hello, message)
    return hello


@_at_border()
def read_id(message: object, outstanding: Container[str], expected: str) -> str:
    """Return the id of a reply.

    Args:
        message: the reply.
        outstanding: the ids that the reply may have.
        expected: how the error describes these ids.

    Raises:
        ProtocolError: the reply has none of these ids.
    """
    message = _object(message)
    found = get(message, "id")
    if not isinstance(found, str) or found not in outstanding:
        hint = f"The driver said: {shown(message['error'])}" if "error" in message else ""
        fail("id", expected, found, hint=hint)
    return found


@_at_border()
def read_run(message: object, *, elements: int, pacing: str = "burst", op: str = "run") -> Response:
    """Read a driver's reply to a `run` request.

    The replies to `open`, `push` and `close` have the same form, but a reply to `open` has no
    answers.

    Args:
        message: the reply.
        elements: the number of elements that were sent since the case's start.
        pacing: the pacing of the request.
        op: the request's operation.

    Raises:
        ProtocolError: a field is missing or not as section "run" defines it.
    """
    message = _object(message)
    if get(message, "op") != op:
        fail("op", f"one of {op}", get(message, "op"))
    if "error" in message:
        return _failure(message, elements, pacing)
    if op == "open":
        return Reply(REPLY.read(OpenReply, message).id, ())
    reply: AnswersReply = REPLY.read(AnswersReply, message)
    _check_causes(reply.answers, elements, pacing)
    for number, answer in enumerate(reply.answers if op == "push" else ()):
        if answer.cause == "end":
            fail(f"answers[{number}].cause", "an index: the stream has not ended", "end")
    return Reply(reply.id, reply.answers)


def _failure(message: dict[str, Any], elements: int, pacing: str) -> Failure:
    """Return the failure that an error reports."""
    reply: ErrorReply = REPLY.read(ErrorReply, message)
    error = reply.error
    if error.element is not None:
        _check_index(error.element, elements, "error.element")
    _check_causes(reply.answers, elements, pacing)
    said = printable(error.message, LONGEST_MESSAGE, keep="\n")
    return Failure(error.kind, said, _HINTS[error.kind], error.element, reply.answers)


def _check_causes(answers: Iterable[Observed], elements: int, pacing: str) -> None:
    for number, answer in enumerate(answers):
        if answer.cause is None and pacing == "settled":
            expected = 'an index of elements or "end", for the pacing is settled'
            fail(f"answers[{number}].cause", expected, None)
        if answer.cause not in (None, "end"):
            _check_index(cast(int, answer.cause), elements, f"answers[{number}].cause")


def _check_index(index: int, elements: int, where: str) -> None:
    if index >= elements:
        fail(where, f"an index of the {elements} elements", index)


def _object(message: object) -> dict[str, Any]:
    if not isinstance(message, dict):
        fail("", "an object", message)
    return message


def response_of(message: Mapping[str, Any], request: Mapping[str, Any], hello: Hello) -> Response:
    """Return the response that the reply `message` reports for a `run` request.

    Args:
        message: the driver's reply.
        request: the request, with its elements and pacing.
        hello: the engine's hello; single rows are merged if it declares them.

    Raises:
        ProtocolError: as `read_run` does.
    """
    elements, pacing = len(request.get("elements", ())), request.get("pacing", "burst")
    response = read_run(message, elements=elements, pacing=pacing)
    if isinstance(response, Failure) or hello.answers != "rows":
        return response
    return replace(response, answers=merge_rows(response.answers))


# --- single rows (hello, `answers: rows`) -------------------------------------------------------


def merge_rows(answers: Iterable[Observed]) -> tuple[Observed, ...]:
    """Merge neighbouring answers of one evaluation, for engines that emit single rows.

    Neighbours are merged if their `t` is equal or, if both `t` are null, if their `cause` is equal.
    The merged answer keeps the `cause` of the first; rows keep their order, and graphs are united.
    Neighbours with neither `t` nor `cause` stay separate, because nothing shows that they belong
    together. Answers of different forms and those of ASK stay separate too.

    Raises:
        ProtocolError: the rows of one evaluation have more than `MOST_VARIABLES` variables.
    """
    return RowMerger().rest(answers)


class RowMerger:
    """Merges rows that come in pieces; the last answer waits, because more of its rows may come."""

    def __init__(self) -> None:
        self._held: list[Observed] = []
        """The answers of the last evaluation, joined only once: there may be many."""

    def take(self, answers: Iterable[Observed]) -> tuple[Observed, ...]:
        """Add the answers of the next piece; return the answers that are complete now.

        Raises:
            ProtocolError: as `merge_rows` does.
        """
        complete = []
        for answer in answers:
            if self._held and not _together(self._held[0], answer):
                complete.append(self._held)
                self._held = []
            self._held.append(answer)
        return tuple(_joined(group) for group in complete)

    def rest(self, answers: Iterable[Observed] = ()) -> tuple[Observed, ...]:
        """Add the last answers and return all that are left: nothing follows them.

        Raises:
            ProtocolError: as `merge_rows` does.
        """
        complete = self.take(answers)
        held, self._held = self._held, []
        return (*complete, _joined(held)) if held else complete


def _together(one: Observed, other: Observed) -> bool:
    if one.t is not None or other.t is not None:
        same = one.t == other.t
    else:
        same = one.cause is not None and one.cause == other.cause
    return same and type(one.content) is type(other.content) is not Truth


@_at_border()
def _joined(group: Sequence[Observed]) -> Observed:
    first = group[0]
    if len(group) == 1:
        return first
    contents = [answer.content for answer in group]
    joined: Content
    if isinstance(first.content, Rows):
        rows = [content for content in contents if isinstance(content, Rows)]
        names = {name for some in rows for name in some.variables}
        if len(names) > MOST_VARIABLES:
            found = f"{len(names):,}, of {len(group):,} neighbouring answers"
            fail("answers", f"rows of at most {MOST_VARIABLES} variables", found)
        joined = rows_from_solutions(tuple(row for some in rows for row in some.solutions()))
    else:
        graphs = (content.graph for content in contents if isinstance(content, Triples))
        joined = Triples(frozenset().union(*graphs))
    return replace(first, content=joined)
