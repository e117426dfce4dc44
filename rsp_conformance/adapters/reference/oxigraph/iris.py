"""IRIs: those that are relative, as names may be, and what IRI() makes of texts (17.4.2.8).

Names of windows and streams may be relative (``<w1> ON <stream2>``). pyoxigraph stores such an IRI,
but reads none in a query; so a query that has to bind it asks the store for it.
"""

from __future__ import annotations

import re
from functools import lru_cache

import pyoxigraph as ox

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import within

_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*:")
_NEVER = re.compile('[\x00-\x20<>"{}|\\\\^`]')


@lru_cache(maxsize=4096)
def node(value: str) -> ox.NamedNode:
    """Return the node of an IRI, which may be relative.

    Names of windows and streams may stay so.

    Raises:
        Unsupported: the text contains characters that no IRI has.
    """
    try:
        return ox.NamedNode(value)
    except ValueError:
        if _NEVER.search(value):
            raise Unsupported(f"<{value}>, which is no IRI") from None
        line = f"<{value}> <urn:p> <urn:o> ."
        (quad,) = ox.parse(line, format=ox.RdfFormat.N_TRIPLES, lenient=True)
        assert isinstance(quad.subject, ox.NamedNode)
        return quad.subject


def is_absolute(value: str) -> bool:
    """Return whether an IRI begins with a scheme, as pyoxigraph requires of those in queries."""
    return _SCHEME.match(value) is not None


def refuse_relative(query: Query) -> None:
    """Refuse a query with a relative IRI as a term, even if a window or stream has the same name.

    Raises:
        Unsupported: the query has such a term.
    """
    names = {window.name for window in query.windows} | {window.stream for window in query.windows}
    for part in within(query):
        if isinstance(part, IRI) and part not in names and not is_absolute(part.value):
            raise Unsupported(f"the relative IRI <{part.value}> as a term")


@lru_cache(maxsize=4096)
def resolved(text: str, base: str | None) -> ox.NamedNode | None:
    """Return the IRI of a text, resolved against a base if it is relative; None for an error.

    Args:
        text: the argument of IRI().
        base: the base of the query; None if it has none.

    Raises:
        Unsupported: pyoxigraph refuses the IRI.
    """
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
