"""Runs what a page shows, and writes its blocks anew."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tools.pages.commands import NotRead, Shown, commands, pipeline
from tools.pages.excerpt import LEFT_OUT, Lost, excerpt
from tools.pages.files import FILES, write
from tools.pages.items import ROOT, Item, items
from tools.pages.shell import Shell, shell

_TAKES_PART = re.compile(r"^ *<!-- run\b", re.MULTILINE)


def pages() -> list[Path]:
    """The pages at the root and in ``docs/`` that have something to run."""
    found = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
    return [page for page in found if _TAKES_PART.search(page.read_text("utf-8"))]


def rewrite(page: Path, *, slow: bool) -> str:
    """Run what a page shows in a folder of its own, and return the page with the new output.

    Args:
        page: the page; it is not written.
        slow: whether to run what is marked as slow. If not, its blocks stay as they are.

    Raises:
        PageError: the page cannot be run as it is, or a part that it shows is no longer printed.
    """
    text = page.read_text("utf-8")
    lines = text.splitlines()
    own = [*items(page)]
    with shell() as there:
        run = _Run(there, own, slow)
        new = [(item, run.take(item)) for item in own]
    for item, block in reversed(new):
        if item.shown and block is not None:
            start = item.line - 1
            size = len(item.text.splitlines())
            lines[start : start + size] = [(item.indent + line).rstrip() for line in block]
    return "\n".join(lines) + "\n"


class _Run:
    """A run of one page: takes its items in order, and remembers what was printed last."""

    def __init__(self, there: Shell, own: list[Item], slow: bool) -> None:
        self._shell = there
        self._slow = slow
        self._python = [item for item in own if item.kind.name == "run" and _is_python(item)]
        self._said: list[str] = []
        self._printed: list[str] | None = None  # by what ran last
        self._left_out = False  # it is slow

    def take(self, item: Item) -> list[str] | None:
        """Do what an item says, and return the new lines of its block if they are written here."""
        kind = item.kind
        if kind.name in FILES:
            write(item, self._shell.folder)
            return None
        if kind.name == "run":
            return self._run(item)
        if self._left_out:
            return None
        if self._printed is None:
            raise item.error("expected something above it that is run")
        shown = item.text.splitlines()
        if kind.name == "output":
            return _chosen(item, shown, self._printed)
        around = [LEFT_OUT, *shown, LEFT_OUT]
        return _chosen(item, around, self._printed)[1:-1]

    def _run(self, item: Item) -> list[str] | None:
        # Python blocks share a process, so none of them can be left out.
        known = ("",) if _is_python(item) else ("", "slow")
        if item.kind.argument not in known:
            choices = " or ".join(f"'{argument}'" for argument in known)
            raise item.error(f"expected {choices} for run, found '{item.kind.argument}'")
        self._left_out = item.kind.argument == "slow" and not self._slow
        if self._left_out:
            return None
        if _is_python(item):
            self._run_python(item)
            return None
        return self._run_commands(item)

    def _run_python(self, item: Item) -> None:
        """Run all Python blocks at the first of them, and keep what this block prints."""
        if item is self._python[0]:
            blocks = json.dumps([block.text for block in self._python])
            out, err = self._shell.python(["-m", "tools.pages.session"], blocks, together=False)
            if not out:
                raise item.error(f"the Python blocks end with {err.splitlines()[-1]}")
            self._said = json.loads(out)
        self._printed = _lines(self._said[self._python.index(item)])

    def _run_commands(self, item: Item) -> list[str]:
        new: list[str] = []
        try:
            shown = [*commands(item.text)]
            new += item.text.splitlines()[: shown[0].place]
            for command in shown:
                new += command.written
                if command.line.partition(" ")[0] in item.options("skip"):
                    new += command.output
                else:
                    new += self._run_command(item, command)
        except NotRead as error:
            raise item.error(str(error)) from error
        return new

    def _run_command(self, item: Item, command: Shown) -> Iterable[str]:
        try:
            self._printed = _lines(self._shell.run(pipeline(command.line)))
        except (subprocess.TimeoutExpired, OSError) as error:
            raise item.error(f"'{command.line}': {error}", item.line + command.place) from error
        if item.options("quiet"):
            return ()
        return _chosen(item, command.output, self._printed, command.place)


def _is_python(item: Item) -> bool:
    return item.language == "python"


def _lines(text: str) -> list[str]:
    """The lines of an output, without blanks at their ends and empty lines around them."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").splitlines()


def _chosen(item: Item, shown: Iterable[str], printed: list[str], place: int = 0) -> list[str]:
    try:
        return excerpt([*shown], printed, item.options("varies"))
    except Lost as error:
        message = f"the output no longer has the line '{error}': choose anew what the page shows"
        raise item.error(message, item.line + place) from error
