"""Templates of CONSTRUCT: the triples that each solution makes (SPARQL 1.1, 16.2).

A triple that an unbound variable or a literal subject makes illegal is left out. Each solution has
its own blank nodes.
"""

from __future__ import annotations

from rsp_conformance.model.algebra import PatternTerm, TriplePattern
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, BlankNode
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.query_builder import NAME, NUMBER, RESOURCE, QueryBuilder

_SIZES = (1, 1, 2, 1, 3, 1, 2, 4)
"""The numbers of triples."""

_SHAPES = (
    *("plain", "plain", "plain", "node", "constant", "plain", "node-as-object", "literal"),
    *("predicate", "no-subject", "plain", "plain"),
)
"""The shapes of a triple (see ``_triple``)."""

_NODE = BlankNode("n")


def template(builder: QueryBuilder) -> tuple[TriplePattern, ...]:
    """Draw a template of some triples over the variables in scope."""
    subjects: list[IRI | Variable] = [*builder.of_kind(RESOURCE, NAME)]
    if builder.plan.has("quoted", "said", "quoted-bind") and not builder.limits.allow("rdf-star"):
        # In RDF 1.2 a quoted triple cannot be a subject, and some objects may be quoted triples.
        subjects = []
    subjects = subjects or [vocabulary.RESOURCES[0]]
    size = builder.pick(_SIZES)
    return tuple(dict.fromkeys(_triple(builder, subjects) for _ in range(size)))


def _triple(builder: QueryBuilder, subjects: list[IRI | Variable]) -> TriplePattern:
    visible = list(builder.kinds)
    allow = builder.limits.allow
    alone = len(visible) == 1 and allow("repeated-variables")
    pairs: list[tuple[PatternTerm, PatternTerm]] = [
        (s, o) for s in subjects for o in visible if s != o or alone
    ]
    subject, obj = builder.pick(pairs or [(subjects[0], vocabulary.RESOURCES[1])])
    predicate: IRI | Variable = vocabulary.DERIVED
    match builder.pick(_SHAPES):
        case "node" if allow("blank-nodes"):
            subject = _NODE
        case "node-as-object" if allow("blank-nodes"):
            obj = _NODE
        case "constant":
            subject, obj = vocabulary.RESOURCES[:2]
        case "literal" if allow("pattern-literals"):
            obj = vocabulary.TEXTS[0]
        case "predicate" if allow("predicate-variables", "repeated-variables"):
            # A variable bound to a blank node or a literal makes no triple here.
            predicate = next((v for v in subjects if isinstance(v, Variable)), predicate)
        case "no-subject":
            subject = next(iter(builder.of_kind(NUMBER)), subject)
    return TriplePattern(subject, predicate, obj)
