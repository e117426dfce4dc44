"""Find data that implementations may store in different ways, whatever the query does with them.

The points that an evaluation meets are noticed on the way (``readings``). These points are found by
a search through the terms of a case, which is made only for wrong answers.
"""

from __future__ import annotations

from collections.abc import Iterable

from rsp_conformance.model.expressions import Operation
from rsp_conformance.model.terms import XSD_STRING, Literal
from rsp_conformance.sparql.open_points import TAG_SPELLINGS


def open_data(parts: Iterable[object]) -> str | None:
    """The open point that the data of a case fall under; None if there is no such point.

    A store may keep a single spelling of language tags that differ only in case. So the point is
    open if a text has a tag in two spellings, or if STRLANG may make another spelling of a tag.

    Args:
        parts: All terms and expressions of the case.
    """
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
