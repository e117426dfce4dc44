"""What a user of the kit may catch (each says what is wrong and what to do)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.util import find_spec
from itertools import islice

LONGEST_WORD, SHOWN, LONGEST_LINE = 300, 60, 2_000
"""The longest word of an error that is shown whole, what is shown of others, and of a line."""


class KitError(Exception):
    """The base of every error that the kit raises for a user to read."""


class BadInput(KitError, ValueError):
    """Something that the user wrote cannot be used; the message is the line to show."""


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Within it, what the kit refuses of a value that the user wrote is bad input.

    WHAT says where the value was written, such as ``--dial``; it may be empty.
    """
    where = f"{what}: " if what else ""
    try:
        yield
    except BadInput:
        raise
    except (KitError, ValueError, OverflowError) as error:
        raise BadInput(f"{where}{error}") from error
    except RecursionError as error:
        raise BadInput(f"{where}nested too deeply") from error


def excerpt(value: object, most: int = 80) -> str:
    """VALUE for a message, as Python writes it: MOST characters and how many there are."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, lists within lists
        return f"{type(value).__name__} that is too large to show"
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def printable(text: str, most: int | None = None, keep: str = "") -> str:
    r"""TEXT of somebody else's for a terminal: at most MOST characters, and none that control it.

    What cannot be printed is written out, such as ``\x1b``: escapes, line ends, marks that turn the
    direction, lone surrogates; but not the characters of KEEP.
    """
    if most is not None and len(text) > most:
        text = f"{text[:most]}…"
    text = text.expandtabs(4)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else f"\\x{ord(c):02x}" for c in text)


def one_line(text: str) -> str:
    """TEXT on one line: control characters are escaped, and of endless words the start is shown."""
    words = [
        word if len(word) <= LONGEST_WORD else f"{word[:SHOWN]}…"
        for word in text.split(maxsplit=500)
    ]
    line = " ".join(words)
    line = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def last_words(lines: Sequence[str], most: int) -> tuple[str, ...]:
    """The last MOST of LINES that a program wrote, behind the first cut one that names an error.

    Some programs write the cause first and end with where they were.
    """
    cut, last = lines[:-most], lines[-most:]
    return (*islice(filter(names_error, cut), 1), *last)


def names_error(line: str) -> bool:
    """Whether LINE, which a program wrote, looks like the cause of its end."""
    return "Error" in line or "Exception" in line


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """What to add to an error about NAME, which none of NAMES is; empty where none is like it."""
    known, written = list(names), name[:100]
    near = get_close_matches(written, known, 1) or get_close_matches(written.casefold(), known, 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def require(
    module: str,
    distribution: str = "",
    refused: Callable[[str, str], Exception] = lambda reason, remedy: BadInput(
        f"{reason}: {remedy}"
    ),
) -> None:
    """Raise what REFUSED makes of a reason and a remedy where MODULE is not installed.

    It comes with the kit's requirement of DISTRIBUTION, by default of MODULE's name. The remedy
    names it as the kit asks for it, or the kit's extra that it is in. Nothing is imported.
    """
    if find_spec(module) is None:
        # It takes ten milliseconds, which no command needs whose modules are here.
        from importlib.metadata import requires

        remedy = wanted = distribution or module
        for text in requires("rsp-conformance") or ():
            stated, _, condition = text.partition(";")
            if re.split(r"[^\w.-]", stated)[0].lower() == wanted.lower():
                extra = re.search(r"extra == ['\"]([^'\"]+)", condition)
                remedy = f"rsp-conformance[{extra[1]}]" if extra else stated.strip()
                if remedy != "rsp-conformance[dev]":  # which has the other extras as well
                    break
        raise refused(f"{module} is not installed", f"pip install '{remedy}'")


def read_settings(
    written: Iterable[str], refused: Callable[[str], Exception], listed: Collection[str] = ()
) -> dict[str, str]:
    """Settings ``NAME=VALUE`` as a mapping; raises what REFUSED makes of one of another form.

    Of a name that comes again the last value counts; the values of names in LISTED are joined with
    commas.
    """
    settings: dict[str, str] = {}
    for setting in written:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip():
            raise refused(setting)
        name = name.strip()
        again = name in listed and name in settings
        settings[name] = f"{settings[name]},{value}" if again else value
    return settings


class Unsupported(KitError):
    """A query asks for something that the kit parses and does not evaluate.

    ``what`` is its name, such as ``SERVICE``; the kit never answers such a query.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"not evaluated by this kit: {what}")
        self.what = what

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str]]:
        return type(self), (self.what,)


class LeftOpen(Unsupported):
    """The texts leave the answer open, so that nothing is said of the one that an engine gave.

    ``why`` is the point in words, with its id (docs/sparql.md has the table of them).
    """

    def __init__(self, why: str) -> None:
        super().__init__(f"judging an answer that the texts leave open ({why})")
        self.why = why

    def __reduce__(self) -> tuple[type[LeftOpen], tuple[str]]:
        return type(self), (self.why,)
