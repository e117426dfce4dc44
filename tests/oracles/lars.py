"""LARS by its definition, for small programs: every interpretation stream, and every smaller one.

An independent reading of the definitions: rules are grounded over all constants, extended atoms
are evaluated as they are defined, and the minimal models of the reduct are found by trying all.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, product
from typing import Any

from rsp_conformance.lars import program as lars
from rsp_conformance.lars.program import Atom, Comparison, Condition, Extended, Not, Program, Rule
from rsp_conformance.lars.streams import Stream
from rsp_conformance.model.expressions import Variable
from rsp_conformance.spec.expressions import Expressions
from rsp_conformance.spec.solutions import Solution

Timed = tuple[int, Atom]
Interpretation = frozenset[Timed]
SPARQL = Expressions(None, lambda *_: False)
MOST = 8
"""The atoms that heads may speak of: all sets of them are tried."""


def answer_streams(program: Program, stream: Stream, t: int) -> list[Interpretation] | None:
    """What is derived in each answer stream of PROGRAM for STREAM at T; None if it has too many."""
    universe = constants(program, stream)
    rules = [ground for rule in program.rules for ground in grounded(rule, universe)]
    # What no head says can be taken from a model, so that no minimal one has it.
    heads = {(t if r.head.time is None else r.head.time, r.head.atom) for r in rules}
    candidates = [(u, a) for u, a in heads if u in range(stream.first, stream.last + 1)]
    if len(candidates) > MOST:
        return None
    found = []
    for derived in subsets(candidates):
        whole = stream.atoms | derived
        reduct = [r for r in rules if all(true(b, program, stream, whole, t) for b in r.body)]
        if not is_model(reduct, program, stream, whole, t):
            continue
        smaller = (frozenset(s) for s in subsets(derived) if len(s) < len(derived))
        if not any(is_model(reduct, program, stream, stream.atoms | s, t) for s in smaller):
            found.append(frozenset(derived))
    return found


def subsets(members: Any) -> Iterator[Interpretation]:
    listed = list(members)
    sizes = (combinations(listed, size) for size in range(len(listed) + 1))
    return map(frozenset, chain.from_iterable(sizes))


def is_model(
    rules: list[Rule], program: Program, stream: Stream, whole: Interpretation, t: int
) -> bool:
    """Whether every rule whose body holds in WHOLE at T has a head that does."""
    return all(
        true(rule.head, program, stream, whole, t)
        for rule in rules
        if all(true(part, program, stream, whole, t) for part in rule.body)
    )


def true(part: Any, program: Program, stream: Stream, whole: Interpretation, t: int) -> bool:
    """Whether a ground PART of a rule holds in the interpretation stream WHOLE at T."""
    match part:
        case Not(formula):
            return not true(formula, program, stream, whole, t)
        case Comparison(left, comparator, right):
            return compared(number(left), comparator, number(right))
    assert isinstance(part, Extended)
    timeline, held = window(part.window, stream, whole, t)

    def at(u: int) -> bool:
        if u not in timeline:
            return False
        everywhere = part.atom in program.background or part.atom == lars.TRUE
        return everywhere or (u, part.atom) in held

    if part.modality == "◇":
        return any(map(at, timeline))
    if part.modality == "□":
        return bool(timeline) and all(map(at, timeline))
    return at(t if part.modality == "" else part.time)  # type: ignore[arg-type]


def window(
    function: Any, stream: Stream, whole: Interpretation, t: int
) -> tuple[range, Interpretation]:
    """The timeline and the atoms that FUNCTION lets through of WHOLE at T."""
    whole_line = range(stream.first, stream.last + 1)
    if function is None:
        return whole_line, whole
    if isinstance(function, lars.TimeWindow):
        until = (t // function.slide) * function.slide
        since = stream.first if function.length is None else until - function.length
        line = range(max(since, stream.first), min(until, stream.last) + 1)
        return line, frozenset((u, a) for u, a in whole if u in line)
    counted = [
        (u, a) for u, a in stream.atoms if u <= t and function.predicate in (None, a.predicate)
    ]
    kept = sorted(counted, key=lambda pair: (pair[0], repr(pair[1])))[-function.count :]
    since = kept[0][0] if len(kept) == function.count else stream.first
    line = range(since, t + 1)
    gone = set(counted) - set(kept)
    return line, frozenset((u, a) for u, a in whole if u in line and (u, a) not in gone)


def number(term: Any) -> Any:
    """The value of a ground term or sum; None where there is none."""
    if not isinstance(term, lars.Arithmetic):
        return term
    left, right = term.left, term.right
    if not isinstance(left, int) or not isinstance(right, int):
        return None
    if term.operator == "mod":
        return None if right == 0 else left % right
    return left + right if term.operator == "+" else left - right


def compared(left: Any, comparator: str, right: Any) -> bool:
    if left is None or right is None:
        return False
    if comparator in ("=", "!="):
        return (left == right) is (comparator == "=")
    if not isinstance(left, int) or not isinstance(right, int):
        return False
    return {
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[comparator]


def constants(program: Program, stream: Stream) -> list[Any]:
    """Everything that a variable may stand for."""
    found: dict[Any, None] = dict.fromkeys(range(stream.first, stream.last + 1))
    atoms = [atom for _, atom in stream.atoms] + list(program.background)
    for rule in program.rules:
        atoms += [formula.atom for formula in (rule.head, *rule.formulas())]
    found.update(dict.fromkeys(term for atom in atoms for term in atom.arguments))
    return [term for term in found if not isinstance(term, Variable)]


def grounded(rule: Rule, universe: list[Any]) -> Iterator[Rule]:
    """The ground rules of RULE whose conditions hold, which no interpretation changes."""
    names = sorted(rule.bound())
    conditions = [part for part in rule.body if isinstance(part, Condition)]
    for values in product(universe, repeat=len(names)):
        row = dict(zip(names, values, strict=True))
        if all(holds(condition, row) for condition in conditions):
            made = [replaced(part, row) for part in rule.body if part not in conditions]
            yield Rule(replaced(rule.head, row), tuple(made))


def holds(condition: Condition, row: dict[str, Any]) -> bool:
    """What the specification says of CONDITION, under the RDF terms of ROW."""
    terms = Solution((n, t) for n, t in row.items() if not isinstance(t, int | lars.Symbol))
    return SPARQL.truth(condition.expression, terms) is condition.truth


def replaced(part: Any, row: dict[str, Any]) -> Any:
    def term(found: Any) -> Any:
        return row.get(found.name, found) if isinstance(found, Variable) else found

    match part:
        case Extended(atom, modality, time, function):
            ground = Atom(atom.predicate, tuple(map(term, atom.arguments)))
            return Extended(ground, modality, term(time), function)
        case Not(formula):
            return Not(replaced(formula, row))
        case Comparison(left, comparator, right):
            return Comparison(replaced(left, row), comparator, replaced(right, row))
        case lars.Arithmetic(left, operator, right):
            return lars.Arithmetic(term(left), operator, term(right))
    return term(part)
