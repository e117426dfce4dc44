"""Side conditions of laws.

They speak of the variables that a pattern binds certainly (cVars) or possibly (pVars), and of
those that an expression mentions (vars).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from rsp_conformance.laws.binding import Binding, MetavariableValue
from rsp_conformance.model import walk
from rsp_conformance.model.algebra import BGP, Extend, Pattern, TriplePattern
from rsp_conformance.model.expressions import Exists, Expression, Operation, Variable
from rsp_conformance.model.terms import BlankNode
from rsp_conformance.model.uncertainty import is_uncertain
from rsp_conformance.model.variables import certain, in_scope
from rsp_conformance.model.walk import subexpressions, subpatterns

_DIFFER_EACH_TIME = frozenset({"RAND", "UUID", "STRUUID", "BNODE"})


@dataclass(frozen=True, slots=True)
class SideCondition:
    """A condition on what a law's metavariables stand for, in the table's notation."""

    text: str
    holds: Callable[[Binding], bool]


def mentioned(expression: Expression) -> frozenset[str]:
    """vars(R): the variables that EXPRESSION mentions, those of EXISTS included."""
    return frozenset(walk.mentioned(expression))


def _within(binding: Binding, name: str) -> Iterator[Expression]:
    return subexpressions(binding.expression(name))


def _is_one_of(name: MetavariableValue, variables: Collection[str]) -> bool:
    return isinstance(name, Variable) and name.name in variables


def deterministic(name: str) -> SideCondition:
    """What NAME stands for has one value for one solution."""
    return SideCondition(
        f"{name} is deterministic",
        lambda binding: (
            not any(
                isinstance(part, Operation) and part.name in _DIFFER_EACH_TIME
                for part in _within(binding, name)
            )
        ),
    )


def reads_no_graph(name: str) -> SideCondition:
    """What NAME stands for depends on the solution alone: EXISTS reads the active graph."""
    return SideCondition(
        f"{name} has no EXISTS",
        lambda binding: not any(isinstance(part, Exists) for part in _within(binding, name)),
    )


def uncertain(name: str) -> SideCondition:
    """What NAME stands for calls an uncertainty function."""
    return SideCondition(
        f"{name} calls a function of rspu:",
        lambda binding: any(map(is_uncertain, _within(binding, name))),
    )


def only_of(name: str, own: str = "P1", other: str = "P2") -> SideCondition:
    """The operand OWN decides: ∀?u ∈ vars(NAME): ?u ∈ cVars(OWN) ∧ ?u ∉ pVars(OTHER)."""

    def holds(binding: Binding) -> bool:
        known = certain(binding.pattern(own)).difference(in_scope(binding.pattern(other)))
        return mentioned(binding.expression(name)) <= known

    return SideCondition(f"∀?u ∈ vars({name}): ?u ∈ cVars({own}) ∧ ?u ∉ pVars({other})", holds)


def bound_by(pattern: str, name: str) -> SideCondition:
    """``vars(NAME) ⊆ cVars(PATTERN)``; of a join's left operand, the join only confirms it."""
    return SideCondition(
        f"vars({name}) ⊆ cVars({pattern})",
        lambda binding: mentioned(binding.expression(name)) <= certain(binding.pattern(pattern)),
    )


def absent(variable: str, pattern: str) -> SideCondition:
    """``?v ∉ pVars(P2)``."""
    return SideCondition(
        f"?{variable} ∉ pVars({pattern})",
        lambda binding: not _is_one_of(binding[variable], in_scope(binding.pattern(pattern))),
    )


def _name_not_read(binding: Binding) -> bool:
    unsure = mentioned(binding.expression("C")) - certain(binding.pattern("P"))
    return not _is_one_of(binding["n"], unsure)


NAME_NOT_READ = SideCondition("n ∉ vars(C) ∖ cVars(P)", _name_not_read)
"""Inside GRAPH ?g or WINDOW ?w the name is not bound yet, outside it is."""

NAME_NOT_ASSIGNED = SideCondition("n ≠ ?v", lambda binding: binding["n"] != binding["v"])


_BY_SELECTIVITY = ("spo", "so", "po", "sp", "o", "s", "p", "")
"""The positions of a triple pattern that are no variable, the most selective pattern first."""


def selectivity(triple: TriplePattern) -> int:
    """The place of TRIPLE in H1's order; a quoted triple with a variable counts as a variable."""
    parts = zip("spo", (triple.subject, triple.predicate, triple.object), strict=True)
    return _BY_SELECTIVITY.index("".join(position for position, part in parts if not _open(part)))


def _open(part: object) -> bool:
    return any(isinstance(inner, (Variable, BlankNode)) for inner in walk.within(part))


def _less_selective_first(binding: Binding) -> bool:
    first, second = binding["t1"], binding["t2"]
    assert isinstance(first, TriplePattern) and isinstance(second, TriplePattern)
    return selectivity(second) <= selectivity(first)


SELECTIVE_LAST = SideCondition("t2 ≼ t1", _less_selective_first)
"""The second triple pattern is as selective as the first, or more."""

VARIABLE_FIRST = SideCondition(
    "m is a variable and n is none",
    lambda binding: isinstance(binding["m"], Variable) and not isinstance(binding["n"], Variable),
)


def well_formed(pattern: Pattern) -> bool:
    """Whether PATTERN can be written in SPARQL.

    BIND assigns no variable that is in scope before it (SPARQL 1.1, 18.2.1), and no blank node
    label stands in two basic graph patterns (5.1.1), as it would where a law repeats an operand.
    """
    labels: set[str] = set()
    for part in subpatterns(pattern):
        if isinstance(part, Extend) and part.variable.name in in_scope(part.pattern):
            return False
        if isinstance(part, BGP):
            own = {node.label for node in walk.within(part) if isinstance(node, BlankNode)}
            if own & labels:
                return False
            labels |= own
    return True
