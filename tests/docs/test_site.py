"""The site: every link and heading of every page is there, and nothing comes from the network."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from html import unescape
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.builders.command_line import Ran, python
from tests.docs.markdown import ROOT, pages

FETCHED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"?(?:https?:)?//[^>]*>")
FETCHED_BY_STYLE = re.compile(r"@import|url\(\"?(?:https?:)?//")
SETTINGS = (ROOT / "mkdocs.yml").read_text("utf-8")
BLOCKS = ("ul", "ol", "li", "table", "tr", "pre", "h1", "h2", "h3")


def build(root: Path, folder: Path) -> Ran:
    """Build the site of ROOT into FOLDER as `make site` does."""
    command = ("-m", "mkdocs", "build", "--strict", "--site-dir", folder)
    return python(*command, cwd=root, env={"NO_MKDOCS_2_WARNING": "1"}, timeout=120)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site; there is none if a page, a heading or a file that a link names is not there."""
    folder = tmp_path_factory.mktemp("site")
    built = build(ROOT, folder)
    assert built.status == 0, built.err
    return folder


def shown(page: Path, site: Path) -> str:
    """What SITE has of PAGE, without what the theme adds around it and to headings."""
    path = site / page.relative_to(ROOT).with_suffix(".html")
    html = (path.with_name("index.html") if page.stem == "README" else path).read_text("utf-8")
    article = html[html.index("<article") : html.index("</article>")]
    return re.sub(r'<a class="headerlink".*?</a>', "", article)


def blocks(html: str) -> Counter[str]:
    return Counter(tag for tag in re.findall(r"<(\w+)[ >]", html) if tag in BLOCKS)


def codes(html: str) -> list[str]:
    """The code in the tables of HTML."""
    cells = re.findall(r"<td.*?</td>", html, re.DOTALL)
    return [unescape(c).strip() for cell in cells for c in re.findall(r"<code>(.*?)</code>", cell)]


def test_pages_are_read_as_in_the_repository(site: Path) -> None:
    """Forges read CommonMark, the site does not quite: a list may be none, or a table."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    differ = {
        str(page.relative_to(ROOT))
        for page in pages()
        if blocks(reader.render(page.read_text("utf-8"))) != blocks(shown(page, site))
    }
    assert differ == {"docs/api.md"}  # Docstrings stand there in the site alone.
    # There a bar within a table is written with a stroke before it, in code as well.
    reader = MarkdownIt("commonmark").enable("table")
    for page in pages():
        written = codes(reader.render(page.read_text("utf-8")))
        assert codes(shown(page, site)) == written, page
    assert {"CC | WC", "?x :p|:q ?y"} <= {
        code for page in pages() for code in codes(shown(page, site))
    }


def test_it_needs_no_network_and_no_server(site: Path) -> None:
    fetched = {
        f"{path.relative_to(site)}: {found}"
        for pattern, suffix in ((FETCHED, "*.html"), (FETCHED_BY_STYLE, "*.css"))
        for path in site.rglob(suffix)
        for found in pattern.findall(path.read_text("utf-8"))
    }
    assert fetched == set()
    # A page that is a file may read scripts alone, and start no worker but the shim's.
    assert (site / "search" / "search_index.js").read_text("utf-8").startswith("var __index = {")
    assert (site / "docs" / "assets" / "iframe-worker.js").is_file()
    assert 'src="docs/assets/iframe-worker.js"' in (site / "index.html").read_text("utf-8")


def test_the_public_face_has_its_docstrings_and_signatures(site: Path) -> None:
    import rsp_conformance as rsp

    html = (site / "docs" / "api.html").read_text("utf-8")
    for name in set(rsp.__all__) - {"__version__", "stream"}:
        assert re.search(rf'<h3 id="rsp_conformance\.[\w.]*\.{name}"', html), name
    own = html[html.index('id="rsp_conformance.api.Stream"') :]
    signature = re.sub(r"<[^>]*>", "", own[: own.index("</pre>")])
    assert "source: str" in signature and "unit: int | None = None" in signature
    assert 'id="rsp_conformance.api.StreamSource"' in html


def test_a_page_that_is_named_is_linked(site: Path) -> None:
    """Docstrings name pages by their paths, as the help of the plugin's options does."""
    for page, linked in (("api", "features"), ("plugin", "results")):
        html = (site / "docs" / f"{page}.html").read_text("utf-8")
        assert f'<a href="{linked}.html">docs/{linked}.md</a>' in html
    everything = "".join(path.read_text("utf-8") for path in site.rglob("*.html"))
    assert not re.findall(r"\([^<>]*\bdocs/[\w-]+\.md\b[^<>]*\)", everything)


def test_the_matrix_of_engines_is_linked(site: Path) -> None:
    html = (site / "docs" / "engines.html").read_text("utf-8")
    assert '<a href="../engines/index.html">' in html
    assert "RSP-QL conformance" in (site / "engines" / "index.html").read_text("utf-8")


def test_columns_of_text_are_no_strips(site: Path) -> None:
    options = (site / "docs" / "plugin.html").read_text("utf-8")
    (cell,) = re.findall(r"<td([^>]*)>Test this engine: a name that", options)
    assert cell == " class=long"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A repository of two pages, with the site's settings."""
    shutil.copytree(ROOT / "docs" / "assets", tmp_path / "docs" / "assets")
    (tmp_path / "scripts").mkdir()
    shutil.copy(ROOT / "scripts" / "site_pages.py", tmp_path / "scripts")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    nav = "nav: [README.md, docs/dials.md]\n\n"
    (tmp_path / "mkdocs.yml").write_text(
        re.sub(r"^nav:\n(?:  .*\n)+\n", nav, settings, flags=re.MULTILINE), "utf-8"
    )
    (tmp_path / "README.md").write_text("# Home\n\n[a page](docs/dials.md#part)\n", "utf-8")
    text = "# A page\n\n## Part\n\n[up](../README.md), [code](../scripts/site_pages.py)\n"
    (tmp_path / "docs" / "dials.md").write_text(text, "utf-8")
    return tmp_path


def test_links_out_of_docs_work(small: Path) -> None:
    built = build(small, small / "site")
    assert built.status == 0, built.err
    html = (small / "site" / "docs" / "dials.html").read_text("utf-8")
    assert 'href="../index.html">up<' in html
    assert 'href="../scripts/site_pages.py.txt">code<' in html
    assert (small / "site" / "scripts" / "site_pages.py.txt").is_file()


def test_what_is_broken_is_noticed(small: Path) -> None:
    (stray := small / "docs" / "stray.md").write_text("# In no group\n", "utf-8")
    (small / "docs" / "dials.md").write_text(
        "# A page\n\n[no page](nowhere.md) [no heading](../README.md#nothing)\n"
        "[none here](#nothing) [no file](../nowhere.py) [from the root](/docs/dials.md)\n"
        "[above](../../elsewhere.md) ![no picture](nowhere.png) [far away][far]\n\n[far]: far.md\n",
        "utf-8",
    )
    built = build(small, small / "site")
    assert built.status == 1
    missing = ["nowhere.md", "README.md#nothing", "'#nothing'", "nowhere.py", "'/docs/dials.md'"]
    missing += ["elsewhere.md", "nowhere.png", "far.md", f"- docs/{stray.name}", "#part"]
    assert [name for name in missing if name not in built.err] == []


def test_pages_that_have_moved_lead_on(site: Path) -> None:
    moved = re.findall(r"^ +(docs/[\w-]+)\.md: (\S+)\.md(#\S+)?$", SETTINGS, re.MULTILINE)
    assert moved
    for old, new, part in moved:
        there = site / f"{new}.html"
        to = os.path.relpath(there, site / "docs") + part
        assert f"url={to}" in (site / f"{old}.html").read_text("utf-8")
        assert there.exists() and not (ROOT / f"{old}.md").exists()
        assert not part or f'id="{part[1:]}"' in there.read_text("utf-8"), (old, part)


def test_the_home_page_has_cards_and_every_picture_is_shown(site: Path) -> None:
    home = (site / "index.html").read_text("utf-8")
    cards = re.findall(r'<div class="card">\s*<p><strong>(.*?)</strong></p>\s*<ul>', home)
    assert cards == ["Engine authors", "Researchers", "CI maintainers"]
    # An unbalanced bracket in a picture's description leaves its Markdown as text.
    shown = set()
    for page in site.rglob("*.html"):
        html = re.sub(r"<(pre|code|script)\b.*?</\1>", "", page.read_text("utf-8"), flags=re.DOTALL)
        assert "![" not in html, page
        shown |= set(re.findall(r'<img [^>]*src="[^"]*?([\w-]+\.svg)"', html))
    assert shown == {path.name for path in (ROOT / "docs/assets").glob("*.svg")}
