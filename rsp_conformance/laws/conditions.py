"""Side conditions of laws.

They are stated over the variables that a pattern certainly binds (cVars), the variables that it
possibly binds (pVars), and the variables that an expression mentions (vars).
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

# Functions with another value for each call.
_DIFFER_EACH_TIME = frozenset({"RAND", "UUID", "STRUUID", "BNODE"})


@dataclass(frozen=True, slots=True)
class SideCondition:
    """A condition on the values of a law's metavariables.

    Attributes:
        text: the condition in the table's notation.
        holds: whether a binding satisfies it.
    """

    text: str
    holds: Callable[[Binding], bool]


def mentioned(expression: Expression) -> frozenset[str]:
    """Return vars(R): the variables that an expression mentions, also within EXISTS."""
    return frozenset(walk.mentioned(expression))


def _within(binding: Binding, name: str) -> Iterator[Expression]:
    return subexpressions(binding.expression(name))


def _is_one_of(name: MetavariableValue, variables: Collection[str]) -> bool:
    return isinstance(name, Variable) and name.name in variables


def deterministic(name: str) -> SideCondition:
    """Require that the expression ``name`` has one value per solution (no RAND, UUID …)."""
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
    """Require that the expression ``name`` depends on the solution alone.

    EXISTS is excluded because it reads the active graph.
    """
    return SideCondition(
        f"{name} has no EXISTS",
        lambda binding: not any(isinstance(part, Exists) for part in _within(binding, name)),
    )


def uncertain(name: str) -> SideCondition:
    """Require that the expression ``name`` calls an uncertainty function."""
    return SideCondition(
        f"{name} calls a function of rspu:",
        lambda binding: any(map(is_uncertain, _within(binding, name))),
    )


def only_of(name: str, own: str = "P1", other: str = "P2") -> SideCondition:
    """Require that one operand alone decides the value of the expression ``name``.

    In the table's notation: ∀?u ∈ vars(name): ?u ∈ cVars(own) ∧ ?u ∉ pVars(other).

    Args:
        name: the metavariable of the expression.
        own: the operand that decides.
        other: the operand that must have no say.
    """

    def holds(binding: Binding) -> bool:
        known = certain(binding.pattern(own)).difference(in_scope(binding.pattern(other)))
        return mentioned(binding.expression(name)) <= known

    return SideCondition(f"∀?u ∈ vars({name}): ?u ∈ cVars({own}) ∧ ?u ∉ pVars({other})", holds)


def bound_by(pattern: str, name: str) -> SideCondition:
    """Require vars(``name``) ⊆ cVars(``pattern``).

    If the pattern is the left operand of a join, the join can only confirm the variables' values.
    """
    return SideCondition(
        f"vars({name}) ⊆ cVars({pattern})",
        lambda binding: mentioned(binding.expression(name)) <= certain(binding.pattern(pattern)),
    )


def absent(variable: str, pattern: str) -> SideCondition:
    """Require ?v ∉ pVars(P) for the variable ``variable`` and the operand ``pattern``."""
    return SideCondition(
        f"?{variable} ∉ pVars({pattern})",
        lambda binding: not _is_one_of(binding[variable], in_scope(binding.pattern(pattern))),
    )


def _name_not_read(binding: Binding) -> bool:
    unsure = mentioned(binding.expression("C")) - certain(binding.pattern("P"))
    return not _is_one_of(binding["n"], unsure)


NAME_NOT_READ = SideCondition("n ∉ vars(C) ∖ cVars(P)", _name_not_read)
"""C does not read the name: inside GRAPH ?g or WINDOW ?w it is unbound, outside it is bound."""

NAME_NOT_ASSIGNED = SideCondition("n ≠ ?v", lambda binding: binding["n"] != binding["v"])
"""BIND does not assign the variable of GRAPH or WINDOW."""


_BY_SELECTIVITY = ("spo", "so", "po", "sp", "o", "s", "p", "")
"""The positions of a triple pattern that are constants, the most selective pattern first."""


def selectivity(triple: TriplePattern) -> int:
    """Return the rank of a triple pattern in H1's order; 0 is the most selective.

    A quoted triple that contains a variable or a blank node counts as a variable.
    """
    parts = zip("spo", (triple.subject, triple.predicate, triple.object), strict=True)
    return _BY_SELECTIVITY.index("".join(position for position, part in parts if not _open(part)))


def _open(part: object) -> bool:
    return any(isinstance(inner, (Variable, BlankNode)) for inner in walk.within(part))


def _less_selective_first(binding: Binding) -> bool:
    first, second = binding["t1"], binding["t2"]
    assert isinstance(first, TriplePattern) and isinstance(second, TriplePattern)
    return selectivity(second) <= selectivity(first)


SELECTIVE_LAST = SideCondition("t2 ≼ t1", _less_selective_first)
"""The second triple pattern is at least as selective as the first."""

VARIABLE_FIRST = SideCondition(
    "m is a variable and n is not",
    lambda binding: isinstance(binding["m"], Variable) and not isinstance(binding["n"], Variable),
)
"""The graph pattern with a variable comes before the graph pattern with a name (H2)."""


def well_formed(pattern: Pattern) -> bool:
    """Return whether a pattern can be written in SPARQL.

    BIND must not assign a variable that is in scope before it (SPARQL 1.1, 18.2.1), and a blank
    node label must not occur in two basic graph patterns (5.1.1), which happens if a law repeats an
    operand.
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
