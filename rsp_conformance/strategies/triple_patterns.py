"""Triple patterns: plain ones, with property paths, and with quoted triples.

The data of a path have short ways across elements. Quoted triples occur in annotated statements,
with parts of them as variables, and in statements about statements (RSP-QL*). An annotation asserts
nothing: the streams contain annotations without their statement, and statements without annotation.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Join,
    Pattern,
    PatternTerm,
    TriplePattern,
    Values,
)
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.paths import PathElement
from rsp_conformance.model.quoted_triples import quotes
from rsp_conformance.model.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
    XSD_INTEGER,
    BlankNode,
    Triple,
)
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.expressions import apply
from rsp_conformance.strategies.query_builder import (
    LINK,
    NAME,
    NUMBER,
    QUOTED,
    RESOURCE,
    TEXT,
    THING,
    TRUTH,
    UNCERTAIN,
    Places,
    QueryBuilder,
    path_predicates,
)
from rsp_conformance.text.parse import parse_query

# Paths: the simplest matches a single element.
_SHORT = ("{p}|{q}", "{p}/{q}", "^{p}", "{p}/{q}?", "{p}/^{q}", "^({p}/{q})", "({p}/{q})|{p}")
_CLOSURES = ("{p}+", "({p}|{q})+", "{p}/{q}*", "({p}/{q})+")
_BETWEEN_RESOURCES: tuple[str, ...] = _SHORT + _CLOSURES * 4
_BETWEEN_TERMS = (
    *("{p}*", "{p}?", "({p}|{q})*", "({p}|^{q})*"),
    *("(!{q})+", "(!({p}|^{q}))+", "(!({p}|{q}))?"),
)

_ENDS = ("both", "both", "both", "both", "subject", "object", "circle")


def path_pattern(
    builder: QueryBuilder,
    places: Places,
    subject: PatternTerm | None = None,
    last: Variable | None = None,
) -> TriplePattern:
    """Draw a path between two variables, between one and a constant, or from a variable to itself.

    If the rows are ordered, only paths between resources are drawn, because the others may end at
    any term of the data.

    Args:
        builder: the builder of the query.
        places: where the pattern is matched.
        subject: where the path starts; None for a new variable or a constant.
        last: the variable at which it ends, if it ends at one; None for a new variable.
    """
    options = _BETWEEN_RESOURCES
    if not builder.plan.ordered:
        options += _BETWEEN_TERMS
        if builder.plan.clauses == {"paths"}:
            # It is open how often a negated set counts two nodes with several properties; here
            # there are two.
            options += ("!{p}", "!^{p}", "!{p}", "!^{p}", "!({p}|{q}|^{p})", "!(^{p}|^{q})")
    path = _parsed(builder.pick(options), builder.predicate(RESOURCE), _second(builder))
    a, b, c, d = vocabulary.RESOURCES
    ends = builder.pick(_ENDS)
    if ends == "circle" and not builder.limits.allow("repeated-variables"):
        ends = ""
    start: PatternTerm = a if ends == "subject" else builder.fresh(RESOURCE)
    if subject is not None:
        start = subject
    end: PatternTerm = start
    if ends != "circle":
        end = c if ends == "object" else last or builder.fresh(RESOURCE)
    first, *others = [*dict.fromkeys(path_predicates(path))] or [builder.predicate(RESOURCE)]
    second = others[0] if others else first
    # Two nodes connected both ways, so that two triples are a circle; then longer ways.
    data = (
        *(Triple(a, first, b), Triple(b, second, a), Triple(b, first, c), Triple(a, second, c)),
        *(Triple(a, first, c), Triple(c, second, a), Triple(b, second, c), Triple(c, first, d)),
    )
    return builder.add(places, TriplePattern(start, path, end), tuple(dict.fromkeys(data)))


def _second(builder: QueryBuilder) -> IRI:
    """The predicate after the first unused one, among those between resources."""
    links = builder.links
    return links[min(links.index(builder.predicate(RESOURCE)) + 1, len(links) - 1)]


@cache
def _parsed(text: str, p: IRI, q: IRI) -> PathElement:
    path = text.format(p=f"<{p.value}>", q=f"<{q.value}>")
    pattern = parse_query(f"SELECT * {{ ?x {path} ?y }}").pattern
    assert isinstance(pattern, BGP)
    predicate = pattern.triples[0].predicate
    assert not isinstance(predicate, Variable)
    return predicate


_AS_SUBJECT = (
    *("annotated", "asserted", "asserted", "variable", "asserted"),
    *("asserted", "nested", "asserted", "asserted", "constant"),
)
_AS_OBJECT = ("said", "said-asserted", "said-variable", "said-nested")


def quoted_group(builder: QueryBuilder, places: Places) -> BGP:
    """Draw patterns about quoted triples, of the kinds that the engine takes and the plan has."""
    anywhere = builder.limits.allow("rdf-star") and builder.plan.has("quoted")
    subjects = _AS_SUBJECT * 2 if anywhere else ()
    shape = builder.pick((*subjects, *_AS_OBJECT))
    if shape in _AS_SUBJECT:
        return BGP(_about(builder, places, shape))
    return BGP(_said(builder, places, shape))


def _about(builder: QueryBuilder, places: Places, shape: str) -> tuple[TriplePattern, ...]:
    """Patterns whose subject is a quoted triple."""
    kind = NUMBER if builder.limits.allow("typed-literals") else RESOURCE
    if shape == "variable":
        return (builder.triple(places, builder.fresh(QUOTED), kind),)
    statement = _statement(builder, constant=shape == "constant")
    if shape == "nested":
        inner, predicate = statement, vocabulary.LINKS[1]
        outer = TriplePattern(inner, predicate, builder.fresh(RESOURCE))
        return (builder.triple(places, outer, kind),)
    about = builder.triple(places, statement, kind)
    if shape == "asserted":
        return (builder.add(places, statement), about)
    return (about,)


def _said(builder: QueryBuilder, places: Places, shape: str) -> tuple[TriplePattern, ...]:
    """Patterns whose object is a quoted triple."""
    speaker = builder.fresh(RESOURCE)
    predicate = builder.predicate(QUOTED)
    if shape == "said-variable":
        return (builder.add(places, TriplePattern(speaker, predicate, builder.fresh(QUOTED))),)
    statement = _statement(builder)
    said = statement
    if shape == "said-nested":
        said = TriplePattern(builder.fresh(RESOURCE), vocabulary.LINKS[1], statement)
    pattern = builder.add(places, TriplePattern(speaker, predicate, said))
    if shape == "said-asserted":
        return (pattern, builder.add(places, statement))
    return (pattern,)


def _statement(builder: QueryBuilder, *, constant: bool = False) -> TriplePattern:
    subject = vocabulary.RESOURCES[0] if constant else builder.fresh(RESOURCE)
    predicate: IRI | Variable = vocabulary.LINKS[0]
    if builder.limits.allow("predicate-variables") and builder.pick(_SELDOM):
        predicate = builder.fresh(LINK)
    return TriplePattern(subject, predicate, builder.fresh(RESOURCE))


_SELDOM = (*(False,) * 5, True)
"""True in one of six draws; of the last three options, in one of three."""


def with_quoted_data(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    """Return the pattern, sometimes with VALUES for its quoted triples: others and nested ones."""
    whole = builder.bound(QUOTED)
    allow = builder.limits.allow
    if not (whole and allow("values", "compound-window-joins") and builder.pick(_SELDOM[3:])):
        return pattern
    a, b, c = vocabulary.RESOURCES[:3]
    first, (p, q) = vocabulary.QUOTED[0], vocabulary.LINKS[:2]
    rows = [
        first,
        Triple(a, RDF_TYPE, b),
        Triple(a, p, vocabulary.TEXTS[0]),
        Triple(c, q, first),
    ]
    if allow("rdf-star"):
        rows.append(Triple(first, q, c))
    number = builder.pick((1, len(rows), len(rows), 2, len(rows)))
    return Join(pattern, Values(tuple(whole[:1]), tuple((row,) for row in rows[:number])))


def with_quoted_value(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    """Return the pattern with a BIND that makes a quoted triple or takes one apart."""
    functions = builder.limits.allow("functions")
    options: list[tuple[Expression, str]] = []
    subjects = _subjects(builder)
    (a, b, c, *_), (p, q) = vocabulary.RESOURCES, vocabulary.LINKS[:2]
    constant = TriplePattern(a, p, b)
    if subjects:
        subject, obj = subjects[0], builder.of_kind(RESOURCE)[-1]
        options.append((TriplePattern(subject, p, obj), QUOTED))
        if functions:
            options.append((apply("TRIPLE", subject, p, obj), QUOTED))
        options.append((TriplePattern(subject, q, constant), QUOTED))
        options.append((TriplePattern(subject, vocabulary.LABELS[0], vocabulary.TEXTS[0]), QUOTED))
    options.append((constant, QUOTED))
    if builder.limits.allow("rdf-star"):
        options.append((TriplePattern(constant, q, c), QUOTED))
    whole = builder.bound(QUOTED)[:1]
    options += [(apply("=", variable, constant), TRUTH) for variable in whole]
    if functions:
        for name in ("SUBJECT", "OBJECT", "PREDICATE"):
            options += [(apply(name, variable), RESOURCE) for variable in whole]
    expression, kind = builder.pick(options)
    variable = builder.fresh(kind)
    builder.unbound.add(variable)
    return Extend(pattern, variable, expression)


def _subjects(builder: QueryBuilder) -> list[Variable]:
    """The variables that may be the subject of a quoted triple.

    Blank nodes are excluded, because it is a separate question to which graphs they belong. If
    quoted triples may be objects only, so is a variable that a pattern has as its object.
    """
    if builder.plan.has("blank-nodes"):
        return []
    found = builder.bound(RESOURCE)
    if builder.limits.allow("rdf-star"):
        return found
    objects = {part.object for slot in builder.slots for part in quotes(slot.pattern)}
    return [variable for variable in found if variable not in objects]


# The patterns of most queries.


def base(builder: QueryBuilder, places: Places) -> TriplePattern:
    """Draw the first triple pattern: over two variables, a repeated one, or one and a constant."""
    # Drawn even if unused: shrinking takes a case with fewer draws for simpler.
    kind = builder.pick(_base_kinds(builder))
    if builder.plan.has("repeated-variables"):
        return _repeated(builder, places)
    if builder.plan.has("pattern-literals"):
        return _with_literal(builder, places)
    if builder.plan.has("predicate-variables"):
        return _any_predicate(builder, places)
    if builder.plan.has("pattern-nodes"):
        return _with_node(builder, places)
    constant = builder.plan.constant
    a, b = vocabulary.RESOURCES[:2]
    if kind != RESOURCE or constant == "":
        return builder.triple(places, builder.fresh(RESOURCE), kind)
    if constant == "object":
        pattern = TriplePattern(builder.fresh(RESOURCE), builder.predicate(RESOURCE), b)
    else:
        pattern = TriplePattern(a, builder.predicate(RESOURCE), builder.fresh(RESOURCE))
    return builder.add(places, pattern)


def _repeated(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with one variable as subject and object; in half of its data both are equal."""
    variable, predicate = builder.fresh(RESOURCE), builder.predicate(RESOURCE)
    first, *others = builder.domain(variable)
    pairs = [(first, first), *((first, o) for o in others), *((o, o) for o in others)]
    data = tuple(Triple(s, predicate, o) for s, o in pairs if isinstance(s, (IRI, BlankNode)))
    return builder.add(places, TriplePattern(variable, predicate, variable), data)


def _any_predicate(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with a variable as its predicate, which may also be its object."""
    subject = builder.fresh(RESOURCE)
    ends = builder.pick(("new", "new", "subject", "predicate", "constant"))
    predicate = builder.fresh(NAME, "p")
    obj: PatternTerm
    if ends == "constant":
        obj = vocabulary.RESOURCES[1]
    elif ends == "new" or not builder.limits.allow("repeated-variables"):
        obj = builder.fresh(THING)
    else:
        obj = subject if ends == "subject" else predicate
    p, q = builder.links[:2]
    a, b = vocabulary.RESOURCES[:2]
    data = [Triple(a, p, b), Triple(a, q, b), Triple(b, p, b), Triple(a, p, p)]
    if builder.limits.allow("typed-literals"):
        data.append(Triple(a, vocabulary.VALUES[0], vocabulary.INTEGERS[0]))
    return builder.add(places, TriplePattern(subject, predicate, obj), tuple(data))


_NODE = BlankNode("v")
"""A blank node in a pattern: a variable that no solution shows."""


def _with_node(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with a blank node, which matches any term, as its object or its subject."""
    shown, predicate = builder.fresh(RESOURCE), builder.predicate(RESOURCE)
    if builder.pick((False, True, True)) and builder.plan.clauses <= {
        "pattern-nodes",
        "multi-triple",
    }:
        pattern = TriplePattern(_NODE, predicate, shown)
    else:
        pattern = TriplePattern(shown, predicate, _NODE)
    return builder.add(places, pattern, _about_node(pattern))


_SAYS = (*("", "described", "list", "nil", "two"), *("", "described", "two", "nil", "list"))
"""Further patterns about a blank node: none, a property, or a list of one or of two members.

With ``nil`` the empty list is in its place.
"""


def with_node(builder: QueryBuilder, places: Places, pattern: TriplePattern) -> BGP:
    """Return the first pattern with further patterns about its blank node.

    The data have IRIs in place of these nodes. In ``( ?y ) :p ?x`` the patterns of the list come
    first.

    Args:
        builder: the query so far.
        places: the windows and graphs in which the patterns are matched.
        pattern: the first pattern.
    """
    node = pattern.subject if pattern.subject == _NODE else pattern.object
    allowed = builder.limits.allow("joined-aggregates", "compound-window-joins")
    shape = builder.pick(_SAYS) if allowed and node == _NODE else ""
    if shape == "nil":
        return _of_nothing(builder, places, pattern)
    if shape == "described":
        more = TriplePattern(node, builder.predicate(RESOURCE), builder.fresh(RESOURCE))
        return BGP((pattern, builder.add(places, more, _about_node(more))))
    return _list(builder, places, pattern, 2 if shape == "two" else 1) if shape else BGP((pattern,))


def _of_nothing(builder: QueryBuilder, places: Places, pattern: TriplePattern) -> BGP:
    """The pattern added last, with the empty list in place of its blank node."""
    builder.slots.pop()
    end = "subject" if pattern.subject == _NODE else "object"
    return BGP((builder.add(places, replace(pattern, **{end: RDF_NIL})),))


def _list(builder: QueryBuilder, places: Places, pattern: TriplePattern, length: int) -> BGP:
    """The pattern added last, with a list of some length as its blank node.

    The triples come in the order in which ``( … )`` is read. In the data :c is the last node of all
    lists and :b the first one of lists of two, so that few triples make a list.
    """
    a, b, c = vocabulary.RESOURCES[:3]
    own: list[tuple[PatternTerm, IRI]] = [(_NODE, c)]
    if length == 2:
        own = [(_NODE, b), (BlankNode(f"{_NODE.label}0"), c)]
    first, predicate = pattern.subject == _NODE, pattern.predicate
    assert isinstance(predicate, IRI)
    head, others = own[0][1], (a, b if length == 1 else c)
    ends = [(head, other) if first else (other, head) for other in others]
    builder.slots.pop()
    builder.add(places, pattern, tuple(Triple(s, predicate, o) for s, o in ends))
    cells: list[TriplePattern] = []
    following = [*own[1:], (RDF_NIL, RDF_NIL)]
    for (node, term), (rest, end) in zip(own, following, strict=True):
        member = TriplePattern(node, RDF_FIRST, builder.fresh(RESOURCE))
        data = tuple(Triple(term, RDF_FIRST, other) for other in (a, b))
        cells.append(builder.add(places, member, data))
        link = TriplePattern(node, RDF_REST, rest)
        cells.append(builder.add(places, link, (Triple(term, RDF_REST, end),)))
    return BGP((*cells, pattern) if first else (pattern, *cells))


def _about_node(pattern: TriplePattern) -> tuple[Triple, ...] | None:
    """The data for a pattern with a blank node, whose instances would contain that node."""
    predicate = pattern.predicate
    if not isinstance(predicate, IRI):
        return None
    if BlankNode not in (type(pattern.subject), type(pattern.object)):
        return None
    terms = vocabulary.RESOURCES[:3]
    return tuple(Triple(s, predicate, o) for s in terms for o in terms if s != o)


def _with_literal(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with a literal as its object; half of its data have another literal like it."""
    allow, variable = builder.limits.allow, builder.fresh(RESOURCE)
    like = [
        pair
        for pair in vocabulary.LIKE
        if (allow("language-tags") or not any(each.language for each in pair))
        and (allow("typed-literals") or not any(each.datatype == XSD_INTEGER for each in pair))
    ]
    if builder.plan.has("odd-strings"):
        one, other, *_ = builder.text_domain()
        like = [(one, other)] * 2
    literal, other = builder.pick(like)
    predicate = builder.predicate(NUMBER if literal.datatype == XSD_INTEGER else TEXT)
    subjects = [t for t in builder.domain(variable) if isinstance(t, (IRI, BlankNode))]
    data = tuple(Triple(subject, predicate, o) for subject in subjects for o in (literal, other))
    return builder.add(places, TriplePattern(variable, predicate, literal), data)


def _base_kinds(builder: QueryBuilder) -> tuple[str, ...]:
    """Kinds of the first object; always several, because a missing draw would count as simpler."""
    plan = builder.plan
    if plan.has("uncertain"):
        return (UNCERTAIN, UNCERTAIN)
    if plan.has("tags", "odd-strings"):
        return (TEXT, TEXT)
    typed = builder.limits.allow("typed-literals")
    if typed and plan.has("numbers", "lexical", "errors"):
        return (NUMBER, NUMBER)
    if plan.has("things"):
        return (THING, THING)
    if plan.has("function-filter", "function-bind"):
        return (TEXT, NUMBER, RESOURCE, TEXT, NUMBER) if typed else (TEXT, RESOURCE)
    if plan.has("prefixes", "odd-names"):
        return (RESOURCE, RESOURCE)
    about_numbers = ("aggregate", "having", "order", "modified")
    if typed and (plan.has("filter", "bind") or plan.head in about_numbers):
        return (RESOURCE, NUMBER, NUMBER, NUMBER)
    if typed:
        return (RESOURCE, TEXT, RESOURCE, NUMBER, TEXT, RESOURCE, NUMBER)
    return (RESOURCE, RESOURCE, RESOURCE, TEXT)


def alternative(builder: QueryBuilder, places: Places) -> TriplePattern:
    """Draw a pattern over the variables of the first pattern, with another predicate."""
    return other_way(builder, places, builder.slots[0].pattern)


def other_way(builder: QueryBuilder, places: Places, triple: TriplePattern) -> TriplePattern:
    """Draw a pattern over the variables of ``triple``, with another predicate.

    Args:
        builder: the query so far.
        places: the windows and graphs in which the pattern is matched.
        triple: the pattern whose variables are used.
    """
    kind = builder.known[triple.object] if isinstance(triple.object, Variable) else RESOURCE
    kind = RESOURCE if kind == NAME else kind
    other = replace(_renewed(builder, triple), predicate=builder.predicate(kind))
    return builder.add(places, other, _about_node(other))


def _renewed(builder: QueryBuilder, triple: TriplePattern) -> TriplePattern:
    """The pattern with a new blank node: a label may occur in one basic graph pattern only."""
    if not isinstance(triple.object, BlankNode):
        return triple
    return replace(triple, object=BlankNode(f"{_NODE.label}{len(builder.slots)}"))


def linked(builder: QueryBuilder, places: Places, *, same: int = 0) -> TriplePattern:
    """Draw a pattern that shares a variable with those before it.

    Args:
        builder: the builder of the query.
        places: where the pattern is matched.
        same: in how many of eight cases it repeats the first pattern at another place.
    """
    subjects = builder.bound(RESOURCE)
    if not subjects and builder.limits.allow("rdf-star"):
        subjects = builder.bound(QUOTED)
    subjects = subjects or [builder.fresh(RESOURCE)]
    links: list[tuple[Variable, str] | None] = [(v, RESOURCE) for v in subjects]
    if builder.limits.allow("typed-literals"):
        links += [(v, kind) for v in subjects[:1] for kind in (NUMBER, TEXT)]
    # A single draw for all options: shrinking takes a case with fewer draws for simpler.
    others = -(-(8 - same) // len(links)) * links
    choice = builder.pick((*others, *(None,) * same))
    if choice is None:
        first = builder.slots[0]
        builder.show_all(first.pattern)
        return builder.add(places, _renewed(builder, first.pattern), first.triples)
    return builder.triple(places, *choice)
