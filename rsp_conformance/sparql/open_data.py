"""Data that implementations may hold in different ways, whatever the query does with them.

Unlike the points that an evaluation meets (``readings``) these are seen by looking at the terms of
a case, which is done for wrong answers alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.model.expressions import Operation
from rsp_conformance.model.terms import XSD_STRING, Literal
from rsp_conformance.sparql.open_points import TAG_SPELLINGS


def open_data(parts: Iterable[object]) -> str | None:
    """The point that PARTS, all terms and expressions of a case, leave open; None if none."""
    tags: dict[str, dict[str, set[str]]] = {}
    texts: set[str] = set()
    makes_tags = False
    for part in parts:
        if isinstance(part, Operation):
            makes_tags = makes_tags or part.name == "STRLANG"
        elif isinstance(part, Literal):
            if part.language is not None:
                spelt = tags.setdefault(part.language.lower(), {})
                spelt.setdefault(part.lexical, set()).add(part.language)
            elif part.datatype == XSD_STRING:
                texts.add(part.lexical)
    for lower, by_text in tags.items():
        if any(len(own) > 1 for own in by_text.values()):
            return TAG_SPELLINGS
        made = {text for text in texts if makes_tags and text.lower() == lower}
        if made and len(made.union(*by_text.values())) > 1:
            return TAG_SPELLINGS
    return None
