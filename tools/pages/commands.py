"""Reads the commands of a console block, with the output below each."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass

PROMPT = "$ "


class NotRead(Exception):
    """A command that cannot be read; the message says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A command of a block.

    Attributes:
        place: its first line in the block, from 0.
        written: its lines as the block has them, the prompt included.
        output: the lines below it, without empty ones at the end.
    """

    place: int
    written: tuple[str, ...]
    output: tuple[str, ...]

    @property
    def line(self) -> str:
        """The command as one line, without the prompt."""
        parts = [line.removesuffix("\\").strip() for line in self.written]
        return " ".join(parts).removeprefix(PROMPT)


@dataclass(frozen=True, slots=True)
class Step:
    """A program with its arguments, and the file that it reads as its standard input."""

    words: tuple[str, ...]
    reads: str = ""


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Steps, each of which reads what the one before it prints.

    Attributes:
        steps: one at least.
        writes: the file for what the last one prints, instead of the page.
    """

    steps: tuple[Step, ...]
    writes: str = ""


def commands(text: str) -> Iterator[Shown]:
    """Split a block into its commands; comments may precede the first one.

    Raises:
        NotRead: anything else precedes it, or there is none.
    """
    lines = text.splitlines()
    begins = [place for place, line in enumerate(lines) if line.startswith(PROMPT)]
    strange = [line for line in lines[: begins[0] if begins else None] if line[:1] != "#"]
    if strange or not begins:
        found = (strange or lines or [""])[0]
        raise NotRead(f"expected a command behind '{PROMPT}', found '{found}'")
    for begin, end in zip(begins, [*begins[1:], len(lines)], strict=True):
        below = begin + 1
        while below < end and lines[below - 1].endswith("\\"):
            below += 1
        output = "\n".join(lines[below:end]).rstrip("\n").splitlines()
        yield Shown(begin, (*lines[begin:below],), (*output,))


def pipeline(line: str) -> Pipeline:
    """Read a command: programs with ``|`` between them, ``< FILE`` and, at the end, ``> FILE``.

    Raises:
        NotRead: it holds anything else that a shell treats in its own way.
    """
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    try:
        words = [*reader]
    except ValueError as error:
        raise NotRead(f"{error} in '{line}'") from error
    writes = ""
    if len(words) > 2 and words[-2] == ">":
        *words, _, writes = words
    steps: list[list[str]] = [[]]
    for word in words:
        if word == "|":
            steps.append([])
        else:
            steps[-1].append(word)
    return Pipeline(tuple(_step(step, line) for step in steps), writes)


def _step(words: list[str], line: str) -> Step:
    reads = ""
    if len(words) > 2 and words[-2] == "<":
        *words, _, reads = words
    strange = [word for word in words if word and not set(word) - set("();<>|&")]
    if strange or not words:
        raise NotRead(f"expected PROGRAM … < FILE | … > FILE and no more, found '{line}'")
    return Step((*words,), reads)
