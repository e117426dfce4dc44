"""RDF terms and triples, quoted triples included (RDF 1.1 Concepts 3; RSP-QL* Definition 1).

Terms are hashed and compared millions of times in one judgement, so every term stores its hash.
They are immutable by convention: no field is assigned after creation.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

XSD = "http://www.w3.org/2001/XMLSchema#"
XSD_STRING = XSD + "string"
XSD_INTEGER = XSD + "integer"
XSD_DECIMAL = XSD + "decimal"
XSD_DOUBLE = XSD + "double"
XSD_FLOAT = XSD + "float"
XSD_BOOLEAN = XSD + "boolean"
XSD_DATETIME = XSD + "dateTime"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDF_LANGSTRING = RDF + "langString"


class IRI:
    """An IRI, by its full text."""

    __slots__ = ("_hash", "value")

    def __init__(self, value: str) -> None:
        self.value = value
        self._hash = hash(("iri", value))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, IRI) and self.value == other.value)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<{self.value}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return IRI, (self.value,)


RDF_TYPE, RDF_FIRST, RDF_REST, RDF_NIL = (
    IRI(RDF + local) for local in ("type", "first", "rest", "nil")
)
"""The IRIs that SPARQL abbreviates: ``a``, and those of lists."""


class BlankNode:
    """A blank node; its label names one node throughout a case (SEMANTICS 1)."""

    __slots__ = ("_hash", "label")

    def __init__(self, label: str) -> None:
        self.label = label
        self._hash = hash(("bnode", label))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, BlankNode) and self.label == other.label)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"_:{self.label}"

    def __reduce__(self) -> tuple[Any, ...]:
        return BlankNode, (self.label,)


class Literal:
    """A literal: lexical form, datatype IRI, and language tag for ``rdf:langString``.

    Two literals are the same term if all three agree, language tags without regard to case
    (RDF 1.1 Concepts 3.3). ``sparql.compare`` decides whether *values* are equal.
    """

    __slots__ = ("_hash", "datatype", "language", "lexical")

    def __init__(
        self, lexical: str, datatype: str = XSD_STRING, language: str | None = None
    ) -> None:
        self.lexical = lexical
        self.datatype = RDF_LANGSTRING if language else datatype
        self.language = language or None
        self._hash = hash(
            ("literal", lexical, self.datatype, language.lower() if language else None)
        )

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Literal)
            and self.lexical == other.lexical
            and self.datatype == other.datatype
            and (self.language or "").lower() == (other.language or "").lower()
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        text = (
            '"' + self.lexical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
        )
        if self.language:
            return f"{text}@{self.language}"
        return text if self.datatype == XSD_STRING else f"{text}^^<{self.datatype}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Literal, (self.lexical, self.datatype, self.language)


class Triple:
    """A triple; the subject or object of another triple may be a quoted triple, not asserted."""

    __slots__ = ("_hash", "object", "predicate", "subject")

    def __init__(self, subject: Subject, predicate: IRI, object: Term) -> None:
        self.subject = subject
        self.predicate = predicate
        self.object = object
        self._hash = hash((subject, predicate, object))

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Triple)
            and self._hash == other._hash
            and self.subject == other.subject
            and self.predicate == other.predicate
            and self.object == other.object
        )

    def __hash__(self) -> int:
        return self._hash

    def __iter__(self) -> Iterator[Term]:
        return iter((self.subject, self.predicate, self.object))

    def __repr__(self) -> str:
        return f"<< {self.subject!r} {self.predicate!r} {self.object!r} >>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Triple, (self.subject, self.predicate, self.object)


Term: TypeAlias = IRI | BlankNode | Literal | Triple
Subject: TypeAlias = IRI | BlankNode | Triple
GraphName: TypeAlias = IRI | BlankNode


def is_numeric(term: object) -> bool:
    """Whether a term is a literal with a numeric datatype of SPARQL (SPARQL 1.1, 17.1)."""
    return isinstance(term, Literal) and term.datatype in NUMERIC_DATATYPES


NUMERIC_DATATYPES = frozenset(
    XSD + name
    for name in (
        "integer decimal float double nonPositiveInteger negativeInteger long int short byte "
        "nonNegativeInteger unsignedLong unsignedInt unsignedShort unsignedByte positiveInteger"
    ).split()
)
MERGED_DATATYPES = NUMERIC_DATATYPES | {XSD_BOOLEAN, XSD_DATETIME}
"""Equal values of one of these datatypes are one term under ``literals = canonical``."""
