"""Operators within operators: a small tree of them, drawn from the table ``nesting.toml``.

The other clauses (``patterns``) have places of their own, each once, as in most queries. Here any
operator can be directly within any other, and two of a kind beside each other:
``{ { A } UNION { B OPTIONAL { C } } } MINUS { … }``. First the number of operators is drawn, then
each operator, with the remaining number for its operands. If nothing remains, the operand is a
triple pattern. So shrinking removes operators one by one.

Such patterns tell engines apart if operands share variables, also variables that one operand may
leave unbound. So triple patterns are about few variables. Mostly they share one, the *hub*. Two
cases in three are *loose*: their patterns also share other variables, wherever these are bound.
Above all they share the *open* variable, which single operands bind only in an OPTIONAL, on one
side of a UNION, or as UNDEF.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Exists, Expression, Variable
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import IRI, BlankNode, Triple
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.clauses import inline_data
from rsp_conformance.strategies.expressions import apply
from rsp_conformance.strategies.limits import Limits
from rsp_conformance.strategies.modifiers import subquery
from rsp_conformance.strategies.plan import Plan
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TRUTH,
    Places,
    QueryBuilder,
)
from rsp_conformance.strategies.triple_patterns import path_pattern


@dataclass(frozen=True, slots=True)
class Operator:
    """A row of the table.

    Attributes:
        name: the operator's name.
        operands: how many operands it has.
        needs: the features that an engine must have.
        clause: the clause of a plan that asks for it; empty for none.
        around: whether it is WINDOW or GRAPH around its operand.
        weight: how many times it is among the options.
    """

    name: str
    operands: int = 0
    needs: frozenset[str] = frozenset()
    clause: str = ""
    around: bool = False
    weight: int = 1


OPERATORS = tuple(
    Operator(name, **{**row, "needs": frozenset(row.get("needs", ()))})
    for name, row in read_table(__name__, "nesting.toml").items()
)
"""The operators of the table, the simplest first."""

_SIZES = (1, 2, 3, 4, 3, 4, 5, 6)
"""The numbers of operators."""

_TIGHT = ("new", "new", "number", "chain", "again", "constant", "new", "number")
_LOOSE = (
    *("open", "open", "new", "again", "open", "between", "name"),
    *("chain", "numbers", "name", "open", "open"),
)
"""The shapes of a triple pattern (see ``Nesting._triple``)."""

_TESTS = ("exists-static", "exists-stream", "positive-exists")
"""The features that an EXISTS within an expression needs."""

_LEAVES = ("", "optional", "", "union", "optional", "", "union", "open")
"""What may replace a triple pattern in loose cases (see ``Nesting._leaf``)."""


def operators_of(limits: Limits, plan: Plan) -> tuple[Operator, ...]:
    """Return the operators that limits and plan allow, frequent ones repeatedly."""
    found = [o for o in OPERATORS if limits.allow(*o.needs)]
    if limits.default_windows:
        found = [o for o in found if o.name not in ("window", "window-variable")]
    if not plan.has("graph", "graph-varying"):
        found = [o for o in found if o.clause != "graph"]
    found = [o for o in found for _ in range(o.weight)]
    wanted = [o for o in found if plan.has(o.clause)]
    return (*found, *wanted * -(-len(found) // max(len(wanted), 1)))


_LAST = (*("",) * 10, "path", "open", "values", "select")
"""What may come last in a loose case: a triple pattern about a shared variable, or an operator."""

_NEEDS = {operator.name: operator.needs for operator in OPERATORS}

_DATA = (*("",) * 12, "empty", "no-variable", "empty-two", "nothing")
"""The contents of VALUES: mostly rows of terms; else no variables, or no rows, or neither."""


@dataclass(frozen=True, slots=True)
class _Site:
    """Where a pattern is.

    Attributes:
        places: the places of its triples; empty if a window has to come first.
        around: whether windows and named graphs can be seen.
        tested: whether it is inside EXISTS.
    """

    places: Places
    around: bool
    tested: bool = False


class Nesting:
    """A nested pattern over windows that is being drawn."""

    def __init__(self, builder: QueryBuilder, windows: Sequence[WindowDeclaration]) -> None:
        """Draw whether the pattern is loose."""
        self.builder = builder
        self.windows = windows
        found = operators_of(builder.limits, builder.plan)
        self.operators = {
            True: found,
            False: tuple(o for o in found if not o.around),
        }
        self.loose = builder.pick((False, True, True))
        self.hub: Variable | None = None
        self.open: Variable | None = None

    def draw(self) -> Pattern:
        """Draw the whole pattern; afterwards the builder has its variables in scope."""
        builder = self.builder
        size = builder.pick(_SIZES)
        outside = self._outside()
        if bool(outside.places) or builder.pick((True, False, False)):
            site = self._home(outside)
            pattern = self._wrapped(site, self._followed(self._pattern(size, site), site))
        else:
            pattern = self._followed(self._pattern(size, outside), outside)
        read = {place for slot in builder.slots for place in slot.places}
        unread = [w.name for w in self.windows if w.name not in read]
        if not in_scope(pattern) or (unread and builder.pick((True, True, True, False))):
            first = replace(outside, places=((unread or [self.windows[0].name])[0],))
            pattern = _joined(self._wrapped(first, self._leaf(first)), pattern)
        self._let_test(outside)
        self._settle(pattern)
        return pattern

    def _followed(self, pattern: Pattern, site: _Site) -> Pattern:
        """The pattern; in a loose case sometimes joined with a last one about a shared variable."""
        last = self.builder.pick(_LAST) if self.loose else ""
        if not last or not self.builder.limits.allow(*_NEEDS.get(last, ())):
            return pattern
        if last == "select":
            return _joined(pattern, self._unary(last, self._leaf(site), site))
        if last != "open":
            return _joined(pattern, self._alone(last, site))
        home = site if site.places else self._home(site)
        triple = BGP((self._about(home.places, self._shared()),))
        return _joined(pattern, triple if home is site else self._wrapped(home, triple))

    def _settle(self, pattern: Pattern) -> None:
        """Tell the builder which variables of a pattern are in scope, and which may be unbound."""
        builder, sure = self.builder, certain(pattern)
        builder.kinds = {v: builder.known[v] for v in map(Variable, in_scope(pattern))}
        builder.unbound = {v for v in builder.kinds if v.name not in sure}

    # Places

    def _outside(self) -> _Site:
        """The site around all windows; if windows are merged, their data are here."""
        merged = self.builder.limits.default_windows
        return _Site(tuple(w.name for w in self.windows) if merged else (), around=True)

    def _home(self, site: _Site) -> _Site:
        """A place for triples at a site: a window, or background data if these are planned."""
        builder, plan = self.builder, self.builder.plan
        homes: list[Places] = []
        if site.places:
            homes = [site.places[:1], *((place,) for place in site.places)]
        else:
            homes += [(self.windows[0].name,)] * 2 + [(w.name,) for w in self.windows[1:]] * 2
        if plan.has("static", "varying"):
            homes.append((None,))
        if plan.has("graph", "graph-varying"):
            homes.append(builder.graphs[:1])
        places = builder.pick(homes)
        around = self._wrapper(places) is not Window
        return replace(site, places=places, around=around)

    def _wrapper(self, places: Places) -> type[Window] | type[Graph] | None:
        """The operator that a pattern over ``places`` needs around it."""
        (place,) = places
        if place is None:
            return None
        if place in (w.name for w in self.windows):
            return None if self.builder.limits.default_windows else Window
        return Graph

    def _wrapped(self, site: _Site, pattern: Pattern) -> Pattern:
        """The pattern with WINDOW or GRAPH around it, as its home needs."""
        wrapper = self._wrapper(site.places)
        (place,) = site.places
        if wrapper is Window:
            pattern = self._in_elements(pattern)
        return pattern if wrapper is None or place is None else wrapper(place, pattern)

    def _in_elements(self, pattern: Pattern) -> Pattern:
        """The pattern over a window; if elements are named, in the graphs of all or of one."""
        if not self.builder.plan.has("named-elements"):
            return pattern
        if self.builder.pick((False, False, True)):
            return Graph(vocabulary.name("e1"), pattern)
        return Graph(self._named("e"), pattern)

    def _named(self, local: str) -> Variable:
        """A variable for a window, a graph or an element: in loose cases often the same for all."""
        variable = Variable(local)
        same = self.loose and self.builder.pick((True, False))
        if variable in self.builder.known and not same:
            variable = Variable(f"{local}{len(self.builder.known)}")
        return self.builder.fresh(NAME, variable.name)

    # Operators

    def _pattern(self, size: int, site: _Site) -> Pattern:
        """A pattern of this many operators."""
        if not size:
            return self._leaf(site)
        operator = self.builder.pick(self.operators[site.around])
        if operator.around:
            return self._around(operator.name, size - 1, site)
        if operator.operands == 2:
            # Chains and trees: operators at the left are those that people write side by side.
            left = self.builder.pick((size - 1, 0, (size - 1) // 2)) if size > 1 else 0
            return self._binary(operator.name, left, size - 1 - left, site)
        if operator.operands == 1:
            return self._unary(operator.name, self._pattern(size - 1, site), site)
        return self._alone(operator.name, site)

    def _around(self, name: str, size: int, site: _Site) -> Pattern:
        """WINDOW or GRAPH around a pattern of this many operators."""
        builder = self.builder
        if name.startswith("graph"):
            variable = name == "graph-variable"
            places: Places = builder.graphs if variable else builder.graphs[:1]
            graph = self._named("g") if variable else builder.graphs[0]
            return Graph(graph, self._pattern(size, replace(site, places=places)))
        if name == "window-variable":
            places = tuple(w.name for w in self.windows)
            inside = replace(site, places=places, around=False)
            window: IRI | Variable = self._named("w")
        else:
            window = builder.pick(self.windows).name
            inside = replace(site, places=(window,), around=False)
        return Window(window, self._in_elements(self._pattern(size, inside)))

    def _binary(self, name: str, left_size: int, right_size: int, site: _Site) -> Pattern:
        left = self._pattern(left_size, site)
        if name in ("exists", "not-exists"):
            inner = self._pattern(right_size, replace(site, tested=True))
            return self._where(left, Exists(inner, negated=name == "not-exists"))
        if name == "minus" and not right_size and self.builder.pick((False, False, True)):
            return Minus(left, self._apart(site))
        right = self._pattern(right_size, site)
        match name:
            case "join":
                return _joined(left, right)
            case "optional":
                return LeftJoin(left, right)
            case "condition":
                return LeftJoin(left, right, self._condition(Join(left, right), site))
            case "union":
                return Union(left, right)
            case _:
                return Minus(left, right)

    def _apart(self, site: _Site) -> Pattern:
        """A triple pattern that shares no variable, so that MINUS removes nothing (8.3.3)."""
        home = site if site.places else self._home(site)
        subject = self.builder.fresh(RESOURCE)
        triple = BGP((self.builder.triple(home.places, subject, RESOURCE),))
        return triple if home is site else self._wrapped(home, triple)

    def _where(self, pattern: Pattern, exists: Exists) -> Pattern:
        """The pattern with EXISTS as a FILTER, as a value, or beside another condition."""
        builder = self.builder
        use = builder.pick(("", "", "", "", "bind", "||"))
        if use == "bind" and builder.limits.allow("bind", "positive-exists"):
            return Extend(pattern, self._unassigned(TRUTH, pattern), exists)
        if use == "||" and builder.limits.allow("positive-exists"):
            other = self._condition(pattern)
            return Filter(exists if other is None else apply("||", other, exists), pattern)
        return Filter(exists, pattern)

    def _unary(self, name: str, inner: Pattern, site: _Site) -> Pattern:
        builder = self.builder
        if name == "filter":
            condition = self._condition(inner)
            return inner if condition is None else Filter(condition, inner)
        self._settle(inner)
        if name == "select":
            self._let_test(site)
            query = subquery(builder, inner, self.hub, whole=site.tested)
            self._everything()
            return SubSelect(query)
        value, kind = expressions.computed(builder, self._spoken_of())
        self._everything()
        return Extend(inner, self._unassigned(kind, inner), value)

    def _alone(self, name: str, site: _Site) -> Pattern:
        """An operator without operands."""
        if name == "nothing":
            return BGP()
        outside = not site.places and self.builder.pick((False, True, True))
        if name == "values" and (site.places or outside):
            return self._values()
        if not site.places:
            home = self._home(site)
            return self._wrapped(home, self._alone(name, home))
        if name == "path":
            end = self._open() if self.loose else None
            hub = self._hub()
            if hub == end and not self.builder.limits.allow("repeated-variables"):
                end = None
            return BGP((path_pattern(self.builder, site.places, hub, end),))
        return self._values()

    def _values(self) -> Values:
        """VALUES over variables that occur somewhere in the query."""
        shape = self.builder.pick(_DATA)
        if shape == "empty":
            return Values((self._hub(),), ())
        if shape in ("no-variable", "nothing"):
            return Values((), ((),) if shape == "no-variable" else ())
        if shape == "empty-two":
            return Values((self._hub(), self._open()), ())
        if not self.loose:
            return inline_data(self.builder)
        hub, free = self._hub(), self._shared()
        first, second = vocabulary.RESOURCES[:2]
        value = second
        if self.builder.known[free] == NAME:
            value = self.windows[0].name if free.name.startswith("w") else self.builder.graphs[0]
        rows = ((first, None), (None, value), (second, value))
        return Values((hub, free), rows[: self.builder.pick((1, 2, 3))])

    # Expressions

    def _condition(self, pattern: Pattern, site: _Site | None = None) -> Expression | None:
        """A condition over the variables of a pattern, or EXISTS of a triple pattern at a site.

        Sometimes it mentions variables from elsewhere: inside EXISTS they have the values of the
        tested solution, and anywhere else nothing binds them.
        """
        builder = self.builder
        which = builder.pick(("", "", "", "elsewhere", "exists", ""))
        if which == "exists" and site is not None and builder.limits.allow(*_TESTS):
            return self._tests(site)
        self._settle(pattern)
        if which == "elsewhere":
            builder.unbound |= builder.known.keys() - builder.kinds.keys()
            builder.kinds = dict(builder.known)
        found = expressions.condition(builder, self._spoken_of())
        self._everything()
        return found

    def _spoken_of(self) -> tuple[Variable, ...]:
        """The variables for an expression: in a loose case those that may be unbound, if any."""
        builder = self.builder
        free = [v for v in builder.kinds if v in builder.unbound and builder.kinds[v] == RESOURCE]
        return tuple(free) if free and self.loose else tuple(builder.kinds)

    def _let_test(self, site: _Site) -> None:
        """Let modifiers have an EXISTS at this site in their expressions."""
        if self.builder.limits.allow(*_TESTS):
            self.builder.tests = lambda: self._tests(site)

    def _tests(self, site: _Site) -> Exists:
        """EXISTS of a triple pattern; the variables in scope stay as they are."""
        builder, scope = self.builder, self.builder.kinds
        self._everything()
        pattern = self._leaf(replace(site, tested=True))
        builder.kinds = scope
        return Exists(pattern, negated=builder.pick((False, True)))

    def _unassigned(self, kind: str, pattern: Pattern) -> Variable:
        """A variable of a kind that the pattern does not have in scope, for BIND."""
        scope = set(in_scope(pattern))
        free = [v for v in self.builder.of_kind(kind) if v.name not in scope]
        return free[-1] if free and self.loose else self.builder.fresh(kind)

    def _everything(self) -> None:
        """Put every variable in scope, so that expressions may mention it."""
        self.builder.kinds = dict(self.builder.known)

    # Triple patterns

    def _leaf(self, site: _Site) -> Pattern:
        """A triple pattern; in a loose case also what may leave a shared variable unbound.

        That is a second triple pattern, in an OPTIONAL or on one side of a UNION.
        """
        if not site.places:
            home = self._home(site)
            return self._wrapped(home, self._leaf(home))
        allow, places = self.builder.limits.allow, site.places
        shape = self.builder.pick(_LEAVES) if self.loose else ""
        if shape == "open":
            return BGP((self._about(places, self._shared()),))
        first = BGP((self._triple(places),))
        if not shape or not allow(f"{shape}-static", f"{shape}-stream"):
            return first
        shared = self.builder.pick((False, True))
        second = BGP((self._about(places, self._shared()) if shared else self._triple(places),))
        return LeftJoin(first, second) if shape == "optional" else Union(first, second)

    def _hub(self) -> Variable:
        """The variable that most triple patterns are about."""
        if self.hub is None:
            self.hub = self.builder.fresh(RESOURCE)
        self.builder.show(self.hub)
        return self.hub

    def _open(self) -> Variable:
        """The variable that operands share, and that some may leave unbound."""
        if self.open is None:
            self.open = self.builder.fresh(RESOURCE)
        self.builder.show(self.open)
        return self.open

    def _shared(self) -> Variable:
        """The open variable, or that for the name of a window or graph."""
        names = [v for v, kind in self.builder.known.items() if kind == NAME]
        found = self.builder.pick((None, *names))
        if found is None:
            return self._open()
        self.builder.show(found)
        return found

    def _about(self, places: Places, variable: Variable) -> TriplePattern:
        """A triple pattern about the hub and a shared variable."""
        if self.builder.known[variable] == NAME:
            return self._about_name(places, variable)
        hub, predicate = self._hub(), self._predicate(RESOURCE)
        return self.builder.add(places, TriplePattern(hub, predicate, variable))

    def _triple(self, places: Places) -> TriplePattern:
        """A triple pattern.

        It gives the hub a ``new`` object, a ``number``, the ``open`` variable, a known one
        ``again``, the ``name`` of a window or graph, or a ``constant``; or it leads from another
        variable to a new one (``chain``) or to a known one (``between``). A third of the patterns
        repeat the predicate of an earlier one, so that the same data match.
        """
        builder, hub = self.builder, self._hub()
        shape = builder.pick(_LOOSE if self.loose else _TIGHT)
        if shape == "name" and (names := builder.of_kind(NAME)):
            return self._about_name(places, names[-1])
        others = [v for v in builder.of_kind(RESOURCE) if v != hub]
        kind, subject = RESOURCE, hub
        if shape == "open":
            others = [self._open()]
        elif shape.startswith("number") and builder.limits.allow("typed-literals"):
            kind, others = NUMBER, builder.of_kind(NUMBER) if shape == "numbers" else []
        elif shape in ("chain", "between") and others:
            subject, others = others[0], others[1:] if shape == "between" else []
        again = shape in ("open", "again", "between", "numbers") or len(others) > _FEW
        predicate = self._predicate(kind)
        if shape == "constant":
            return builder.add(places, TriplePattern(hub, predicate, vocabulary.RESOURCES[1]))
        obj = builder.pick(others) if others and again else builder.fresh(kind)
        return builder.add(places, TriplePattern(subject, predicate, obj))

    def _about_name(self, places: Places, name: Variable) -> TriplePattern:
        """A triple pattern whose object is the name of a window or graph."""
        builder, hub = self.builder, self._hub()
        builder.show(name)
        predicate = builder.predicate(RESOURCE)
        named = [*builder.graphs, *(w.name for w in self.windows)]
        subjects = [s for s in builder.domain(hub) if isinstance(s, IRI | BlankNode)]
        data = tuple(Triple(s, predicate, o) for o in named for s in subjects[:1])
        return builder.add(places, TriplePattern(hub, predicate, name), data)

    def _predicate(self, kind: str) -> IRI:
        """A predicate for an object of this kind: a new one, or sometimes a known one."""
        predicate = self.builder.predicate(kind)
        if self.builder.pick((False, False, True)):
            return self._known_predicate(kind) or predicate
        return predicate

    def _known_predicate(self, kind: str) -> IRI | None:
        """The last predicate of a triple pattern whose object is of this kind."""
        for slot in reversed(self.builder.slots):
            obj, predicate = slot.pattern.object, slot.pattern.predicate
            of_kind = isinstance(obj, Variable) and self.builder.known[obj] == kind
            if of_kind and isinstance(predicate, IRI):
                return predicate
        return None


_FEW = 3
"""With more resource variables than these, a pattern reuses one instead of adding another."""


def _joined(left: Pattern, right: Pattern) -> Pattern:
    """The join as a person writes it; a join with the empty pattern is never written."""
    if BGP() in (left, right):
        return right if left == BGP() else left
    if isinstance(left, BGP) and isinstance(right, BGP):
        return BGP((*left.triples, *right.triples))
    return Join(left, right)
