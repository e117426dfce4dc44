"""The colours of tones on a terminal, in words that ``rich`` and pytest's writer both know.

``bad`` and ``good`` have the colours of a test that fails or passes. ``soft`` is for words beside
the matter, so they are dim, as pages write them in grey: yellow, which pytest gives to warnings,
would draw the eye to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rsp_conformance.explain.document import Span, Tone

TONES: Final[Mapping[Tone, tuple[str, ...]]] = {
    "bad": ("red", "bold"),
    "good": ("green",),
    "soft": ("dim",),
    "strong": ("bold",),
    "": (),
}
"""The colour and the weight of each tone."""
CODE: Final = ("cyan",)
"""The colour of what is to be typed, whatever its tone."""


def colours(part: str | Span) -> tuple[str, ...]:
    """The colour and the weight of a part of a line."""
    if isinstance(part, str):
        return ()
    return CODE if part.code else TONES[part.tone]
