"""What the site shows: a hook of MkDocs that gives it the repository's pages, each at its own path.

The pages are at the root, in `docs/`, in the package and beside the benchmarks. A link from one to
another is a path in the repository, so it works there and in the site. Files that are no pages and
that a page links to, such as a grammar, are copied, and are opened as text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_TARGET = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")
_CELL = re.compile(r"<td(.*?)</td>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_NAMED = re.compile(
    r"(<(?:a|code|pre)\b.*?</(?:a|code|pre)>|<[^>]*>)|\bdocs/([\w-]+)\.md\b", re.DOTALL
)
_LEADS_ON = """<!doctype html><meta charset="utf-8"><title>This page has moved</title>
<meta http-equiv="refresh" content="0; url={to}"><p>This page has moved: <a href="{to}">{to}</a>.
"""
_ROLE = re.compile(r"^\*\*([^*\n]+)\*\*\n\n((?:(?:- |  ).*\n)+)", re.MULTILINE)
"""A role in bold, and the list of its pages: as README has them."""
_LONG = 60
"""Characters of a cell of which no narrow strip is made."""
_ENGINES = "engines/index.html"
"""The matrix of real engines, which is part of the site and no page of it."""


def pages(root: Path) -> list[Path]:
    """The Markdown files at ROOT, in its docs, the package and `tools/bench`, without others'."""
    found = [*root.glob("*.md")]
    for folder in ("docs", "rsp_conformance", "tools/bench"):
        found += (p for p in (root / folder).rglob("*.md") if "node_modules" not in p.parts)
    return sorted(found)


def linked(page: Path, root: Path) -> Iterator[Path]:
    """The files in ROOT that PAGE links to and that are no pages."""
    for target in _TARGET.findall(page.read_text("utf-8")):
        path = (page.parent / target).resolve()
        if path.is_relative_to(root) and path.is_file() and path.suffix != ".md":
            yield path


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """FILES of the theme, and instead of those of the folder of pages the repository's."""
    root = Path(config.config_file_path).resolve().parent
    docs = Path(config.docs_dir)
    shown = dict.fromkeys(pages(root), "")
    shown |= {file: ".txt" for page in pages(root) for file in linked(page, root)}
    shown |= dict.fromkeys((docs / "assets").iterdir(), "")
    found = [file for file in files if file.src_dir != config.docs_dir]
    for path, suffix in shown.items():
        file = File(path.relative_to(root).as_posix(), str(root), config.site_dir, False)
        file.dest_uri += suffix
        found.append(file)
    return Files(found)


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Give the home page a card for each role; it is in no group, so it has no list of pages."""
    if not page.is_homepage:
        return markdown
    page.meta["hide"] = ["navigation"]
    return _ROLE.sub(_card, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """HTML with its tables as forges show them, and a link where it names a page of `docs/`.

    Docstrings and the plugin's help name pages so. The matrix of engines is linked as well.
    """
    there = os.path.relpath(_ENGINES, Path(page.file.dest_uri).parent)
    named = f"<code>build/site/{_ENGINES}</code>"
    html = html.replace(named, f'<a href="{there}">{named}</a>')

    def link(found: re.Match[str]) -> str:
        target = files.get_file_from_path(f"docs/{found[2]}.md")
        if found[1] or target is None:
            return found[0]
        return f'<a href="{target.url_relative_to(page.file)}">{found[0]}</a>'

    return _NAMED.sub(link, _CELL.sub(_cell, html))


def on_post_build(config: MkDocsConfig) -> None:
    """Leave a page that leads on at the old address of each page that has moved, or of a part.

    If the repository has records of real engines, their matrix becomes part of the site.
    """
    site = Path(config.site_dir)
    if (Path(config.config_file_path).parent / "tools" / "engines").is_dir():
        from tools.engines.site import write

        write((site / _ENGINES).parent)
    for old, new in config.extra["moved"].items():
        place = (site / old).with_suffix(".html")
        page, mark, part = new.partition("#")
        target = Path(page).with_suffix(".html")
        to = os.path.relpath(site / target, place.parent) + mark + part
        place.write_text(_LEADS_ON.format(to=to), "utf-8")


def _card(found: re.Match[str]) -> str:
    """A role and its list as a card; the style sheet sets neighbours side by side."""
    return f'<div class="card" markdown>\n**{found[1]}**\n\n{found[2]}</div>\n'


def _cell(found: re.Match[str]) -> str:
    r"""A cell of a table with its bars: forges need `\|` for one, which Markdown leaves in code."""
    long = len(_TAG.sub("", f"<td{found[1]}")) > _LONG
    return f"<td{' class=long' if long else ''}{found[1]}</td>".replace(r"\|", "|")
