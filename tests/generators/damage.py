"""Damage: valid documents with one thing wrong, as a crash, an editor or another program leaves it.

A document is a JSON value, lines of JSON, or a text. What comes out is bytes, with the place of the
damage and what was done there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

Place = tuple[str | int, ...]
"""The fields and indexes that lead to a value; empty for the whole document."""
Draw = Callable[[st.SearchStrategy[Any]], Any]

ESCAPE = "\x1b[31mred\x07\x9b2J\u202e"
"""What would control a terminal."""
DEEP = 60_000
"""Far more levels than Python's stack has."""
MOST = 100_000
"""Characters that are put into a text at most: enough for what grows with their square to show."""
LONG = 20_000
"""Characters of a long text: far more than a message shows, and soon read."""


class Raw(str):
    """JSON that stands in the text as it is, whether or not it is JSON."""

    __slots__ = ()


NUMBERS = (
    *("NaN", "Infinity", "-Infinity", "01", "+1", "0x10", "-", "1.", ".5", "-0", "-0.0", "2.0"),
    *("1.5", "1e2", "1e400", "-1e400", "1e999999999", "1e-999999999", "1e999999999999999999"),
    *("1e-999999999999999999", "-1e-999999999999999999", "9" * 41, "-" + "9" * 41, "9" * 5_000),
    *("1e-9999999999999999999", "0e9999999999999999999", "-1.5e9999999999999999999", "1e-400"),
    *("0." + "1" * 5_000, "9223372036854775808"),
)
"""Numbers as a text writes them, of which JSON has some only."""
TEXTS = (
    *("", " ", "x", "a b", "_:", "?x", "../../etc/passwd", "a:b\n", "\x00", "\ud800", ESCAPE),
    *("x" * LONG, "9" * LONG, "<< " * 300, "(" * 900, "{ " * 900, "1/0", "true", "\u2028"),
)
KINDS: tuple[tuple[Any, ...], ...] = (
    *((None,), (True, False), (0, 1, -1), TEXTS, ([], [None]), ({}, {"x": None})),
    tuple(map(Raw, NUMBERS)),
)
"""Values that few places take, by their kind."""
ODD = st.sampled_from(KINDS).flatmap(st.sampled_from)
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "cp037")


@dataclass(frozen=True)
class Damage:
    """A document that was valid.

    Attributes:
        deed: what was done to it.
        place: where it was done, as it was before.
        content: the document now.
        value: the value there now; `...` if there is none, or if the document is a text.
        before: the value that was there.
        other: the other place, of a swap.
        is_text: whether the document is a text, and no JSON.
    """

    deed: str
    place: Place
    content: bytes
    value: Any = ...
    before: Any = ...
    other: Place = ()
    is_text: bool = False

    @property
    def path(self) -> str:
        """The place without its indexes: ``answers[].t``."""
        return path_of(self.place)

    def __repr__(self) -> str:
        value = "" if self.value is ... else f" = {self.value!r:.80}"
        return f"<{self.deed} at {shown(self.place)}{value}: {self.content!r:.200}>"


def shown(place: Place) -> str:
    """A place as messages write it: ``answers[2].t``."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return text.removeprefix(".")


def path_of(place: Place) -> str:
    """A place without its indexes: ``answers[].t``."""
    return shown(tuple(part if isinstance(part, str) else 0 for part in place)).replace("[0]", "[]")


def places(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value within a value, with its place; the value itself first."""
    yield place, value
    parts = value.items() if isinstance(value, dict) else ()
    for part, inner in enumerate(value) if isinstance(value, list) else parts:
        yield from places(inner, (*place, part))


def written(value: Any) -> bytes:
    """A value as JSON, with `Raw` parts as they stand and halves of characters as escapes."""
    raw: list[Raw] = []

    def marked(part: Any) -> Any:
        if isinstance(part, Raw):
            raw.append(part)
            return f"\ue000{len(raw) - 1}\ue000"
        if isinstance(part, dict):
            return {name: marked(inner) for name, inner in part.items()}
        return [marked(inner) for inner in part] if isinstance(part, list) else part

    text = json.dumps(marked(value))
    for number, part in enumerate(raw):
        text = text.replace(json.dumps(f"\ue000{number}\ue000"), part)
    return text.encode("utf-8", "surrogatepass")


def kind_of(value: Any) -> str:
    """The kind of a JSON value: null, truth, whole, number, text, list, object; "" of a `Raw`."""
    if isinstance(value, Raw):
        return ""
    kinds = (
        (type(None), "null"),
        (bool, "truth"),
        (int, "whole"),
        (float, "number"),
        (str, "text"),
        (list, "list"),
        (dict, "object"),
    )
    return next((kind for of, kind in kinds if isinstance(value, of)), "")


# --- JSON ----------------------------------------------------------------------------------------


@st.composite
def damaged(draw: Draw, documents: Sequence[Any]) -> Damage:
    """One of some JSON values as text, with one thing wrong."""
    if draw(st.integers(0, 5)) == 0:
        text = json.dumps(draw(st.sampled_from(documents)), ensure_ascii=False)
        return draw(damaged_text([text], is_text=False))
    document = draw(st.sampled_from(documents))
    where = [place for place, _ in places(document)]
    # The items of a list are much alike, so what is drawn first is which fields lead there.
    path = draw(st.sampled_from(sorted({*map(path_of, where)})))
    place = draw(st.sampled_from([own for own in where if path_of(own) == path]))
    deed = draw(st.sampled_from([*(DEEDS if place else WHOLE), "wrong", "wrong"]))
    return do(draw, document, place, deed)


def do(draw: Draw, document: Any, place: Place, deed: str) -> Damage:
    """Do one deed at a place of a JSON value."""
    held = {"": json.loads(json.dumps(document))}  # without parts that are one object
    holder, last = _holder(held, ("", *place))
    value = (WHOLE if not place else DEEDS)[deed](draw, held, holder, last, place)
    before = _holder({"": document}, ("", *place))
    other = value if deed == "swap" else ()
    value = ... if deed == "swap" else value
    return Damage(deed, place, written(held[""]), value, before[0][before[1]], other)


def _holder(document: Any, place: Place) -> tuple[Any, Any]:
    *path, last = place
    for part in path:
        document = document[part]
    return document, last


def _delete(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    del holder[last]
    return ...


def _swap(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    others = [
        other
        for other, _ in places(held[""])
        if other and other[: len(place)] != place and place[: len(other)] != other
    ]
    if not others:
        return ()
    with_place = draw(st.sampled_from(others))
    other, name = _holder(held[""], with_place)
    holder[last], other[name] = other[name], holder[last]
    return with_place


def _twice(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    if isinstance(holder, list):
        holder.insert(last, holder[last])
    else:
        once = written(holder[last]).decode()
        again = written(draw(st.sampled_from([holder[last], None, {}]))).decode()
        holder[last] = Raw(f"{once}, {json.dumps(last)}: {again}")
    return ...


def _rename(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    if isinstance(holder, dict):
        names = [last[:-1], last + "s", last.upper(), last[1:] + last[:1], *TEXTS]
        names = [name for name in names if name not in holder]
        holder[draw(st.sampled_from(names))] = holder.pop(last)
    else:
        holder.append(holder.pop(last))
    return ...


def _add(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    value = draw(ODD)
    if isinstance(holder[last], dict):
        holder[last][draw(st.sampled_from(["untill", *TEXTS]))] = value
    elif isinstance(holder[last], list):
        holder[last].insert(draw(st.integers(0, len(holder[last]))), value)
    else:
        holder[last] = [holder[last], value]
    return ...


def _nest(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    depth = draw(st.sampled_from([1, 1, 1, 70, 140, 500, DEEP]))
    opening, closing = draw(st.sampled_from([("[", "]"), ('{"a":', "}"), ('{"value":', "}")]))
    inner = written(holder[last]).decode()
    holder[last] = Raw(opening * depth + inner + closing * depth)
    return ...


def _huge(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    value = holder[last]
    times = draw(st.sampled_from([10, 1_000]))
    if isinstance(value, bool | None):
        holder[last] = [value] * times
    elif isinstance(value, int | float):
        holder[last] = Raw(draw(st.sampled_from(["", "-"])) + "9" * 4 * times)
    elif isinstance(value, str):
        holder[last] = (value or "x") * times
    elif isinstance(value, list):
        holder[last] = (value or [None]) * times
    else:
        value |= {f"x{number}": next(iter(value.values()), 0) for number in range(times)}
    return ...


def _wrong(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    holder[last] = draw(ODD)
    return holder[last]


def _other(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    """Another value of the same kind, and near the one that was there."""
    value = holder[last]
    if isinstance(value, bool):
        holder[last] = int(value)
    elif isinstance(value, int | float):
        near = [value + 1, value - 1, -value, value * 1000, float(value), str(value)]
        holder[last] = draw(st.sampled_from(near))
    elif isinstance(value, str):
        return _garble(draw, held, holder, last, place)
    elif isinstance(value, list):
        holder[last] = draw(st.sampled_from([value[::-1], value[1:], dict(enumerate(value))]))
    elif value is not None:
        holder[last] = draw(st.sampled_from([[*value], [*value.items()], {}]))
    return holder[last]


def _number(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    if isinstance(holder[last], int | float):
        holder[last] = Raw(draw(st.sampled_from(NUMBERS)))
    return holder[last]


def _garble(draw: Draw, held: Any, holder: Any, last: Any, place: Place) -> Any:
    text = holder[last]
    if isinstance(text, str):
        holder[last] = draw(garbled([text]))
    return holder[last]


DEEDS: Mapping[str, Any] = {
    "delete": _delete,
    "swap": _swap,
    "duplicate": _twice,
    "rename": _rename,
    "add": _add,
    "nest": _nest,
    "huge": _huge,
    "wrong": _wrong,
    "other": _other,
    "number": _number,
    "garble": _garble,
}
WHOLE: Mapping[str, Any] = {name: DEEDS[name] for name in ("add", "nest", "wrong", "other")}
"""What can be done to a whole document."""


# --- text ----------------------------------------------------------------------------------------


def _torn(draw: Draw, text: str) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _between(draw: Draw, text: str, most: int = 200) -> tuple[int, int]:
    start = draw(st.integers(0, len(text)))
    return start, min(len(text), start + draw(st.integers(1, most)))


def _cut(draw: Draw, text: str) -> str:
    start, end = _between(draw, text)
    return text[:start] + text[end:]


def _again(draw: Draw, text: str) -> str:
    start, end = _between(draw, text)
    return text[:end] + (text[start:end] * draw(st.sampled_from([1, 1, 300])))[:MOST] + text[end:]


def _swapped(draw: Draw, text: str) -> str:
    first, other = _between(draw, text, 40), _between(draw, text, 40)
    (a, b), (c, d) = sorted((first, other))
    c = max(b, c)
    d = max(c, d)
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


MARKS = (
    *('"', "'", "\\", "<", ">", "<<", ">>", "(", ")", "[", "]", "{", "}", "#", "@", ".", ";", ","),
    *("\n", "\r", "\t", "\x00", "\x85", "\ufeff", "?", "$", "^^", "_:", ":", "-", "+", "*", "|"),
    *(r"\u0000", r"\uD800", r"\U00110000", "]]>", "<!--", "&a;", "SELECT", "WHERE", "9" * 5_000),
)


def _inserted(draw: Draw, text: str) -> str:
    at = draw(st.integers(0, len(text)))
    mark = draw(st.sampled_from([*MARKS, *TEXTS]))
    return text[:at] + (mark * draw(st.sampled_from([1, 1, 1, 300])))[:MOST] + text[at:]


GARBLED = (_torn, _cut, _again, _swapped, _inserted)


@st.composite
def garbled(draw: Draw, texts: Sequence[str]) -> str:
    """One of some texts with one thing wrong."""
    return str(draw(st.sampled_from(GARBLED))(draw, draw(st.sampled_from(texts))))


@st.composite
def damaged_text(draw: Draw, texts: Sequence[str], *, is_text: bool = True) -> Damage:
    """One of some texts with one thing wrong, or in another encoding."""
    if draw(st.integers(0, 7)) == 0:
        text, encoding = draw(st.sampled_from(texts)), draw(st.sampled_from(ENCODINGS))
        return Damage(f"encode {encoding}", (), text.encode(encoding, "replace"), is_text=is_text)
    if draw(st.integers(0, 7)) == 0:
        content = draw(st.sampled_from(texts)).encode("utf-8", "surrogatepass")
        at = draw(st.integers(0, len(content)))
        odd = draw(st.sampled_from([b"\xff", b"\xed\xa0\x80", b"\xc3", b"\x00" * 50]))
        return Damage("bytes", (), content[:at] + odd + content[at:], is_text=is_text)
    deed = draw(st.sampled_from(GARBLED))
    text = deed(draw, draw(st.sampled_from(texts)))
    content = text.encode("utf-8", "surrogatepass")
    return Damage(deed.__name__.strip("_"), (), content, is_text=is_text)


@st.composite
def damaged_lines(draw: Draw, files: Sequence[Sequence[Any]]) -> Damage:
    """Lines of JSON, of which one has one thing wrong; or the text of all has."""
    lines = list(draw(st.sampled_from(files)))
    texts = [json.dumps(line, ensure_ascii=False) for line in lines]
    if draw(st.integers(0, 4)) == 0:
        return draw(damaged_text(["".join(f"{text}\n" for text in texts)]))
    number = draw(st.integers(0, len(lines) - 1))
    one = draw(damaged([lines[number]]))
    content = [text.encode("utf-8", "surrogatepass") for text in texts]
    content[number] = one.content
    whole = b"".join(line + b"\n" for line in content)
    return replace(one, content=whole, is_text=True)
