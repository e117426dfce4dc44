"""An instance of a law that is being drawn: the values of its metavariables.

Operands share variables as the law's operators need it, so that both sides have rows: alternatives
of a UNION have the same variables, and operands of AND and OPT share a resource. Conditions and
computed values mention variables that the law's condition allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from rsp_conformance.laws.binding import Binding, MetavariableValue
from rsp_conformance.laws.conditions import mentioned, selectivity
from rsp_conformance.laws.law import Law
from rsp_conformance.laws.schemes import Metavariable, Scheme, SchemeNode
from rsp_conformance.model.algebra import (
    BGP,
    Filter,
    Join,
    LeftJoin,
    Pattern,
    TriplePattern,
    Union,
    Window,
)
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.terms import IRI, XSD_BOOLEAN, Literal
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.walk import within
from rsp_conformance.model.windows import WindowDeclaration
from rsp_conformance.strategies import expressions, vocabulary
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TEXT,
    TRUTH,
    Places,
    QueryBuilder,
)
from rsp_conformance.strategies.triple_patterns import alternative, base, linked

COMPUTED = Variable("c")
"""The variable that BIND assigns; no operand uses its name."""

_CONSTANTS: dict[str, MetavariableValue] = {
    NUMBER: vocabulary.integer(2),
    TEXT: Literal("many"),
    TRUTH: Literal("true", XSD_BOOLEAN),
    RESOURCE: vocabulary.RESOURCES[0],
    NAME: vocabulary.RESOURCES[0],
}
"""The constant with which a computed value is compared, by its kind."""

_SHAPES = (*("",) * 7, "join", "optional", "filter")
"""What is added to the first triple pattern of an operand: mostly nothing."""


@dataclass(slots=True)
class LawDraft:
    """An instance of a law that is being drawn.

    Attributes:
        law: the law.
        builder: the builder of the query.
        windows: the windows of the query.
        broken: whether the law's condition is to be false.
        values: the values of the metavariables so far.
        beside: a pattern over a window, which is joined with a law about background graphs; without
            it no stream would matter.
    """

    law: Law
    builder: QueryBuilder
    windows: Sequence[WindowDeclaration]
    broken: bool
    values: dict[str, MetavariableValue] = field(default_factory=dict)
    beside: Pattern | None = None

    @property
    def binding(self) -> Binding:
        """The values of all metavariables that have been drawn."""
        return Binding(**{m: self.values[m] for m in self.law.metavariables if m in self.values})

    @property
    def apart(self) -> bool:
        """Whether each operand has a place of its own, and the law is around windows."""
        return self.builder.plan.has("static", "window", "again") and Window not in (
            self.law.operators
        )

    def side(self, pattern: Pattern) -> Pattern:
        """Return a side of the law as it is placed in the query."""
        if not (self.apart or self.builder.plan.has("graph", "window-graph")):
            pattern = self._in_window(0, pattern)
        return pattern if self.beside is None else Join(self.beside, pattern)

    def _in_window(self, number: int, pattern: Pattern) -> Pattern:
        window = self.windows[number]
        named = window.named and Window not in self.law.operators
        return Window(window.name, pattern) if named else pattern

    def draw(self) -> None:
        """Draw the values of all metavariables."""
        names = self.law.metavariables
        places: list[Places] = [(window.name,) for window in self.windows]
        if "n" in names:
            places = self._named_places()
        alternatives = _alternatives(self.law.left_side)
        if "t1" in names:
            triples = [base(self.builder, places[0]), self._selective(places[0])]
            second, first = sorted(triples, key=selectivity)
            self.values |= {"t1": first, "t2": second}
        for number, name in enumerate(name for name in names if name.startswith("P")):
            alike = number > 0 and name in alternatives
            self.values[name] = self._placed(number, places, alike)
        if self.builder.plan.has("graph"):
            triple = linked(self.builder, (self.windows[0].name,))
            self.beside = self._in_window(0, BGP((triple,)))
        for name in names:
            if name.startswith("R"):
                self.values[name] = self._condition(name)
        if "C" in names:
            self.values["C"], kind = self._computed()
            self.values["k"] = _CONSTANTS[kind]
            self.values["v"] = variable = self.builder.fresh(kind, COMPUTED.name)
            self.builder.unbound.add(variable)

    def _named_places(self) -> list[Places]:
        """Draw the values of ``n`` and ``m``, and return the places that they name."""
        builder, plan = self.builder, self.builder.plan
        windows: Places = tuple(window.name for window in self.windows)
        if plan.has("graph") and "m" in self.law.metavariables:
            self.values |= {"m": builder.fresh(NAME, "g"), "n": vocabulary.GRAPHS[0]}
            return [vocabulary.GRAPHS, vocabulary.GRAPHS[:1]]
        if "m" in self.law.metavariables:
            self.values["m"] = self.windows[1].name
        if plan.has("graph"):
            if self.broken or builder.pick((False, False, True)):
                self.values["n"] = builder.fresh(NAME, "g")
                return [builder.graphs]
            self.values["n"] = builder.graphs[0]
            return [builder.graphs[:1]]
        if plan.has("window-variable"):
            self.values["n"] = builder.fresh(NAME, "w")
            return [windows]
        self.values["n"] = self.windows[0].name
        if plan.has("named-elements"):
            self.values["n"] = builder.fresh(NAME, "e")
        return [(name,) for name in windows]

    # Operands.

    def _selective(self, places: Places) -> TriplePattern:
        """A second triple pattern, sometimes with a constant."""
        triple = linked(self.builder, places)
        value = triple.object
        constants: dict[str, IRI | Literal]
        constants = {RESOURCE: vocabulary.RESOURCES[0], NUMBER: vocabulary.integer(2)}
        kind = self.builder.kinds.get(value, "") if isinstance(value, Variable) else ""
        if kind not in constants or not self.builder.pick((True, False)):
            return triple
        assert isinstance(value, Variable)
        self.builder.hide(value)  # no pattern binds it
        return replace(triple, object=constants[kind])

    def _placed(self, number: int, places: list[Places], alike: bool) -> Pattern:
        """An operand in its place; if operands are apart, later ones are in other places."""
        if not self.apart:
            return self._operand(places[min(number, len(places) - 1)], number, alike)
        others: list[int | None] = [*range(1, len(self.windows))]
        others += [None] * self.builder.plan.has("static") or [0]
        window = (0, *others, 0)[number]
        if window is None:
            return self._operand((None,), number, alike)
        return self._in_window(window, self._operand(places[window], number, alike))

    def _operand(self, places: Places, number: int, alike: bool) -> Pattern:
        """An operand: a triple pattern, sometimes with a second one, OPTIONAL or FILTER."""
        builder = self.builder
        if number == 0:
            triple = base(builder, places)
        elif alike and builder.pick((True, True, False)):
            triple = alternative(builder, places)
        else:
            triple = linked(builder, places)
        shape = builder.pick(_SHAPES)
        if not builder.limits.allow("single-patterns"):
            shape = "join"
        group = BGP((triple,))
        if shape == "filter" and builder.limits.allow("filter", "inner-filters"):
            own = [Variable(name) for name in in_scope(group)]
            condition = expressions.condition(builder, own)
            return group if condition is None else Filter(condition, group)
        if shape not in ("join", "optional"):
            return group
        second = builder.triple(places, triple.subject, RESOURCE)
        if shape == "join" or not builder.limits.allow(*self._optionals(places)):
            return BGP((triple, second))
        assert isinstance(second.object, Variable)
        builder.unbound.add(second.object)
        return LeftJoin(group, BGP((second,)))

    def _optionals(self, places: Places) -> tuple[str, ...]:
        """The features that an OPTIONAL at ``places`` needs.

        Merged windows and GRAPH ?g read both streams and background data.
        """
        named = [self.values.get(name) for name in "mn"]
        by_variable = self.builder.plan.has("graph") and any(
            isinstance(name, Variable) for name in named
        )
        if by_variable or self.builder.limits.default_windows:
            return ("optional-static", "optional-stream")
        apart = {window.name for window in self.windows}.isdisjoint(places)
        return ("optional-static" if apart else "optional-stream",)

    # Conditions and computed values.

    def _condition(self, name: str) -> Expression:
        if self.broken and isinstance(variable := self.values.get("n"), Variable):
            return Operation("!=", (variable, vocabulary.RESOURCES[0]))
        scope, binding = self._scope(name), self.binding
        conditions = [other for other in self.values if other[0] == "R"]
        earlier = {v for other in conditions for v in mentioned(binding.expression(other))}
        others = [v for v in scope if v.name not in earlier]
        if earlier and others:
            # If one condition is an error, the other should not be.
            scope = self.builder.pick((others, others, scope))
        elif numbers := [v for v in scope if self.builder.kinds[v] == NUMBER]:
            scope = self.builder.pick((numbers, numbers, numbers, scope))
        found = expressions.condition(self.builder, scope)
        if found is None or found in self.values.values():
            # A law about two conditions shows nothing if they are equal.
            found = Operation("!=", (scope[0], vocabulary.RESOURCES[2]))
        return found

    def _computed(self) -> tuple[Expression, str]:
        if self.broken and isinstance(variable := self.values.get("n"), Variable):
            return variable, NAME
        filtered = Filter in self.law.operators
        return expressions.computed(self.builder, self._scope("C"), filtered=filtered)

    def _scope(self, name: str) -> list[Variable]:
        """The variables that a metavariable may mention by the law's condition, or against it.

        Each condition tested here holds for an expression if it holds for each variable in it.
        Conditions on the functions that an expression calls are skipped.
        """
        binding = self.binding
        operands = [m for m in self.values if m.startswith("P")]
        visible = {v for operand in operands for v in in_scope(binding.pattern(operand))}
        unset = [m for m in self.law.metavariables if m not in self.values]
        others = [f"vars({m})" for m in unset if m != name]
        conditions = [
            condition
            for condition in self.law.printed + self.law.missing
            if not any(said in condition.text for said in ("rspu:", *others))
        ]

        def allowed(variable: Variable) -> bool:
            probe = dict.fromkeys(unset, variable) | {"v": COMPUTED} | self.values
            return all(condition.holds(Binding(**probe)) for condition in conditions)

        found = [v for v in self.builder.kinds if v.name in visible]
        wanted = not (self.broken and self.law.conditions != self.law.assumed)
        return [v for v in found if allowed(v) is wanted]


def _alternatives(scheme: Scheme) -> frozenset[str]:
    """The metavariables that are operands of UNION in a scheme."""
    unions = [
        part for part in within(scheme) if isinstance(part, SchemeNode) and part.operator is Union
    ]
    return frozenset(p.name for union in unions for p in union.parts if isinstance(p, Metavariable))
