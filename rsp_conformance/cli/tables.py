"""The output of commands: tables and text of 80 columns, JSON, and exit statuses.

Bad input is one line on standard error, which names the mistake, its place and the remedy. Colour
is for terminals only.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 80
"""The columns of arguments, and of tables that are not printed on a terminal: those of the pages
that show them, and of the narrowest terminals in use."""

CORRECT = 0
"""Exit status for a correct answer, as `grep` and `diff` have it."""
WRONG = 1
"""Exit status for a wrong answer, as `grep` and `diff` have it."""
BAD_INPUT = 2
"""Exit status for bad input, as argument parsers have it."""
BUG = 3
"""Exit status for an internal error, so that a script can tell it from all others."""


def show_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table with a line under its head; a long text is folded, never cut.

    No line ends with blanks.

    Args:
        columns: the heads.
        rows: the cells of each row, as many as there are heads.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for name in columns:
        table.add_column(name, overflow="fold")
    for row in rows:
        # As Text, because brackets in a cell are not markup.
        table.add_row(*(Text(cell) for cell in row))
    shown = output()
    with shown.capture() as held:
        shown.print(table)
    # The library fills each line up with blanks.
    print("\n".join(line.rstrip() for line in held.get().splitlines()))


def output() -> Console:
    """Return standard output: in colour and as wide as it is on a terminal, else plain.

    What is not a terminal has `WIDTH` columns.
    """
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


def show_json(value: Any) -> None:
    """Print a JSON value."""
    print(json.dumps(value, ensure_ascii=False))


def say(text: str, first: str = "") -> None:
    """Print a paragraph, broken into lines.

    Args:
        text: the paragraph.
        first: printed before the first line; the other lines are indented by its length.
    """
    from rsp_conformance.explain.render.layout import wrap

    print("\n".join(wrap(text, WIDTH, first=first)))
