"""A sheet to draw on, which becomes an SVG: words, lines, shapes, and signs for right and wrong.

Sizes are such that words can be read where a phone shows the whole width.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from tools.pictures.palette import LIGHT, style

WIDTH, MARGIN = 520, 20
FONT, SMALL = 17.0, 16.0
"""Words are FONT high, and never less than SMALL: 12 pixels and 11 on a phone 360 wide."""
LETTER = 0.62
"""A letter's width is at most this part of its height, over a few of them: DejaVu's are so wide."""


class Canvas:
    """A picture of WIDTH and HEIGHT with a NAME, which begins the ids of its TITLE and DESC."""

    def __init__(self, name: str, height: float, title: str, desc: str) -> None:
        self.name, self.height = name, height
        self._root = ET.Element(
            "svg",
            {
                "xmlns": "http://www.w3.org/2000/svg",
                "width": _number(WIDTH),
                "height": _number(height),
                "viewBox": f"0 0 {_number(WIDTH)} {_number(height)}",
                "role": "img",
                "aria-labelledby": f"{name}-title {name}-desc",
            },
        )
        ET.SubElement(self._root, "title", {"id": f"{name}-title"}).text = title
        ET.SubElement(self._root, "desc", {"id": f"{name}-desc"}).text = desc
        ET.SubElement(self._root, "style").text = style()
        self.box(0.5, 0.5, WIDTH - 1, height - 1, fill="paper", stroke="edge", radius=8, thick=1)

    def svg(self) -> str:
        """The file's text."""
        for part in self._root:
            part.tail = "\n"
        return ET.tostring(self._root, encoding="unicode") + "\n"

    def words(
        self,
        x: float,
        y: float,
        text: str,
        *,
        color: str = "ink",
        size: float = FONT,
        anchor: str = "start",
        bold: bool = False,
    ) -> None:
        """Write TEXT with its middle at Y; what stands between backticks is code.

        Raises ValueError if it may not fit into the picture.
        """
        width = extent(text, size)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        if left < 0 or left + width > WIDTH:
            raise ValueError(f"{self.name}: {text!r} leaves the picture")
        found = self._add(
            "text",
            [f"f-{color}", *(["bold"] if bold else [])],
            x=x,
            y=y + 0.35 * size,
            font_size=size,
        )
        if anchor != "start":
            found.set("text-anchor", anchor)
        for place, part in enumerate(text.split("`")):
            if place % 2:
                ET.SubElement(found, "tspan", {"class": "mono"}).text = part
            elif part:
                _append(found, part)

    def line(
        self, *points: tuple[float, float], color: str, thick: float = 1.5, dashes: str = ""
    ) -> None:
        """Draw a line through POINTS."""
        found = self._add("polyline", [f"s-{color}", "empty"], stroke_width=thick)
        found.set("points", " ".join(f"{_number(x)},{_number(y)}" for x, y in points))
        found.set("stroke-linejoin", "round")
        if dashes:
            found.set("stroke-dasharray", dashes)

    def curve(
        self, start: tuple[float, float], by: tuple[float, float], end: tuple[float, float]
    ) -> None:
        """Draw the round end of a window, from START to END around BY."""
        found = self._add("path", ["s-window-edge", "empty"], stroke_width=3)
        (x0, y0), (x1, y1), (x2, y2) = ((_number(x), _number(y)) for x, y in (start, by, end))
        found.set("d", f"M{x0},{y0} Q{x1},{y1} {x2},{y2}")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str,
        stroke: str,
        radius: float = 0,
        thick: float = 1.5,
    ) -> None:
        """Draw a box with round corners."""
        classes = [f"f-{fill}", f"s-{stroke}"]
        size = {"x": x, "y": y, "width": width, "height": height, "rx": radius}
        self._add("rect", classes, stroke_width=thick, **size)

    def circle(self, x: float, y: float, radius: float, *, fill: str, stroke: str) -> None:
        """Draw a circle."""
        classes = [f"f-{fill}", f"s-{stroke}"]
        self._add("circle", classes, cx=x, cy=y, r=radius, stroke_width=1.8)

    def diamond(self, x: float, y: float, *, fill: str, stroke: str, half: float = 8) -> None:
        """Draw a diamond: hollow for what is expected, filled for what is received."""
        found = self._add("polygon", [f"f-{fill}", f"s-{stroke}"], stroke_width=2.0)
        corners = ((x, y - half), (x + half, y), (x, y + half), (x - half, y))
        found.set("points", " ".join(f"{_number(a)},{_number(b)}" for a, b in corners))

    def arrow(self, *points: tuple[float, float], color: str = "soft") -> None:
        """Draw a line through POINTS with a head at its end."""
        (x0, y0), (x, y) = points[-2:]
        length = max(abs(x - x0), abs(y - y0))
        dx, dy = (x - x0) / length, (y - y0) / length
        self.line(*points[:-1], (x - 6 * dx, y - 6 * dy), color=color, thick=2)
        head = ((x, y), (x - 10 * dx + 6 * dy, y - 10 * dy + 6 * dx))
        other = (x - 10 * dx - 6 * dy, y - 10 * dy - 6 * dx)
        found = self._add("polygon", [f"f-{color}"])
        found.set("points", " ".join(f"{_number(a)},{_number(b)}" for a, b in (*head, other)))

    def right(self, x: float, y: float) -> None:
        """Draw a tick."""
        self.line((x - 8, y), (x - 2, y + 7), (x + 9, y - 8), color="right", thick=3.5)

    def wrong(self, x: float, y: float) -> None:
        """Draw a cross."""
        self.line((x - 7, y - 7), (x + 7, y + 7), color="wrong", thick=3.5)
        self.line((x - 7, y + 7), (x + 7, y - 7), color="wrong", thick=3.5)

    def _add(self, tag: str, classes: Iterable[str], **numbers: float) -> ET.Element:
        known = {"mono", "bold", "empty", *(f"{kind}-{role}" for kind in "fs" for role in LIGHT)}
        if strange := {*classes} - known:
            raise ValueError(f"{self.name}: no colour of the palette: {sorted(strange)}")
        found = ET.SubElement(self._root, tag, {"class": " ".join(classes)})
        for name, value in numbers.items():
            found.set(name.replace("_", "-"), _number(value))
        return found


def extent(text: str, size: float = FONT) -> float:
    """How wide TEXT may be."""
    return LETTER * size * len(text.replace("`", ""))


def _append(to: ET.Element, text: str) -> None:
    """Write TEXT after everything that TO contains."""
    if len(to):
        to[-1].tail = (to[-1].tail or "") + text
    else:
        to.text = (to.text or "") + text


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
