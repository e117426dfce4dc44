"""The pictures of the pages: they are those that the command writes, and can be read anywhere."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tools.pictures.__main__ import FOLDER, main
from tools.pictures.canvas import SMALL, WIDTH, Canvas
from tools.pictures.causes import CASES, ENGINE, SOUND, TRIED, predicted
from tools.pictures.model import case
from tools.pictures.palette import DARK, LIGHT

NAMES = ("window", "slides", "report", "r2s", "judging", "dial-or-bug", "cause", "run")
SVG = "{http://www.w3.org/2000/svg}"
WORDS = ("ink", "soft", "element", "window-edge", "right", "wrong")
"""Roles of the palette that words are written in."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    assert main(["--out", str(folder)]) == 0
    return folder


def text(name: str) -> str:
    return (FOLDER / f"{name}.svg").read_text("utf-8")


def test_the_command_writes_every_picture(written: Path) -> None:
    assert {path.name for path in written.iterdir()} == {f"{name}.svg" for name in NAMES}
    assert {path.stem for path in FOLDER.glob("*.svg")} >= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_the_pictures_are_those_that_the_command_writes(name: str, written: Path) -> None:
    again = (written / f"{name}.svg").read_text("utf-8")
    assert text(name) == again, "draw them anew: python -m tools.pictures"


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_says_what_it_shows(name: str) -> None:
    root = ET.fromstring(text(name))
    title, desc = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
    assert title and desc and len(desc) > len(title)
    ids = [root.find(f"{SVG}{tag}").get("id") for tag in ("title", "desc")]  # type: ignore[union-attr]
    assert root.get("aria-labelledby") == " ".join(map(str, ids)) and root.get("role") == "img"


@pytest.mark.parametrize("name", NAMES)
def test_all_colours_are_those_of_the_palette(name: str) -> None:
    root = ET.fromstring(text(name))
    style = root.findtext(f"{SVG}style") or ""
    assert "prefers-color-scheme:dark" in style
    assert {*re.findall(r"#[0-9a-f]+", text(name))} == {*LIGHT.values(), *DARK.values()}
    for part in root.iter():
        assert not {"fill", "stroke", "color", "style"} & {*part.keys()}
        for word in part.get("class", "").split():
            assert f".{word}{{" in style


@pytest.mark.parametrize("name", NAMES)
def test_words_can_be_read_where_the_picture_is_small(name: str) -> None:
    root = ET.fromstring(text(name))
    assert root.get("viewBox") == f"0 0 {WIDTH} {root.get('height')}"
    sizes = [float(part.get("font-size", 0)) for part in root.iter(f"{SVG}text")]
    assert min(sizes) >= SMALL
    assert SMALL * 700 / WIDTH >= 12 and SMALL * 360 / WIDTH >= 11


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_words_stand_out(colours: Mapping[str, str]) -> None:
    assert LIGHT.keys() == DARK.keys()
    for role in WORDS:
        assert contrast(colours[role], colours["paper"]) >= 4.5, role
    for ground in ("window", "box", "right-box", "wrong-box"):
        assert contrast(colours["ink"], colours[ground]) >= 7, ground
    assert contrast(colours["soft"], colours["right-box"]) >= 4.5


def contrast(one: str, other: str) -> float:
    """The ratio of contrast of two colours (WCAG 2.2)."""

    def luminance(colour: str) -> float:
        parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
        red, green, blue = (
            p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_what_does_not_fit_is_not_drawn() -> None:
    canvas = Canvas("small", 40, "A title", "A description.")
    with pytest.raises(ValueError, match="leaves the picture"):
        canvas.words(20, 20, "word " * 20)
    with pytest.raises(ValueError, match="no colour of the palette"):
        canvas.words(20, 20, "word", color="pink")


def test_one_of_what_is_tried_is_the_cause() -> None:
    cases = [case(elements, "RANGE 4 STEP 4", 5, t0=0) for elements in CASES]
    received = predicted(ENGINE, cases)
    assert [own for own in TRIED if predicted(own, cases) == received] == [ENGINE]
    right = [a == b for a, b in zip(received, predicted(SOUND, cases), strict=True)]
    assert True in right and False in right
