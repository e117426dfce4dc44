"""IRIs: those that are relative, as names may be, and what IRI() makes of texts (17.4.2.8)."""

from __future__ import annotations

import re
from functools import lru_cache

import pyoxigraph as ox

from rsp_conformance.model.errors import Unsupported

_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
_NEVER = re.compile('[\x00-\x20<>"{}|\\\\^`]')


@lru_cache(maxsize=4096)
def node(value: str) -> ox.NamedNode:
    """The node of VALUE, which may be relative: names of windows and streams may stay so."""
    try:
        return ox.NamedNode(value)
    except ValueError:
        if _NEVER.search(value):
            raise Unsupported(f"<{value}>, which is no IRI") from None
        line = f"<{value}> <urn:p> <urn:o> ."
        (quad,) = ox.parse(line, format=ox.RdfFormat.N_TRIPLES, lenient=True)
        assert isinstance(quad.subject, ox.NamedNode)
        return quad.subject


@lru_cache(maxsize=4096)
def resolved(text: str, base: str | None) -> ox.NamedNode | None:
    """The IRI that TEXT is, or stands for where the query has the BASE; None is an error."""
    if _NEVER.search(text):
        return None
    if _SCHEME.match(text):
        try:
            return ox.NamedNode(text)
        except ValueError:
            raise Unsupported(f"IRI() of the text {text!r}") from None
    if base is None:
        return None
    try:
        (quad,) = ox.parse(f"<{text}> a <urn:o> .", format=ox.RdfFormat.TURTLE, base_iri=base)
    except (SyntaxError, ValueError):
        raise Unsupported(f"IRI() of the text {text!r} against the base <{base}>") from None
    assert isinstance(quad.subject, ox.NamedNode)
    return quad.subject
