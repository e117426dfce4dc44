"""Errors that a user of the kit may catch, and helpers for their messages.

Each message says what is wrong and, if possible, what to do.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from importlib.util import find_spec
from itertools import islice

LONGEST_WORD, SHOWN, LONGEST_LINE = 300, 60, 2_000
"""Lengths in characters: the longest word of an error that is shown whole, the part of a longer
word that is shown, and the longest line."""


class KitError(Exception):
    """The base of every error that the kit raises for a user to read."""


class BadInput(KitError, ValueError):
    """Input of the user cannot be used; the message is one printable line, ready to be shown."""

    def __init__(self, message: object) -> None:
        super().__init__(one_line(str(message)))


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn errors about a value that the user wrote into `BadInput`.

    Args:
        what: where the value was written, such as ``--dial``; the message begins with it. It may
            be empty.

    Raises:
        BadInput: the body raised a KitError, ValueError, OverflowError or RecursionError.
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
    """A value as Python writes it, for a message; of a long one, the start and the length."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of thousands of digits, lists within lists
        return f"{type(value).__name__} that is too large to show"
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


def printable(text: str, most: int | None = None, keep: str = "") -> str:
    r"""Make text from outside safe for a terminal.

    Characters that cannot be printed are written as codes such as ``\x1b``: escapes, line ends,
    marks that change the direction of writing, lone surrogates. Tabs become spaces.

    Args:
        text: the text of another program or a file.
        most: cut the text after so many characters; None keeps all.
        keep: characters that stay although they cannot be printed.
    """
    if most is not None and len(text) > most:
        text = f"{text[:most]}…"
    text = text.expandtabs(4)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else f"\\x{ord(c):02x}" for c in text)


def one_line(text: str) -> str:
    """Write a text on one line: control characters are escaped, long words and lines are cut."""
    words = [
        word if len(word) <= LONGEST_WORD else f"{word[:SHOWN]}…"
        for word in text.split(maxsplit=500)
    ]
    line = " ".join(words)
    line = line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def note(text: str) -> None:
    """Print a note on standard error, which is not an error."""
    print(f"note: {text}", file=sys.stderr, flush=True)


def last_words(lines: Sequence[str], most: int) -> tuple[str, ...]:
    """The last lines that a program wrote, after the first earlier line that names an error.

    Some programs write the cause first, and then a long trace of where it happened.

    Args:
        lines: everything that the program wrote.
        most: how many of the last lines to keep.
    """
    cut, last = lines[:-most], lines[-most:]
    return (*islice(filter(names_error, cut), 1), *last)


def names_error(line: str) -> bool:
    """Whether a line that a program wrote looks like the error that ended it."""
    return "Error" in line or "Exception" in line


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A hint for an error about an unknown name: ``; did you mean '…'?``, or "" if none is similar.

    Args:
        name: the unknown name.
        names: the names that exist.
    """
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
    """Raise an error that says how to install a module, if it is not installed.

    Nothing is imported. The remedy names the distribution with the version that the kit requires,
    or the kit's extra that contains it.

    Args:
        module: the module that is needed.
        distribution: the distribution that contains it, with its extra if it has one; by default of
            the same name.
        refused: makes the error from the reason and the remedy.

    Raises:
        BadInput: the module is not installed, unless `refused` makes another error.
    """
    if find_spec(module) is None:
        # This import takes ten milliseconds; a command whose modules are installed does without.
        from importlib.metadata import requires

        remedy = wanted = distribution or module
        for text in requires("rsp-conformance") or ():
            stated, _, condition = text.partition(";")
            name = re.match(r"[\w.-]+(\[.*\])?", stated)
            if name is not None and name[0].lower() == wanted.lower():
                extra = re.search(r"extra == ['\"]([^'\"]+)", condition)
                remedy = f"rsp-conformance[{extra[1]}]" if extra else stated.strip()
                if remedy != "rsp-conformance[dev]":  # which has the other extras as well
                    break
        raise refused(f"{module} is not installed", f"pip install '{remedy}'")


def read_settings(
    written: Iterable[str], refused: Callable[[str], Exception], listed: Collection[str] = ()
) -> dict[str, str]:
    """Read settings of the form ``NAME=VALUE``.

    Args:
        written: the settings as text.
        refused: makes the error to raise from a setting of another form.
        listed: names whose repeated values are joined with commas. For other names, the last
            value counts.

    Raises:
        Exception: the error that `refused` makes, for a setting without a name or without ``=``.
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
    """A query or case needs something that the kit does not evaluate.

    ``what`` is its name, such as ``SERVICE``.
    """

    def __init__(self, what: str) -> None:
        super().__init__(f"not evaluated by this kit: {what}")
        self.what = what

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str]]:
        return type(self), (self.what,)


class LeftOpen(Unsupported):
    """The specifications leave the answer open, so an engine's answer cannot be judged.

    ``why`` is the open point in words, with its id (docs/semantics.md lists them in a table).
    """

    def __init__(self, why: str) -> None:
        super().__init__(f"judging an answer that the texts leave open ({why})")
        self.why = why

    def __reduce__(self) -> tuple[type[LeftOpen], tuple[str]]:
        return type(self), (self.why,)
