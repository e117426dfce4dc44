"""Terms, triple patterns and property paths as text."""

from __future__ import annotations

import re

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    Path,
    PathElement,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import (
    IRI,
    RDF,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Literal,
    Term,
    Triple,
)
from rsp_conformance.text.escapes import escape
from rsp_conformance.text.printer.style import Style

_BARE = {
    XSD_INTEGER: re.compile(r"[+-]?[0-9]+"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD_DOUBLE: re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+"),
    XSD_BOOLEAN: re.compile("true|false"),
}
_LABEL = re.compile(r"\w([\w.\-]*[\w\-])?")
RDF_TYPE = IRI(RDF + "type")


def is_bare(literal: Literal) -> bool:
    """Whether SPARQL writes LITERAL without quotes."""
    form = _BARE.get(literal.datatype)
    return form is not None and form.fullmatch(literal.lexical) is not None


def literal_text(literal: Literal, style: Style) -> str:
    """A literal, without quotes where SPARQL has such a form."""
    if is_bare(literal):
        return literal.lexical
    text = f'"{escape(literal.lexical)}"'
    if literal.language:
        return f"{text}@{literal.language}"
    return text if literal.datatype == XSD_STRING else f"{text}^^{style.iri(literal.datatype)}"


def term_text(term: PatternTerm | Term, style: Style) -> str:
    """A term, a variable or a quoted triple."""
    match term:
        case IRI():
            return style.iri(term.value)
        case Variable(name):
            return f"?{name}"
        case Literal():
            return literal_text(term, style)
        case BlankNode():
            if not _LABEL.fullmatch(term.label):
                raise ValueError(f"{term.label!r} cannot be the label of a blank node in a query")
            return f"_:{term.label}"
        case TriplePattern() | Triple():
            return style.quoted(triple_text(term, style))


def triple_text(triple: TriplePattern | Triple, style: Style) -> str:
    """Subject, predicate and object."""
    subject = term_text(triple.subject, style)
    predicate = verb_text(triple.predicate, style)
    return f"{subject} {predicate} {term_text(triple.object, style)}"


def verb_text(predicate: IRI | Variable | Path, style: Style) -> str:
    """A predicate: ``a``, an IRI, a variable or a path."""
    return f"?{predicate.name}" if isinstance(predicate, Variable) else path_text(predicate, style)


# How tightly the forms of paths bind, loosest first.
_ALTERNATIVE, _SEQUENCE, _STEP, _ELEMENT, _PRIMARY = range(5)


def path_text(path: PathElement, style: Style, least: int = _ALTERNATIVE) -> str:
    """A property path, in brackets where it binds less tightly than LEAST."""
    text, binding = _path(path, style)
    return text if binding >= least else f"({text})"


def _path(path: PathElement, style: Style) -> tuple[str, int]:
    match path:
        case IRI():
            return ("a" if path == RDF_TYPE else style.iri(path.value)), _PRIMARY
        case AlternativePath(left, right):
            parts = path_text(left, style), path_text(right, style, _SEQUENCE)
            return "|".join(parts), _ALTERNATIVE
        case SequencePath(left, right):
            parts = path_text(left, style, _SEQUENCE), path_text(right, style, _STEP)
            return "/".join(parts), _SEQUENCE
        case InversePath(inner):
            return f"^{path_text(inner, style, _ELEMENT)}", _STEP
        case RepeatedPath(inner, modifier):
            return f"{path_text(inner, style, _PRIMARY)}{modifier}", _ELEMENT
        case NegatedPropertySet(forward, backward):
            members = [path_text(iri, style) for iri in forward]
            members += [f"^{path_text(iri, style)}" for iri in backward]
            inside = members[0] if len(members) == 1 else f"({'|'.join(members)})"
            return f"!{inside}", _PRIMARY
