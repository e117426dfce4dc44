"""What commands show: tables of 80 columns, JSON alone, how far they are, and a status at the end.

Bad input is one line on standard error that says what, where and what to do. Colour and progress
are for terminals only.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

WIDTH = 80
"""The columns of what is no terminal, and of arguments everywhere."""

CORRECT = 0
WRONG = 1
BAD_INPUT = 2
BUG = 3
"""Exit statuses: of a right answer, a wrong one, bad input, and an internal error."""


def show_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table with a line under its head; what is too long is folded, never cut."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        # Text, for a cell's own brackets are no markup.
        table.add_row(*(Text(cell) for cell in row))
    terminal = sys.stdout.isatty()
    console = Console(
        force_terminal=terminal,
        color_system="auto" if terminal else None,
        width=None if terminal else WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )
    console.print(table)


def show_json(value: Any) -> None:
    """Print a JSON value."""
    print(json.dumps(value, ensure_ascii=False))


def say(text: str, first: str = "") -> None:
    """Print a paragraph, broken into lines: FIRST before the first one, as many blanks after."""
    from rsp_conformance.explain.render.layout import wrap

    print("\n".join(wrap(text, WIDTH, first=first)))


def progress(*columns: ProgressColumn) -> Progress:
    """A bar on standard error that goes away at its end; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress

    shown = sys.stderr.isatty()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not shown)


def note(text: str) -> None:
    """Tell the user something on standard error that is no error."""
    print(f"note: {text}", file=sys.stderr)
