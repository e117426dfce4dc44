"""A badge: JSON as shields.io reads it from an address, and the same as SVG."""

from __future__ import annotations

from typing import Any

from rsp_conformance.explain.render.layout import counted
from rsp_conformance.run.run_report import RunReport

LABEL = "RSP-QL"
GREEN, RED, GREY = "#2b8a3e", "#c92a2a", "#6c757d"
_LETTER, _HEIGHT = 6.6, 20
"""The mean width of a character and the height of the badge, in pixels."""


def badge(run: RunReport) -> dict[str, Any]:
    """The badge of a run, as an endpoint of shields.io answers (schemaVersion 1)."""
    passed = run.verdicts.get("passed", 0) + run.verdicts.get("xfailed", 0)
    tested = passed + run.verdicts.get("failed", 0)
    message, color = f"{passed} of {counted(tested, 'property')}", RED
    if run.campaign is not None:
        message = counted(len(run.campaign.new_causes), "new cause")
    if run.passed:
        color = GREEN
    elif not run.complete or not tested:
        message, color = "not tested", GREY
    return {"schemaVersion": 1, "label": LABEL, "message": message, "color": color}


def badge_svg(run: RunReport) -> str:
    """The badge of a run as an SVG picture."""
    import drawsvg

    said = badge(run)
    left, right = (_LETTER * len(said[name]) + 12 for name in ("label", "message"))
    picture = drawsvg.Drawing(
        round(left + right), _HEIGHT, role="img", font_family="Verdana, sans-serif", font_size=11
    )
    picture.append_title(f"{said['label']}: {said['message']}")
    for x, width, color, words in (
        (0, left, "#495057", said["label"]),
        (left, right, said["color"], said["message"]),
    ):
        picture.append(drawsvg.Rectangle(x, 0, width, _HEIGHT, fill=color))
        more = {"text_anchor": "middle", "dominant_baseline": "central", "fill": "#fff"}
        picture.append(drawsvg.Text(words, 11, x + width / 2, _HEIGHT / 2, **more))
    text: str = picture.as_svg(header="", skip_js=True, skip_css=True)
    return text
