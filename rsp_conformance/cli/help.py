"""The help of commands: plain text, which needs no library and is there at once.

A docstring is the help of its command. Its paragraphs are broken into lines and come first; its
sections, such as ``Examples:``, follow behind the options, line for line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from itertools import groupby
from textwrap import dedent
from typing import Any

from typer.core import TyperCommand, TyperGroup

_SECTION = re.compile(r"^(\w[\w ]*):\n((?:[ ]+.*\n?|\n)+)", re.MULTILINE)
"""A section of a docstring: its title, and lines that are indented below it."""


class _Sections:
    """What is the same for a command and for a group of commands."""

    help: str | None

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the paragraphs of the docstring."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(_SECTION.sub("", cleandoc(self.help or "")).strip())

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the sections of the docstring."""
        for title, lines in sections(self.help or ""):
            with formatter.section(title):
                for line in lines:
                    formatter.write(f"  {line}".rstrip() + "\n")


class Command(_Sections, TyperCommand):
    """A command with the sections of its docstring below its options."""


class Group(_Sections, TyperGroup):
    """A group of commands, which its help lists by their panels, one column for all of them."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands."""
        width = max(map(len, self.commands))
        for panel, commands in groupby(self.commands.values(), _panel):
            with formatter.section(panel):
                formatter.write_dl(
                    [
                        (str(one.name).ljust(width), one.get_short_help_str(formatter.width))
                        for one in commands
                    ]
                )


def sections(docstring: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections of a docstring: the title, and the lines, the first one not indented."""
    for title, body in _SECTION.findall(cleandoc(docstring)):
        yield title, dedent(body).strip("\n").splitlines()


def _panel(command: Any) -> str:
    panel = getattr(command, "rich_help_panel", None)
    return panel if isinstance(panel, str) else "Commands"
