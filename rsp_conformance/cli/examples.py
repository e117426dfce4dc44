"""``examples``: the papers' examples, listed, shown and copied."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Annotated

import typer

from rsp_conformance.cli.options import Format, FormatOption, option
from rsp_conformance.cli.tables import CORRECT, say, show_json, show_table
from rsp_conformance.files import files
from rsp_conformance.model.errors import BadInput, reading

QUERY = ".rq"


def examples(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="Show this file, named as in the list."),
    ] = None,
    *,
    copy: Annotated[
        Path | None, option("DIR", "Copy the examples, or only NAME, into this new folder.")
    ] = None,
    format: FormatOption = Format.table,
) -> int:
    """List the papers' examples; as files they are named @NAME.

    Wherever a command takes a file, @NAME is the file of the example. Exit status: 0 done, 2 bad
    input.

    Examples:
        rsp-conformance examples
        rsp-conformance examples rsp-ql/ex11
        rsp-conformance examples --copy papers
    """
    known = files.examples()
    with reading(""):
        path = (
            None if name is None else files.located(Path(f"@{name.removeprefix('@')}"), _SUFFIXES)
        )
    chosen = known if path is None else {n: p for n, p in known.items() if p == path}
    if copy is not None:
        _copy(chosen, copy)
    elif path is not None:
        commands = _commands(next(iter(chosen))) if path.suffix == QUERY else []
        print("".join(f"# {line}\n" for line in commands) + path.read_text("utf-8"), end="")
    elif format is Format.json:
        show_json({"examples": {n: _shows(p) for n, p in known.items() if p.suffix == QUERY}})
    else:
        queries = [(n, p) for n, p in known.items() if p.suffix == QUERY]
        show_table(
            ("example", "what it shows"), [(n.removesuffix(QUERY), _shows(p)) for n, p in queries]
        )
        say(f"Their data: {', '.join(n for n, p in known.items() if p.suffix != QUERY)}.")
        say("`rsp-conformance examples --copy DIR` copies all.")
        say("`rsp-conformance examples NAME` shows one, with the commands that run it.")
    return CORRECT


_SUFFIXES = (QUERY, ".jsonl", ".trig", ".ttl", ".json")
"""The suffixes that may be left out in NAME, those that are tried first at the front."""


def _shows(path: Path) -> str:
    """Return the first sentence of the comment at the head of a query."""
    comment = re.match(r"(?:#.*\n)*", path.read_text("utf-8"))
    text = " ".join((comment[0] if comment else "").replace("#", " ").split())
    return re.split(r"(?<=[.?]) ", text)[0]


def _commands(name: str) -> list[str]:
    """Return the commands that run the query `name`, as the examples' README lists them."""
    page = next(iter(files.examples().values())).parents[1] / "README.md"
    asked = f"--query @{name.removesuffix(QUERY)} "
    return [line for line in page.read_text("utf-8").splitlines() if asked in line]


def _copy(chosen: dict[str, Path], folder: Path) -> None:
    if folder.exists():
        raise BadInput(f"--copy {folder}: exists already; name a new folder")
    try:
        folder.mkdir(parents=True)
        for name, path in chosen.items():
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(path, folder / name)
    except OSError as error:
        raise BadInput(f"--copy {folder}: {error.strerror or error}") from None
    print(f"{len(chosen)} file{'' if len(chosen) == 1 else 's'} in {folder}")
