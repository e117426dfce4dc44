"""Rare mutants of query optimisers: conditions put where they mean something else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

from rsp_conformance.adapters.reference.mutant import QUERY, MutatedRun, mutant
from rsp_conformance.model.algebra import (
    BGP,
    Filter,
    Join,
    LeftJoin,
    Pattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.paths import InversePath, PathElement, SequencePath
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.variables import in_scope
from rsp_conformance.model.walk import rewritten


@mutant(
    QUERY,
    "C-SPARQL: Jena 2.13 puts the value of an equality in the variable's place",
    needs="filter",
    where="a disjunction of equalities with resources, or IN; one of an unbound variable binds it",
)
def disjunction_as_union(query: Query, run: MutatedRun) -> Query:
    """Each equality of a disjunction is joined by itself: what fits two comes twice."""
    return rewritten(query, _united)


def _united(part: Any) -> Any:
    if not isinstance(part, Filter):
        return part
    pattern, others = part.pattern, []
    for condition in flat("&&", part.condition):
        alternatives = list(_alternatives(condition))
        equalities = [a for a in alternatives if _joinable(a, pattern)]
        if len(alternatives) < 2:
            others.append(condition)
            continue
        rest = [a for a in alternatives if a not in equalities]
        branches: list[Pattern] = [_joined(pattern, equality) for equality in equalities]
        if rest:
            branches.append(Filter(reduce(_either, rest), pattern))
        pattern = reduce(Union, branches)
    return reduce(lambda inside, other: Filter(other, inside), others, pattern)


def flat(operator: str, expression: Expression) -> Iterator[Expression]:
    """Yield the operands of a conjunction or a disjunction, however it is nested."""
    if isinstance(expression, Operation) and expression.name == operator:
        for argument in expression.arguments:
            yield from flat(operator, argument)
    else:
        yield expression


def _alternatives(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, Operation) and condition.name == "IN":
        value, *options = condition.arguments
        yield from (Operation("=", (value, option)) for option in options)
    else:
        yield from flat("||", condition)


def _either(left: Expression, right: Expression) -> Expression:
    return Operation("||", (left, right))


def equated(condition: Expression) -> set[str]:
    """Return the variables of an equality of variables and IRIs; nothing of any other condition."""
    if not isinstance(condition, Operation) or condition.name not in ("=", "SAMETERM"):
        return set()
    if not all(isinstance(side, (Variable, IRI)) for side in condition.arguments):
        return set()
    return {side.name for side in condition.arguments if isinstance(side, Variable)}


def _joinable(condition: Expression, pattern: Pattern) -> bool:
    """Return whether a condition fixes a variable of a pattern to a value to substitute."""
    names = equated(condition)
    if len(names) != 1 or condition.arguments[0] == condition.arguments[1]:  # type: ignore[union-attr]
        return False
    (name,) = names
    return name in in_scope(pattern) and _open(pattern, name)


def _open(pattern: Pattern, name: str) -> bool:
    match pattern:
        case BGP(triples):
            return all(_steps(t.predicate) for t in triples)
        case Filter(_, inside) | Window(_, inside):
            return _open(inside, name)
        case Join(left, right) | Union(left, right):
            return _open(left, name) and _open(right, name)
        case LeftJoin(left, right):
            return name in in_scope(left) and _open(left, name) and _open(right, name)
        case _:
            return False


def _steps(path: PathElement | Variable) -> bool:
    match path:
        case SequencePath(left, right):
            return _steps(left) and _steps(right)
        case InversePath(inner):
            return _steps(inner)
        case _:
            return isinstance(path, (IRI, Variable))


def _joined(pattern: Pattern, equality: Expression) -> Pattern:
    assert isinstance(equality, Operation)
    left, right = equality.arguments
    variable, value = (left, right) if isinstance(left, Variable) else (right, left)
    assert isinstance(variable, Variable) and isinstance(value, IRI)
    return Join(pattern, Values((variable,), ((value,),)))
