"""Relative IRIs against a base (RFC 3986, section 5.2)."""

from __future__ import annotations

import re

_PARTS = re.compile(
    r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.S
)


def is_absolute(iri: str) -> bool:
    """Whether IRI begins with a scheme."""
    return re.match(r"[A-Za-z][A-Za-z0-9+.\-]*:", iri) is not None


def resolve(iri: str, base: str | None) -> str:
    """IRI against BASE; without a base it stays what it is.

    So does an IRI with a scheme, dots included: relative ones alone are resolved (SPARQL 4.1.1).
    """
    if base is None or is_absolute(iri):
        return iri
    _, authority, path, query, fragment = _split(iri)
    base_scheme, base_authority, base_path, base_query, _ = _split(base)
    if authority is not None:
        path = _no_dots(path)
    elif not path:
        authority, path = base_authority, base_path
        query = base_query if query is None else query
    else:
        if not path.startswith("/"):
            path = _merge(base_authority, base_path, path)
        authority, path = base_authority, _no_dots(path)
    return _join(base_scheme, authority, path, query, fragment)


def _split(iri: str) -> tuple[str | None, str | None, str, str | None, str | None]:
    match = _PARTS.fullmatch(iri)
    assert match is not None  # every part may be empty
    return match[1], match[2], match[3], match[4], match[5]


def _merge(authority: str | None, base_path: str, path: str) -> str:
    if authority is not None and not base_path:
        return "/" + path
    return base_path[: base_path.rfind("/") + 1] + path


def _no_dots(path: str) -> str:
    """RFC 3986, 5.2.4: the path without ``.`` and ``..``."""
    if "." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")
    for index, segment in enumerate(segments):
        last = index == len(segments) - 1
        if segment == "..":
            if len(kept) > 1 or (kept and kept[0]):
                kept.pop()
            if last:
                kept.append("")
        elif segment != ".":
            kept.append(segment)
        elif last:
            kept.append("")
    return "/".join(kept)


def _join(
    scheme: str | None, authority: str | None, path: str, query: str | None, fragment: str | None
) -> str:
    return "".join(
        (
            "" if scheme is None else f"{scheme}:",
            "" if authority is None else f"//{authority}",
            path,
            "" if query is None else f"?{query}",
            "" if fragment is None else f"#{fragment}",
        )
    )
