"""The colours of the pictures, and the style sheet that goes into each.

A picture is embedded by ``<img>``, so it has a ground of its own: it is readable on any page, also
if the page's scheme is not the one that the reader's system prefers.
"""

from __future__ import annotations

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#ffffff",
    "edge": "#ccd3db",
    "ink": "#1f2328",
    "soft": "#55606b",
    "grid": "#dde2e8",
    "element": "#1d5fbf",
    "window": "#fdeec6",
    "window-edge": "#965e06",
    "box": "#eaf1fc",
    "box-edge": "#7c9cc9",
    "right": "#17752f",
    "right-box": "#e3f5e7",
    "wrong": "#c2202d",
    "wrong-box": "#fde9e9",
}
"""By role; ``ink`` and ``soft`` are for words, and the others for what they name."""
DARK: Mapping[str, str] = {
    "paper": "#1c2129",
    "edge": "#3d4653",
    "ink": "#e8ecf1",
    "soft": "#aeb8c4",
    "grid": "#353d49",
    "element": "#82b4ff",
    "window": "#4b3c15",
    "window-edge": "#e3b34f",
    "box": "#26344b",
    "box-edge": "#6c8cbb",
    "right": "#62d479",
    "right-box": "#1d3a27",
    "wrong": "#ff8780",
    "wrong-box": "#472529",
}
"""The same roles for readers who prefer dark pages."""
SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',sans-serif"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


def style() -> str:
    """The style sheet: a variable for each role, and classes that fill or stroke with it."""
    rules = [
        f":root{{{_variables(LIGHT)}}}",
        f"@media (prefers-color-scheme:dark){{:root{{{_variables(DARK)}}}}}",
        f"text{{font-family:{SANS}}}",
        f".mono{{font-family:{MONO}}}",
        ".bold{font-weight:600}",
        ".empty{fill:none}",
    ]
    for role in LIGHT:
        rules += [f".f-{role}{{fill:var(--{role})}}", f".s-{role}{{stroke:var(--{role})}}"]
    return "\n".join(("", *rules, ""))


def _variables(colours: Mapping[str, str]) -> str:
    return ";".join(f"--{role}:{colour}" for role, colour in colours.items())
