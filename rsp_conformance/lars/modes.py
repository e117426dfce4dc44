"""Push and pull: programs that derive something at some instants alone (LARS, Proposition 1).

At an instant at which its trigger holds such a program has the answer streams of the program that
it is made of, but for the trigger; at any other its answer stream is the input.
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

TRIGGER = Atom("trigger")


@dataclass(frozen=True, slots=True)
class Push:
    """Evaluate where something arrives."""


@dataclass(frozen=True, slots=True)
class Pull:
    """Evaluate at the multiples of ``period``."""

    period: int

    def __post_init__(self) -> None:
        if not 1 <= self.period <= GREATEST:
            raise BadInput(f"a program is pulled every 1 to {GREATEST} instants")


Mode: TypeAlias = Push | Pull


def push(program: Program, inputs: Collection[Signature] | None = None) -> Program:
    """PROGRAM evaluated where something arrives: ``trigger ← ⊞^NOW p(X)``.

    The predicates p are INPUTS, or else all extensional ones. The paper prints intensional ones,
    which would trigger nothing.
    """
    arrivals = (
        Extended(Atom(name, tuple(Variable(f"X{i}") for i in range(arity))), window=NOW)
        for name, arity in sorted(program.extensional() if inputs is None else inputs)
    )
    return _triggered(program, tuple(Rule(Extended(TRIGGER), (arrival,)) for arrival in arrivals))


def pull(program: Program, period: int) -> Program:
    """PROGRAM evaluated every U = PERIOD: ``trigger ← ⊞^NOW @T true, T mod U = 0``."""
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
