"""What the languages have and the kit refuses by name: it has no place in the model."""

from __future__ import annotations

import re

_LENGTHS = "write {} with lengths of time"
_RSPQL = _LENGTHS.format("[RANGE width STEP slide]")
_C_SPARQL = _LENGTHS.format("[RANGE width STEP slide]")
_CQELS = _LENGTHS.format("[RANGE width SLIDE slide]")
_CQELS_2 = _LENGTHS.format("[RANGE width STEP slide] or [FUTURE width STEP slide]")
_STREAM = _LENGTHS.format("[NOW - width SLIDE slide]")
_COUNT = r"\[\s*(?:RANGE\s+)?(?P<word>ROWS|TRIPLES|ELEMENTS)\b"

_REFUSED: dict[str, tuple[tuple[str, str], ...]] = {
    "rsp-ql": (
        (_COUNT, f"windows by count ({{}}) are not supported; {_RSPQL}"),
        (
            r"\[\s*(?:RANGE\s+)?(?P<word>NOW|UNBOUNDED)\b",
            f"{{}} windows are not supported; {_RSPQL}",
        ),
    ),
    "c-sparql": ((_COUNT, f"windows by count ({{}}) are not supported; {_C_SPARQL}"),),
    "cqels-ql": (
        (_COUNT, f"windows by count ({{}}) are not supported; {_CQELS}"),
        (r"\[\s*(?P<word>NOW|ALL)\b", f"{{}} windows are not supported; {_CQELS}"),
        (r"\bSTREAM\s+(?P<word>[?$]\w+)", "streams by variable ({}) are not supported"),
    ),
    "cqels-ql-2": (
        (_COUNT, f"windows by count ({{}}) are not supported; {_CQELS_2}"),
        (r"\[\s*(?P<word>NOW)\b", f"{{}} windows are not supported; {_CQELS_2}"),
        (
            r"\[\s*(?:RANGE|PAST)\s+\w+\s+(?P<word>FUTURE)\b",
            f"windows around an anchor ({{}}) are not supported; {_CQELS_2}",
        ),
        (
            r"\b(?P<word>EMIT|LATENESS)\b",
            "{} is not supported: when answers come, the profile says",
        ),
        (r"\b(?P<word>WITH\s+DEPTH|CACHE)\b", "{} is not supported: all background data are there"),
        (r"\b(?P<word>SEQ)\s*\(", "complex event processing ({}) is not supported"),
    ),
    "sparqlstream": (
        (_COUNT, f"windows by count ({{}}) are not supported; {_STREAM}"),
        (r"\[\s*(?P<word>NOW)\s*\]", f"{{}} windows are not supported; {_STREAM}"),
        (r"[{.}]\s*(?P<word>STREAM)\b", "{} is not supported in patterns; write FROM NAMED STREAM"),
    ),
}
"""Of each language regular expressions, and what is said of the word found."""


def refused_at(text: str, index: int, language: str) -> tuple[int, str] | None:
    """What of LANGUAGE the kit refuses at INDEX of TEXT, where no grammar could go on.

    The place of the word that has no meaning here, and the message.
    """
    for pattern, message in _REFUSED.get(language, _REFUSED["rsp-ql"]):
        for match in re.finditer(pattern, text, re.IGNORECASE):
            if match.start() <= index <= match.end():
                return match.start("word"), message.format(match["word"].upper())
    return None
