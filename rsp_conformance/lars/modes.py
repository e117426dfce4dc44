"""Push and pull: programs that derive atoms only at some instants (LARS, Proposition 1).

The mode adds a trigger to the body of every rule. At an instant at which the trigger holds, the
program has the answer streams of the original program, apart from the trigger; at any other
instant its answer stream is the input.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TypeAlias

from rsp_conformance.lars.program import (
    GREATEST,
    NOW,
    TRUE,
    Arithmetic,
    Atom,
    Comparison,
    Extended,
    Program,
    Rule,
    Signature,
)
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.expressions import Variable

TRIGGER = Atom("trigger")  # holds at the instants of evaluation


@dataclass(frozen=True, slots=True)
class Push:
    """Evaluate when an element arrives."""


@dataclass(frozen=True, slots=True)
class Pull:
    """Evaluate at the multiples of ``period``, in instants."""

    period: int

    def __post_init__(self) -> None:
        if not 1 <= self.period <= GREATEST:
            raise BadInput(f"a program is pulled every 1 to {GREATEST} instants")


Mode: TypeAlias = Push | Pull


def push(program: Program, inputs: Collection[Signature] | None = None) -> Program:
    """Return a program that is evaluated when an atom arrives: ``trigger ← ⊞^NOW p(X)``.

    The paper prints intensional predicates p, which would trigger nothing.

    Args:
        program: the program.
        inputs: the predicates p; None takes all extensional ones.
    """
    arrivals = (
        Extended(Atom(name, tuple(Variable(f"X{i}") for i in range(arity))), window=NOW)
        for name, arity in sorted(program.extensional() if inputs is None else inputs)
    )
    return _triggered(program, tuple(Rule(Extended(TRIGGER), (arrival,)) for arrival in arrivals))


def pull(program: Program, period: int) -> Program:
    """Return a program evaluated every U instants: ``trigger ← ⊞^NOW @T true, T mod U = 0``.

    Args:
        program: the program.
        period: U, in instants.
    """
    now = Variable("T")
    body = (
        Extended(TRUE, "@", now, NOW),
        Comparison(Arithmetic(now, "mod", Pull(period).period), "=", 0),
    )
    return _triggered(program, (Rule(Extended(TRIGGER), body),))


def _triggered(program: Program, triggers: tuple[Rule, ...]) -> Program:
    used = {f.atom.signature for rule in program.rules for f in (rule.head, *rule.formulas())}
    if TRIGGER.signature in used:
        raise BadInput("the program has a trigger of its own")
    rules = tuple(replace(rule, body=(*rule.body, Extended(TRIGGER))) for rule in program.rules)
    return replace(program, rules=(*rules, *triggers))
