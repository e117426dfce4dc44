r"""Prefixed names with all the escapes that SPARQL allows (SPARQL 1.1, 19.8, PN_LOCAL).

``http://ex.org/a/b`` is ``:a\/b``, and ``http://ex.org/`` itself is ``:``. The normal printer
writes both in angle brackets.
"""

from __future__ import annotations

import re

_START = (
    r"A-Za-z\xC0-\xD6\xD8-\xF6\xF8-\u02FF\u0370-\u037D\u037F-\u1FFF\u200C\u200D\u2070-\u218F"
    r"\u2C00-\u2FEF\u3001-\uD7FF\uF900-\uFDCF\uFDF0-\uFFFD\U00010000-\U000EFFFF"
)
_LATER = r"\xB7\u0300-\u036F\u203F\u2040"
_CHARACTER = re.compile(rf"[{_START}{_LATER}_0-9:.\-]|%[0-9A-Fa-f]{{2}}|(.)", re.DOTALL)
"""Matches a character that needs no escape, or, as a group, a character that does."""
_NOT_FIRST = re.compile(f"[{_LATER}]")
_ESCAPED = frozenset("_~.-!$&'()*+,;=/?#@%")


def prefixed(iri: str, prefixes: tuple[tuple[str, str], ...]) -> str | None:
    """Return an IRI with the longest prefix that fits, with escapes; None if no prefix fits."""
    # Of two equally long prefixes take the same as without escapes (model.query.abbreviated).
    for prefix, namespace in sorted(prefixes, key=lambda pair: (len(pair[1]), pair[0]))[::-1]:
        if iri.startswith(namespace) and (local := _local(iri[len(namespace) :])) is not None:
            return f"{prefix}:{local}"
    return None


def _local(text: str) -> str | None:
    """Return a text as the local part of a name; None if it has a character that none can have."""
    if _NOT_FIRST.match(text):
        return None
    found: list[str] = []
    for match in _CHARACTER.finditer(text):
        first, last = match.start() == 0, match.end() == len(text)
        escaped = match[1] is not None
        escaped |= match[0] == "." and (first or last)
        escaped |= match[0] == "-" and first
        if escaped and match[0] not in _ESCAPED:
            return None
        found.append(f"\\{match[0]}" if escaped else match[0])
    return "".join(found)
