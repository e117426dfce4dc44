"""A run's result as one HTML file that opens offline: no script, and nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from markupsafe import Markup

from rsp_conformance.explain.document import Block, Document, Line, Prose, Span, plain
from rsp_conformance.explain.render.html import filter_style, words, written
from rsp_conformance.files.files import write_whole
from rsp_conformance.pages.badge import badge, badge_svg
from rsp_conformance.pages.document import run_document
from rsp_conformance.run.run_report import GENERATOR, INDEX, RunReport, make_folder

BADGE, PICTURE = "badge.json", "badge.svg"
"""The files of a report's folder, beside its page."""
_PAGE = Markup("""\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
{generator}
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src 'unsafe-inline'" />
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<header>
<h1>{head}</h1>
<p>{below}</p>
</header>
<main>
{body}
</main>
<footer><p>{foot}</p></footer>
</body>
</html>
""")


def write_pages(run: RunReport, folder: Path, base: Path) -> Path:
    """Write the page of a run, and its badge, into a folder.

    Args:
        run: the result.
        folder: the folder, which is made if it is missing.
        base: as for `run_document`: the folder in which crash files are looked for.

    Returns:
        The page.

    Raises:
        OSError: a file can't be written.
        FileError: the folder can't be made, or holds a page that is not the kit's.
    """
    make_folder(folder)
    write_whole(folder / INDEX, to_html(run, base))
    write_whole(folder / BADGE, json.dumps(badge(run), ensure_ascii=False) + "\n")
    write_whole(folder / PICTURE, badge_svg(run))
    return folder / INDEX


def to_html(
    run: RunReport,
    base: Path,
    *,
    home: str = "",
    more: Sequence[Block] = (),
    facts: Sequence[tuple[str, Line]] = (),
) -> str:
    """The page of a run, as HTML.

    Args:
        run: the result.
        base: as for `run_document`.
        home: the page of the site that it belongs to; empty if it stands alone.
        more: further blocks, which come last.
        facts: further facts, listed after those of the run.
    """
    foot = Markup(
        "Written by rsp-conformance {} from the run's JSON. The same cases again: "
        "<code>--rsp-seed={}</code>"
    ).format(run.rsp_conformance, run.seed)
    document = run_document(run, base, alone=True, facts=facts)
    back = (Prose((Span("All engines", href=home),)),) if home else ()
    return page(replace(document, blocks=(*back, *document.blocks, *more)), foot)


def page(document: Document, foot: Markup) -> str:
    """A document as a page of its own, with a line at its foot."""
    return _PAGE.format(
        generator=Markup(GENERATOR),
        title=plain(document.title),
        style=Markup(_style() + filter_style(document.blocks)),
        head=words(document.title),
        below=words(document.below),
        body=written(document.blocks),
        foot=foot,
    )


@cache
def _style() -> str:
    return files("rsp_conformance.pages").joinpath("page.css").read_text("utf-8")
