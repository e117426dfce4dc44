"""Writes the files of a page into a folder, and makes the edits that the page tells of."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

from tools.pages.items import Item, items

FILES = ("file", "edit", "copy", "files")
"""The kinds of items that are about files."""


def lay_out(page: Path, folder: Path, edits: int | None = None) -> None:
    """Write the files that a page has.

    Args:
        page: the page.
        folder: where they go.
        edits: how many of the page's edits to make, from the first on; all of them by default.

    Raises:
        PageError: an edit does not fit its file.
    """
    for item in items(page):
        if item.kind.name == "edit" and edits is not None:
            edits -= 1
            if edits < 0:
                return
        if item.kind.name in FILES:
            write(item, folder)


def write(item: Item, folder: Path) -> None:
    """Do to the files in a folder what an item of `FILES` says.

    Raises:
        PageError: an edit does not fit its file, or a name leads out of the folder.
    """
    argument = item.kind.argument
    match item.kind.name:
        case "file":
            _inside(item, folder, argument).write_text(item.text, "utf-8")
        case "edit":
            name, _, start = argument.partition(":")
            path = _inside(item, folder, name)
            path.write_text(_edited(item, path.read_text("utf-8"), start.strip()), "utf-8")
        case "copy":
            source = item.page.parent / argument
            (folder / source.name).write_bytes(source.read_bytes())
        case "files":
            lay_out(item.page.parent / argument, folder)


def _inside(item: Item, folder: Path, name: str) -> Path:
    parts = Path(name).parts
    if not parts or ".." in parts or Path(name).is_absolute():
        raise item.error(f"expected the name of a file, found '{name}'")
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    return path


def _edited(item: Item, text: str, start: str) -> str:
    """A text in which the item replaces the line that begins with START, and what is below it."""
    lines = text.splitlines()
    begins = [place for place, line in enumerate(lines) if line.strip().startswith(start)]
    if not start or len(begins) != 1:
        raise item.error(f"expected one line that begins with '{start}', found {len(begins)}")
    (begin,) = begins
    depth = _depth(lines[begin])
    end = begin + 1
    while end < len(lines) and lines[end].strip() and _depth(lines[end]) > depth:
        end += 1
    new = indent(dedent(item.text), " " * depth).splitlines()
    return "\n".join([*lines[:begin], *new, *lines[end:]]) + "\n"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
