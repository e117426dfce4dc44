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

    from rsp_conformance.explain.document import Block

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

    Args:
        columns: the heads.
        rows: the cells of each row, as many as there are heads.
    """
    from rsp_conformance.explain.document import table_of

    show(table_of(columns, rows))


def show(*blocks: Block, width: int | None = None) -> None:
    """Print blocks of a document, in colour on a terminal. No line ends with blanks.

    Args:
        blocks: the blocks.
        width: the columns of a line, by default all that there are.
    """
    show_apart([blocks], width=width)


def show_apart(groups: Iterable[Iterable[Block]], *, width: int | None = None) -> None:
    """Print groups of blocks as `show` prints blocks, with a blank line between two groups."""
    from rich.text import Text

    from rsp_conformance.explain.document import plain, spans
    from rsp_conformance.explain.render.listing import apart
    from rsp_conformance.explain.render.tones import colours

    shown = output()
    # The library would end the process with a status of its own if the reader has left.
    with shown.capture() as held:
        for line in apart(groups, width or shown.width):
            text = Text()
            for part in spans(line):
                text.append(plain(part), " ".join(colours(part)))
            shown.print(text, soft_wrap=True)
    print(held.get(), end="")


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


def say(text: str) -> None:
    """Print a paragraph, broken into lines."""
    from rsp_conformance.explain.document import Prose

    show(Prose((text,)), width=WIDTH)
