"""Functions on RDF terms (SPARQL 1.1, 17.4.1.8 and 17.4.2), those on quoted triples included."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urljoin

from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.terms import IRI, RDF_LANGSTRING, XSD_STRING, BlankNode, Literal, Term
from rsp_conformance.sparql.comparison import is_simple
from rsp_conformance.sparql.functions.triples import TRIPLE_FUNCTIONS
from rsp_conformance.sparql.values import boolean, number_of, string

_LANGUAGE = re.compile(r"(?:[A-Za-z]{2,8}|[xXiI](?=-))(-[A-Za-z0-9]{1,8})*", re.ASCII)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:", re.ASCII)
_NOT_IN_IRI = re.compile('[\x00-\x20<>"{}|\\\\^`]')


def text_of(term: Term) -> Term | None:
    """STR."""
    if isinstance(term, Literal):
        return string(term.lexical)
    return string(term.value) if isinstance(term, IRI) else None


def lang(term: Term) -> Term | None:
    """LANG: the empty string for a literal without a tag."""
    return string(term.language or "") if isinstance(term, Literal) else None


def datatype(term: Term) -> Term | None:
    """DATATYPE."""
    return IRI(term.datatype) if isinstance(term, Literal) else None


def strdt(text: Term, kind: Term) -> Term | None:
    """STRDT: a simple literal's text with a datatype, which rdf:langString cannot be."""
    if not is_simple(text) or not isinstance(kind, IRI) or kind.value == RDF_LANGSTRING:
        return None
    assert isinstance(text, Literal)
    return Literal(text.lexical, kind.value)


def strlang(text: Term, tag: Term) -> Term | None:
    """STRLANG: a simple literal's text with a language tag."""
    if not is_simple(text) or not is_simple(tag):
        return None
    assert isinstance(text, Literal) and isinstance(tag, Literal)
    if not _LANGUAGE.fullmatch(tag.lexical):
        return None
    return Literal(text.lexical, XSD_STRING, tag.lexical)


def iri_function(base: str | None) -> Callable[[Term], Term | None]:
    """IRI for a query with BASE; a relative reference without a base is an error."""

    def iri(term: Term) -> Term | None:
        if isinstance(term, IRI):
            return term
        if not isinstance(term, Literal) or not is_simple(term):
            return None
        if _NOT_IN_IRI.search(term.lexical):
            return None
        if _SCHEME.match(term.lexical):
            return IRI(term.lexical)
        if base is None:
            return None
        if not base.startswith(("http://", "https://")):
            raise Unsupported(f"IRI() of a relative reference against the base <{base}>")
        return IRI(urljoin(base, term.lexical))

    return iri


TERM_FUNCTIONS: dict[str, tuple[Callable[..., Term | None], int, int | None]] = {
    "STR": (text_of, 1, 1),
    "LANG": (lang, 1, 1),
    "DATATYPE": (datatype, 1, 1),
    "STRDT": (strdt, 2, 2),
    "STRLANG": (strlang, 2, 2),
    "SAMETERM": (lambda a, b: boolean(a == b), 2, 2),
    "ISIRI": (lambda term: boolean(isinstance(term, IRI)), 1, 1),
    "ISURI": (lambda term: boolean(isinstance(term, IRI)), 1, 1),
    "ISBLANK": (lambda term: boolean(isinstance(term, BlankNode)), 1, 1),
    "ISLITERAL": (lambda term: boolean(isinstance(term, Literal)), 1, 1),
    "ISNUMERIC": (lambda term: boolean(number_of(term) is not None), 1, 1),
    **TRIPLE_FUNCTIONS,
}
