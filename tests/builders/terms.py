"""Terms and triples as a person would write them."""

from __future__ import annotations

from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.model.terms import IRI, XSD, XSD_INTEGER, BlankNode, Literal, Term, Triple
from rsp_conformance.text.ntriples import parse_term

EX = "http://ex.org/"
PREFIXES = f"PREFIX : <{EX}> PREFIX xsd: <{XSD}> "


def iri(name: str) -> IRI:
    return IRI(EX + name)


def integer(number: int) -> Literal:
    return Literal(str(number), XSD_INTEGER)


def term(text: object) -> Term:
    """A term from ``:a``, ``_:b``, a Python int, N-Triples, or a plain string."""
    if isinstance(text, int):
        return integer(text)
    if not isinstance(text, str):
        return text  # type: ignore[return-value]
    if text.startswith(":"):
        return iri(text[1:])
    if text.startswith("_:"):
        return BlankNode(text[2:])
    if text.startswith(("<", '"')):
        return parse_term(
            text.replace("^^xsd:", f"^^<{XSD}").replace("^^:", f"^^<{EX}")
            + (">" if "^^xsd:" in text or "^^:" in text else "")
        )
    return Literal(text)


def triple(subject: object, predicate: object, object_: object) -> Triple:
    return Triple(term(subject), term(predicate), term(object_))  # type: ignore[arg-type]


def word(text: str) -> Term:
    """``name``, ``5``, ``"text"``."""
    if text.lstrip("-").isdigit():
        return Literal(text, XSD_INTEGER)
    return Literal(text[1:-1]) if text.startswith('"') else iri(text)


def sentence(text: str) -> Triple:
    """A triple of words; the object may have blanks."""
    subject, predicate, object_ = text.split(" ", 2)
    return Triple(iri(subject), iri(predicate), word(object_))


def term_from_json(value: object) -> Term:
    """The term that a binding's VALUE writes; FieldError if it is none."""
    found: Term = ANSWERS.read(Term, value, "term")
    return found
