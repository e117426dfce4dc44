"""Triple patterns, plain ones, with property paths and with quoted triples.

The data of paths lead across elements in short ways. Quoted triples are annotated statements,
their parts, and statements about statements (RSP-QL*); an annotation asserts nothing: the streams
hold annotations without their statement, and statements without an annotation.
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

# The simplest is what a single element answers.
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
    """A path between two variables, one and a constant, or one and itself; or from SUBJECT.

    If it ends at a variable, that is LAST, or else a new one.

    Under an order, only paths between resources: others may come to any term of the data.
    """
    options = _BETWEEN_RESOURCES
    if not builder.plan.ordered:
        options += _BETWEEN_TERMS
        if builder.plan.clauses == {"paths"}:
            # How often a negated set counts two nodes with several properties is open; here are
            # two.
            options += ("!{p}", "!^{p}", "!{p}", "!^{p}", "!({p}|{q}|^{p})", "!()")
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
    # Two nodes both ways, so that two triples are a circle; then ways of several lengths.
    data = (
        *(Triple(a, first, b), Triple(b, second, a), Triple(b, first, c), Triple(a, second, c)),
        *(Triple(a, first, c), Triple(c, second, a), Triple(b, second, c), Triple(c, first, d)),
    )
    return builder.add(places, TriplePattern(start, path, end), tuple(dict.fromkeys(data)))


def _second(builder: QueryBuilder) -> IRI:
    """The resources' predicate after the first that no pattern has."""
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
    """Patterns at PLACES about quoted triples, where the engine takes them and the plan wants."""
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


def with_quoted_data(builder: QueryBuilder, pattern: Pattern) -> Pattern:
    """PATTERN, at times with VALUES for what it binds to quoted triples: also others and nested."""
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
    """PATTERN with a BIND that makes a quoted triple, or takes one apart."""
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
    """What a quoted triple may have as its subject.

    Blank nodes are left out: which graphs they belong to is a question of its own. Where quoted
    triples are objects only, so is what a pattern finds as an object.
    """
    if builder.plan.has("blank-nodes"):
        return []
    found = builder.bound(RESOURCE)
    if builder.limits.allow("rdf-star"):
        return found
    objects = {part.object for slot in builder.slots for part in quotes(slot.pattern)}
    return [variable for variable in found if variable not in objects]


# The patterns of most queries


def base(builder: QueryBuilder, places: Places) -> TriplePattern:
    """The first triple pattern, over two variables, one variable twice, or one and a constant."""
    # Drawn in any case: shrinking takes fewer draws for simpler.
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
    """A pattern with one variable as subject and object, over data of which half has one term."""
    variable, predicate = builder.fresh(RESOURCE), builder.predicate(RESOURCE)
    first, *others = builder.domain(variable)
    pairs = [(first, first), *((first, o) for o in others), *((o, o) for o in others)]
    data = tuple(Triple(s, predicate, o) for s, o in pairs if isinstance(s, (IRI, BlankNode)))
    return builder.add(places, TriplePattern(variable, predicate, variable), data)


def _any_predicate(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with a variable as its predicate, at times with one that stands elsewhere, too."""
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
"""A variable that no solution shows."""


def _with_node(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with a blank node, which stands for any term, as its object, or as its subject."""
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
"""What else is said of a blank node: nothing, a property, that it is a list of one or of two.
With ``nil`` the empty list is in its place."""


def with_node(builder: QueryBuilder, places: Places, pattern: TriplePattern) -> BGP:
    """PATTERN, the first one, with what is said of its blank node besides.

    The data have IRIs for these nodes. ``( ?y ) :p ?x`` says first what the list is.
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
    """PATTERN, the last that was added, with the empty list in the place of its blank node."""
    builder.slots.pop()
    end = "subject" if pattern.subject == _NODE else "object"
    return BGP((builder.add(places, replace(pattern, **{end: RDF_NIL})),))


def _list(builder: QueryBuilder, places: Places, pattern: TriplePattern, length: int) -> BGP:
    """PATTERN, the last that was added, where its blank node is a list of LENGTH.

    The triples come in the order in which ``( … )`` is read. In the data :c is the last node of all
    lists, and :b, if there are two, the first, so that few triples make a list.
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
    """The data for a PATTERN that has a blank node: its instances would hold that node."""
    predicate = pattern.predicate
    if not isinstance(predicate, IRI):
        return None
    if BlankNode not in (type(pattern.subject), type(pattern.object)):
        return None
    terms = vocabulary.RESOURCES[:3]
    return tuple(Triple(s, predicate, o) for s in terms for o in terms if s != o)


def _with_literal(builder: QueryBuilder, places: Places) -> TriplePattern:
    """A pattern with a literal as its object, over data of which half has another one like it."""
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
    """Kinds of the first object; never one alone, because a missing draw would count as simpler."""
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
    """A pattern at PLACES over what the first one speaks of, by another predicate."""
    return other_way(builder, places, builder.slots[0].pattern)


def other_way(builder: QueryBuilder, places: Places, triple: TriplePattern) -> TriplePattern:
    """A pattern at PLACES over what TRIPLE speaks of, by another predicate."""
    kind = builder.known[triple.object] if isinstance(triple.object, Variable) else RESOURCE
    kind = RESOURCE if kind == NAME else kind
    other = replace(_renewed(builder, triple), predicate=builder.predicate(kind))
    return builder.add(places, other, _about_node(other))


def _renewed(builder: QueryBuilder, triple: TriplePattern) -> TriplePattern:
    """TRIPLE with a blank node of its own: one label stands in one basic graph pattern only."""
    if not isinstance(triple.object, BlankNode):
        return triple
    return replace(triple, object=BlankNode(f"{_NODE.label}{len(builder.slots)}"))


def linked(builder: QueryBuilder, places: Places, *, same: int = 0) -> TriplePattern:
    """A pattern at PLACES that shares a variable with those before it.

    SAME of eight times it is the first pattern over again, at another place.
    """
    subjects = builder.bound(RESOURCE)
    if not subjects and builder.limits.allow("rdf-star"):
        subjects = builder.bound(QUOTED)
    subjects = subjects or [builder.fresh(RESOURCE)]
    links: list[tuple[Variable, str] | None] = [(v, RESOURCE) for v in subjects]
    if builder.limits.allow("typed-literals"):
        links += [(v, kind) for v in subjects[:1] for kind in (NUMBER, TEXT)]
    # One draw whatever comes of it: shrinking takes fewer draws for simpler.
    others = -(-(8 - same) // len(links)) * links
    choice = builder.pick((*others, *(None,) * same))
    if choice is None:
        first = builder.slots[0]
        builder.show_all(first.pattern)
        return builder.add(places, _renewed(builder, first.pattern), first.triples)
    return builder.triple(places, *choice)
