"""Resolves relative IRIs against a base (RFC 3986, section 5.2)."""

from __future__ import annotations

import re
from typing import NamedTuple

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*:)?(//[^/?#]*)?([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
"""Scheme, authority, path, query and fragment, each with its delimiter."""


class Parts(NamedTuple):
    """The parts of an IRI reference, each with its delimiter; None is an absent part."""

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
    """Whether an IRI begins with a scheme."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", iri) is not None


def resolve(iri: str, base: str | None) -> str:
    """Resolve a relative IRI against a base.

    Without a base, the IRI stays as it is. An IRI with a scheme does too, even if its path has
    dots: only relative IRIs are resolved (SPARQL 1.1, 4.1.1).
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
    """Split an IRI, which may be relative, into its parts."""
    match = _PARTS.fullmatch(iri)
    assert match is not None  # every part may be empty
    return Parts(*match.groups())


def without_dots(iri: str) -> str:
    """Return an IRI as engines have it that resolve every IRI: without the dots of its path."""
    parts = split_iri(iri)
    if not parts.has_dots:
        return iri
    return "".join(part or "" for part in parts._replace(path=_without_dots(parts.path)))


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
