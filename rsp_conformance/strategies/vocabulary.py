"""The few names and values that generated cases use.

Streams, queries and background data share them, so patterns match data and joins find matches, and
a shrunk case reads as if a person had written it.
"""

from __future__ import annotations

from itertools import pairwise

from rsp_conformance.model.terms import (
    IRI,
    RDF_TYPE,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Triple,
)
from rsp_conformance.model.uncertainty import DISTRIBUTION

NAMESPACE = "http://ex.org/"
"""The namespace of all names."""

PREFIXES = (("", NAMESPACE),)
"""The prefix of most queries."""

NAMED_PREFIXES = (("ex", NAMESPACE), ("xsd", XSD), *PREFIXES)
KEYWORD_PREFIXES = (("select", NAMESPACE), ("a", XSD), *PREFIXES)
"""With these, queries write ``ex:a`` or ``select:a`` for ``:a``; data are shown with ``:a``."""


def name(local: str) -> IRI:
    """Return the IRI that generated queries write ``:local``."""
    return IRI(NAMESPACE + local)


RESOURCES = tuple(name(local) for local in "abcd")
"""Subjects and objects, the simplest first."""

LINKS = tuple(name(local) for local in "pqrst")
"""Predicates whose objects are resources."""

VALUES = tuple(name(local) for local in ("value", "size", "price", "rank"))
"""Predicates whose objects are numbers."""

LABELS = tuple(name(local) for local in ("label", "title", "note", "motto"))
"""Predicates whose objects are texts."""

TOPICS = tuple(name(local) for local in ("about", "of"))
"""Predicates whose objects are resources and numbers."""

SAYINGS = tuple(name(local) for local in ("says", "denies"))
"""Predicates whose objects are quoted triples."""

READINGS = tuple(name(local) for local in ("reading", "forecast", "limit"))
"""Predicates whose objects are distributions."""

KEYWORDS = (
    *("select", "where", "a", "window", "graph", "filter", "stream", "order", "true"),
    *("named", "base", "step", "é", "1", "日本", "2nd"),
)
"""Names of variables that are keywords of RSP-QL, and other odd names: ``?é``, ``?1``."""

ODD_LINKS = (
    *map(name, ("p/0", "downstream", "p1", "list#rest")),
    RDF_TYPE,
    *map(name, ("p:q", "unnamed", "q-", "p2/step")),
)
"""Predicates with a digit at the end, after ``/``, ``#`` or ``:``, or like keywords; and ``a``."""

# Names of graphs and windows that are keywords.
KEYWORD_GRAPHS = (name("graph"), name("named"))
KEYWORD_WINDOWS = tuple(name(local) for local in ("window", "range", "step", "select"))

DERIVED = name("seen")
"""The predicate of CONSTRUCT's templates."""

GRAPHS = tuple(name(local) for local in ("g", "h"))
"""The names of background graphs."""

BLANK_NODES = (BlankNode("b"), BlankNode("c"))
"""The blank nodes of data."""

BYSTANDER = name("s0")
"""A stream that no query reads."""


def stream(number: int) -> IRI:
    """Return the stream ``:s1``, ``:s2`` and so on."""
    return name(f"s{number}")


def window(number: int) -> IRI:
    """Return the window ``:w1``, ``:w2`` and so on."""
    return name(f"w{number}")


def integer(lexical: int | str) -> Literal:
    """Return an xsd:integer in this lexical form."""
    return Literal(str(lexical), XSD_INTEGER)


TRUTHS = (Literal("true", XSD_BOOLEAN), Literal("false", XSD_BOOLEAN))
"""The values of a condition."""

INTEGERS = (integer(1), integer(2), integer(3))
"""Numbers that differ as terms and as values."""

UNEQUAL_INTEGERS = (integer(1), integer("01"), integer(2), integer("+1"), integer(3))
"""Integers, some of them equal numbers with unequal lexical forms."""

UNEQUAL_NUMBERS = (
    integer(1),
    Literal("1.0", XSD_DECIMAL),
    integer("01"),
    integer(2),
    Literal("1e0", XSD_DOUBLE),
    Literal("2.5", XSD_DECIMAL),
)
"""Numbers of several datatypes, some of them equal with unequal lexical forms."""

MIXED = (integer(1), Literal("x"), integer(2), integer(3))
"""Numbers, and a text on which arithmetic and ``<`` are errors."""

THINGS = (RESOURCES[0], integer(1), RESOURCES[1], integer(2))
"""Resources and numbers, which ORDER BY orders by type first."""

QUOTED = tuple(Triple(subject, LINKS[0], obj) for subject, obj in pairwise(RESOURCES))
"""The values of a variable for quoted triples."""

DISTRIBUTIONS = tuple(
    Literal(text, DISTRIBUTION) for text in ("N(20,4)", "U(10,20)", "N(30,9)", "U(24,28)")
)
"""Uncertain values; no probability among them is near a threshold that queries use."""

TEXTS = (Literal("x"), Literal("y"), Literal("z"))
"""Plain strings."""

ODD_TEXTS = tuple(
    Literal(text)
    for text in (
        '"x"',
        "",
        "a\\b",
        "  ",
        "x\ny",
        "é日",
        "\\n",
        "1^^x",
        '"^^:a',
        "x'}#",
        "a stream",
        'x"y^^step',
    )
)
"""Strings that a parser, a printer or a store may change."""

TAGGED = (Literal("x", language="en"), Literal("x"), Literal("x", language="fr"), Literal("y"))
"""A text with several language tags and without a tag, and another text."""

LIKE = (
    (integer(1), Literal("1")),
    (Literal("x"), Literal("y")),
    (Literal("1"), integer(1)),
    (Literal("x"), Literal("x", language="en")),
    (Literal("x", language="en"), Literal("x")),
)
"""Literals for patterns, each with another literal that a careless engine mistakes for it."""
