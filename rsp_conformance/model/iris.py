"""Relative IRIs against a base (RFC 3986, section 5.2)."""

from __future__ import annotations

import re
from typing import NamedTuple

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*:)?(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
"""Scheme, authority, path, query and fragment, with the characters that set them apart."""


class Parts(NamedTuple):
    """An IRI reference in its parts, each with its delimiter; None is absent, not empty."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None
    fragment: str | None

    @property
    def has_dots(self) -> bool:
        """Whether a segment of the path is ``.`` or ``..``."""
        return not {".", ".."}.isdisjoint(self.path.split("/"))


def is_absolute(iri: str) -> bool:
    """Whether IRI begins with a scheme."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", iri) is not None


def resolve(iri: str, base: str | None) -> str:
    """IRI against BASE; without a base it stays what it is.

    So does an IRI with a scheme, dots included: relative ones alone are resolved (SPARQL 4.1.1).
    """
    if base is None or is_absolute(iri):
        return iri
    _, authority, path, query, fragment = split_iri(iri)
    scheme, base_authority, base_path, base_query, _ = split_iri(base)
    if authority is not None:
        path = _without_dots(path)
    else:
        authority = base_authority
        if not path:
            path, query = base_path, query or base_query
        elif path.startswith("/"):
            path = _without_dots(path)
        elif authority is not None and not base_path:
            path = _without_dots("/" + path)
        else:
            path = _without_dots(re.sub("[^/]*$", "", base_path) + path)
    return "".join(part or "" for part in (scheme, authority, path, query, fragment))


def split_iri(iri: str) -> Parts:
    """The parts of IRI, which may be relative."""
    match = _PARTS.fullmatch(iri)
    assert match is not None  # every part may be empty
    return Parts(*match.groups())


def _without_dots(path: str) -> str:
    """RFC 3986, 5.2.4: the path without ``.`` and ``..``."""
    *segments, last = path.split("/")
    kept: list[str] = []
    for segment in (*segments, *([last, ""] if last in (".", "..") else [last])):
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
        elif segment != ".":
            kept.append(segment)
    return "/".join(kept)
