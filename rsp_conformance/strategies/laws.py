"""Instances of laws: operands, conditions and names over a small vocabulary.

Operands share variables as the law's operators need it: alternatives of a UNION speak of the same
variables, operands of AND and OPT of one resource, so that both sides of the law have rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from rsp_conformance.laws.binding import Binding, Value
from rsp_conformance.laws.conditions import mentioned
from rsp_conformance.laws.law import BAGS, SETS, Law
from rsp_conformance.laws.schemes import Metavariable, Node, Scheme
from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    LeftJoin,
    Pattern,
    TriplePattern,
    Union,
    Window,
)
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.features import FEATURES, MissingFeatures
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.terms import IRI, XSD_BOOLEAN, Literal
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.limits import Limits, limits
from rsp_conformance.strategies.plan import Plan
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TEXT,
    TRUTH,
    Places,
    QueryBuilder,
)

WINDOW_VARIABLE = Variable("w")
GRAPH_VARIABLE = Variable("g")
ELEMENT_VARIABLE = Variable("e")
COMPUTED = Variable("c")
"""What BIND assigns: no operand uses its name."""

_FEATURE_OF: dict[type, str] = {
    Filter: "filter",
    Extend: "bind",
    Union: "union",
    LeftJoin: "optional",
}
_NEEDS = {"H4": frozenset({"uncertainty", "typed-literals"}), "Lazy": frozenset({"typed-literals"})}
"""What instances of a law need beyond its operators."""

_CONSTANTS: dict[str, Value] = {
    NUMBER: vocabulary.integer(2),
    TEXT: Literal("many"),
    TRUTH: Literal("true", XSD_BOOLEAN),
    RESOURCE: vocabulary.RESOURCES[0],
    NAME: vocabulary.RESOURCES[0],
}
"""What a computed value is compared with, by its kind."""

BREAKABLE = frozenset("FDecompII FJPush FLPush FWPush BGPush BWPush BJPush BLPush".split())
"""The laws that are false where their condition, or their semantics, is not given."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where the sides of a law stand in a query.

    ``kind`` is ``inside`` a window, ``around`` windows (every operand is a WINDOW or background
    data), ``itself`` (the law speaks of WINDOW), and for GRAPH ``window-graph`` (a window as a
    named graph), ``graph`` (background data) or ``element`` (a stream's named graphs).
    """

    kind: str
    places: tuple[Places, ...]
    """Where each operand is matched, first to last."""

    def operand(self, number: int, pattern: Pattern, *, merged: bool) -> Pattern:
        """Operand NUMBER as the law sees it; MERGED windows are read without WINDOW."""
        (place, *_) = self.places[number]
        if self.kind != "around" or place is None or merged:
            return pattern
        return Window(place, pattern)

    def around(self, side: Pattern, *, merged: bool) -> Pattern:
        """What stands in the query for a side of the law."""
        (place, *_) = self.places[0]
        if merged or self.kind in ("around", "itself", "window-graph", "graph"):
            return side
        assert isinstance(place, IRI)
        return Window(place, side)


def applicable_law(law: Law, features: frozenset[str], profile: Profile | Dials) -> bool | str:
    """True, or the reason why no query for an engine with FEATURES and PROFILE shows LAW."""
    permitted = limits(features, profile)
    needed = [_FEATURE_OF[o] for o in law.operators if o in _FEATURE_OF] + ["select"]
    if BAGS not in law.holds_on:
        needed.append("distinct")
    needed += _NEEDS.get(law.name, ())
    if missing := sorted(set(needed) - permitted.features):
        return MissingFeatures(*missing)
    if not sites(law, permitted):
        if Window in law.operators and permitted.default_windows:
            return "the profile merges every window into the default graph"
        if Window in law.operators:
            return "the engine declares neither multi-window nor same-stream-windows"
        return "the engine declares no feature that lets a query say GRAPH"
    return True


def sites(law: Law, permitted: Limits) -> tuple[Site, ...]:
    """The sites that LAW may have, the simplest first and the frequent repeatedly."""
    first, second = vocabulary.window(1), vocabulary.window(2)
    if permitted.window_names:
        first = permitted.window_names[0]
    merged = permitted.default_windows
    graphs = permitted.allow("named-graphs")
    several = permitted.allow("multi-window") or permitted.allow("same-stream-windows")
    if len(permitted.window_names) > 1:
        second = permitted.window_names[1]
    elif permitted.window_names:
        several = False
    if Window in law.operators:
        if merged or ("m" in law.metavariables and not several):
            return ()
        return (Site("itself", ((first,), (second,))),)
    if Graph in law.operators:
        found = []
        if graphs and not merged:
            found.append(Site("window-graph", ((first,),)))
        if graphs:
            found.append(Site("graph", (vocabulary.GRAPHS,)))
        if permitted.allow("named-elements") and not merged:
            found.append(Site("element", ((first,),)))
        return tuple(found)
    inside = Site("inside", ((first,),) * 3)
    if merged:
        return (inside,)
    other: Places = (None,) if permitted.allow("static-data") else (first,)
    around = Site("around", ((first,), other, (first,)))
    if several:
        both = Site("around", ((first,), (second,), other))
        return (inside, inside, around, both, both)
    return (inside, inside, around)


@dataclass(slots=True)
class Draft:
    """An instance of a law that is being drawn.

    ``broken`` asks for one that does not satisfy the law's condition.
    """

    draw: st.DrawFn
    law: Law
    builder: QueryBuilder
    site: Site
    broken: bool = False
    values: dict[str, Value] = field(default_factory=dict)

    def binding(self) -> Binding:
        """Draw what every metavariable stands for."""
        merged = self.builder.limits.default_windows
        alternatives = _alternatives(self.law.left_side)
        names = [name for name in self.law.metavariables if name.startswith("P")]
        if "n" in self.law.metavariables:
            self.values["n"] = self._name()
        if "m" in self.law.metavariables:
            (other, *_) = self.site.places[1]
            assert isinstance(other, IRI)
            self.values["m"] = other
        if "t1" in self.law.metavariables:
            first, second = self._triples(self.site.places[0])
            self.values |= {"t1": first, "t2": second}
        for number, name in enumerate(names):
            like = number > 0 and name in alternatives
            operand = self._operand(self.site.places[number], first=number == 0, like=like)
            self.values[name] = self.site.operand(number, operand, merged=merged)
        for name in self.law.metavariables:
            if name.startswith("R"):
                self.values[name] = self._condition(name)
        if "C" in self.law.metavariables:
            self.values["C"], kind = self._computed()
            self.values["k"] = _CONSTANTS[kind]
            self.values["v"] = variable = self.builder.fresh(kind, COMPUTED.name)
            self.builder.unbound.add(variable)
        return Binding(**{name: self.values[name] for name in self.law.metavariables})

    def pattern(self, name: str) -> Pattern:
        """The operand NAME, drawn already."""
        return Binding(**self.values).pattern(name)

    # Names of windows and graphs.

    def _name(self) -> IRI | Variable:
        allow = self.builder.limits.allow
        (place, *_) = self.site.places[0]
        variable: Variable | None = None
        match self.site.kind:
            case "itself" if allow("window-variable") and "m" not in self.law.metavariables:
                variable = WINDOW_VARIABLE
            case "graph":
                variable = GRAPH_VARIABLE
            case "element":
                variable = ELEMENT_VARIABLE
        assert isinstance(place, IRI)
        if variable is None:
            return place
        if self.broken or self.site.kind == "element" or pick(self.draw, (False, False, True)):
            return self.builder.fresh(NAME, variable.name)
        return place

    # Operands.

    def _triples(self, places: Places) -> tuple[TriplePattern, TriplePattern]:
        builder = self.builder
        first = builder.triple(places, builder.fresh(RESOURCE), RESOURCE)
        kinds = (RESOURCE, NUMBER) if builder.limits.allow("typed-literals") else (RESOURCE,)
        subject = pick(self.draw, builder.of_kind(RESOURCE))
        return first, builder.triple(places, subject, pick(self.draw, kinds))

    def _operand(self, places: Places, *, first: bool, like: bool) -> Pattern:
        builder, draw = self.builder, self.draw
        typed = builder.limits.allow("typed-literals")
        if first:
            kinds: tuple[str, ...] = (RESOURCE,)
            # For FILTER and BIND numbers tell more.
            if typed and self.law.operators & {Filter, Extend}:
                kinds = (NUMBER,) if self.law.name in _NEEDS else (RESOURCE, *(NUMBER,) * 7)
            triple = builder.triple(places, builder.fresh(RESOURCE), pick(draw, kinds))
        elif like and pick(draw, (True, True, False)):
            base = builder.slots[0].pattern
            assert isinstance(base.object, Variable)
            other = builder.predicate(builder.kinds[base.object])
            triple = builder.add(places, TriplePattern(base.subject, other, base.object))
        else:
            subjects = [v for v in builder.of_kind(RESOURCE) if v not in builder.unbound]
            kinds = (RESOURCE, NUMBER) if typed else (RESOURCE,)
            triple = builder.triple(places, pick(draw, subjects[:2]), pick(draw, kinds))
        return self._shaped(places, triple)

    def _shaped(self, places: Places, triple: TriplePattern) -> Pattern:
        """TRIPLE alone, or mostly alone: an operand may be any pattern."""
        builder, draw = self.builder, self.draw
        shapes = ["", "", "", "", "", "", "", "pair"]
        shapes += [s for s in ("optional", "filter") if builder.limits.allow(s)]
        shape = pick(draw, shapes)
        if shape == "filter":
            own = [Variable(name) for name in in_scope(BGP((triple,)))]
            condition = expressions.condition(builder, own)
            return BGP((triple,)) if condition is None else Filter(condition, BGP((triple,)))
        if shape == "":
            return BGP((triple,))
        second = builder.triple(places, triple.subject, RESOURCE)
        if shape == "pair":
            return BGP((triple, second))
        assert isinstance(second.object, Variable)
        builder.unbound.add(second.object)
        return LeftJoin(BGP((triple,)), BGP((second,)))

    # Conditions and expressions.

    def _condition(self, name: str) -> Expression:
        scope = self._scope(name)
        if self.law.name == "H4":
            # A distribution with 1 and 2 on one side and 3 beyond it.
            number = next(v for v in scope if self.builder.kinds[v] == NUMBER)
            asked = 'rspu:greaterThan("N(2.5,1)"^^rspu:distribution, ?n) > 0.5'
            return expressions.written(asked, n=number)
        if self.broken and "n" in self.values:
            window = self.values["n"]
            assert isinstance(window, Variable)
            return Operation("!=", (window, vocabulary.RESOURCES[0]))
        drawn = Binding(**self.values)
        conditions = [other for other in self.values if other[0] == "R"]
        earlier = {v for other in conditions for v in mentioned(drawn.expression(other))}
        others = [v for v in scope if v.name not in earlier]
        if earlier and others:
            # Where one condition is an error the other should not be.
            scope = pick(self.draw, (others, others, scope))
        elif numbers := [v for v in scope if self.builder.kinds[v] == NUMBER]:
            scope = pick(self.draw, (numbers, numbers, numbers, scope))
        found = expressions.condition(self.builder, scope)
        if found in self.values.values():
            # A law about two conditions tells nothing where they are one.
            found = Operation("!=", (scope[0], vocabulary.RESOURCES[2]))
        assert found is not None, "a resource or a number is always in scope"
        return found

    def _computed(self) -> tuple[Expression, str]:
        if self.broken and "n" in self.values:
            name = self.values["n"]
            assert isinstance(name, Variable)
            return name, NAME
        return expressions.computed(self.builder, self._scope("C"))

    def _scope(self, name: str) -> list[Variable]:
        """The variables that NAME may mention by the law's condition, or against it.

        Every condition holds of an expression if it holds of each of its variables.
        """
        operands = [name for name in self.values if name.startswith("P")]
        visible = {v for operand in operands for v in in_scope(self.pattern(operand))}
        unset = [m for m in self.law.metavariables if m not in self.values]

        def allowed(variable: Variable) -> bool:
            probe = dict.fromkeys(unset, variable) | {"v": COMPUTED}
            binding = Binding(**(probe | self.values))
            conditions = self.law.printed + self.law.missing
            return all(condition.holds(binding) for condition in conditions)

        found = [v for v in self.builder.kinds if v.name in visible]
        if self.law.name == "H4":
            always = certain(self.pattern("P1"))
            return [v for v in found if v.name in always]
        wanted = not (self.broken and self.law.conditions != self.law.assumed)
        return [v for v in found if allowed(v) is wanted]


def _alternatives(scheme: Scheme) -> frozenset[str]:
    """The metavariables that are operands of UNION."""
    if isinstance(scheme, (Metavariable, str)):
        return frozenset()
    parts = scheme.parts if isinstance(scheme, Node) else scheme
    own: frozenset[str] = frozenset()
    if isinstance(scheme, Node) and scheme.operator is Union:
        own = frozenset(part.name for part in parts if isinstance(part, Metavariable))
    return own.union(*(_alternatives(part) for part in parts))


def plan_for(law: Law, **traits: object) -> Plan:
    """A plan whose numbers and conditions suit LAW."""
    clauses = {_FEATURE_OF[o] for o in law.operators & {Filter, Extend}}
    return Plan(clauses=frozenset(clauses), **traits)  # type: ignore[arg-type]


def law_instances(
    law: Law,
    features: Iterable[str] = frozenset(FEATURES),
    profile: Profile | Dials | None = None,
    *,
    satisfied: bool = True,
) -> st.SearchStrategy[Binding]:
    """Bindings for LAW within FEATURES that satisfy its side condition.

    With SATISFIED false they break it, as far as a query can be written: a condition reads the
    other operand, BIND reads the name of the graph or window. ValueError where LAW has nothing to
    be broken, or cannot be expressed.
    """
    permitted = limits(features, profile or Dials())
    reason = applicable_law(law, permitted.features, profile or Dials())
    if reason is not True:
        raise ValueError(f"{law.name}: {reason}")
    if not satisfied and law.name not in BREAKABLE:
        raise ValueError(f"{law.name} has no condition to be broken")
    return _instances(law, permitted, satisfied)


@st.composite
def _instances(draw: st.DrawFn, law: Law, permitted: Limits, satisfied: bool) -> Binding:
    return draw_instance(draw, law, permitted, plan_for(law), broken=not satisfied)[0]


def draw_instance(
    draw: st.DrawFn, law: Law, permitted: Limits, plan: Plan, *, broken: bool = False
) -> tuple[Binding, QueryBuilder, Site]:
    """A binding, the builder that tells which data it is about, and where the law stands."""
    options: Sequence[Site] = sites(law, permitted)
    if broken:
        # Only a variable can be read where it is not bound yet.
        options = [s for s in options if s.kind != "window-graph"]
    builder = QueryBuilder(draw, plan, permitted)
    site = pick(draw, options)
    binding = Draft(draw, law, builder, site, broken).binding()
    semantics = BAGS if BAGS in law.holds_on else SETS
    assert broken or law.holds_for(binding, semantics), (law.name, binding)
    return binding, builder, site
