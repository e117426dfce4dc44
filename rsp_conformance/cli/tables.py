"""Showing results: tables that read well at 80 columns, colour on terminals only, JSON alone."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDTH = 80
"""The columns of what is no terminal, and of arguments everywhere."""


def console() -> Console:
    """Standard output; without colour and 80 columns wide where it is no terminal."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    return Console(
        force_terminal=terminal,
        color_system="auto" if terminal else None,
        width=None if terminal else WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table with a line under its head; what is too long is folded, never cut."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        made.add_column(name, overflow="fold")
    for row in rows:
        # Text, for a cell's own brackets are no markup.
        made.add_row(*(Text(cell) for cell in row))
    return made


def show_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table."""
    console().print(table(columns, rows))


def show_json(value: Any) -> None:
    """Print a JSON value."""
    print(json.dumps(value, ensure_ascii=False))


def note(text: str) -> None:
    """Tell the user something on standard error that is no error."""
    print(f"note: {text}", file=sys.stderr)
