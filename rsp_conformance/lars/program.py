"""LARS programs as values: terms, atoms, windows, extended atoms, rules (LARS; SEMANTICS 10)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import Term as RdfTerm
from rsp_conformance.model.walk import mentioned

GREATEST: Final = 1_000_000_000
"""Integers and instants are between -GREATEST and GREATEST, because clingo counts in 32 bits."""


_NAME = re.compile(r"(?!(?:not|mod|background)\b)[a-z][A-Za-z0-9_]*")


def check_name(name: str) -> None:
    """Check that `name` can be the name of a predicate or of a constant.

    Raises:
        BadInput: it cannot.
    """
    if not _NAME.fullmatch(name):
        raise BadInput(f"{name!r:.80} names no predicate and no constant of a LARS program")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A constant that is not an RDF term, such as ``null`` or ``default``."""

    name: str

    def __post_init__(self) -> None:
        check_name(self.name)


Constant: TypeAlias = "int | Symbol | RdfTerm"
Term: TypeAlias = "Constant | Variable"


@dataclass(frozen=True, slots=True)
class Atom:
    """``p(t1, …, tn)``."""

    predicate: str
    arguments: tuple[Term, ...] = ()

    @property
    def signature(self) -> Signature:
        """The predicate and its number of arguments; both together identify a predicate."""
        return self.predicate, len(self.arguments)

    def is_ground(self) -> bool:
        """Return whether no argument is a variable."""
        return not any(isinstance(term, Variable) for term in self.arguments)


Signature: TypeAlias = tuple[str, int]
TRUE: Final = Atom("true")
"""The atom that holds at every instant of a timeline."""


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """⊞^{L,0,D}: from L before the last multiple of D up to that multiple; ⊞^L if D is 1.

    Attributes:
        length: L, in instants; None is ⊞^∞, everything up to now, and 0 is NOW.
        slide: D, in instants.
    """

    length: int | None
    slide: int = 1

    def __post_init__(self) -> None:
        if self.slide < 1 or (self.length is not None and self.length < 0):
            raise BadInput("a window's length is 0 or more, and its slide 1 or more")


@dataclass(frozen=True, slots=True)
class TupleWindow:
    """⊞^{#N}: the last N tuples of the input up to now.

    Derived atoms are not counted as tuples, and stay in the window from the instant of its first
    tuple on.

    Attributes:
        count: N.
        predicate: counts only tuples of this predicate; None counts all.
    """

    count: int
    predicate: str | None = None

    def __post_init__(self) -> None:
        if self.count < 1:
            raise BadInput("a window by count holds one tuple or more")
        if self.predicate is not None:
            check_name(self.predicate)


WindowFunction: TypeAlias = TimeWindow | TupleWindow
NOW: Final = TimeWindow(0)
"""The window that contains only the present instant (LARS's [NOW])."""
Time: TypeAlias = "int | Variable"
Modality: TypeAlias = Literal["", "◇", "□", "@"]


@dataclass(frozen=True, slots=True)
class Extended:
    """An extended atom: ``a``, ``◇a``, ``□a`` or ``@t a``, perhaps within a window ⊞.

    Raises:
        BadInput: there is an instant without @, or @ without an instant.
    """

    atom: Atom
    modality: Modality = ""
    time: Time | None = None
    window: WindowFunction | None = None

    def __post_init__(self) -> None:
        if (self.modality == "@") is (self.time is None):
            raise BadInput("an extended atom has an instant where it has @, and only there")


@dataclass(frozen=True, slots=True)
class Not:
    """Default negation of an extended atom."""

    formula: Extended


ArithmeticOperator: TypeAlias = Literal["+", "-", "mod"]
Comparator: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``left + right`` and so on, over integers."""

    left: Term
    operator: ArithmeticOperator
    right: Term


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of two terms or sums: ``=`` and ``!=`` of terms, an order only of integers.

    If a side cannot be computed, such as 3 mod 0 or 1 + null, it is false, also for ``!=``.
    """

    left: Term | Arithmetic
    comparator: Comparator
    right: Term | Arithmetic


@dataclass(frozen=True, slots=True)
class Condition:
    """That a SPARQL expression is true, or (``truth`` False) that it is false.

    An error is neither. A variable that is ``null``, or that is in no atom of the body, is
    unbound.
    """

    expression: Expression
    truth: bool = True


BodyPart: TypeAlias = Extended | Not | Comparison | Condition


@dataclass(frozen=True, slots=True)
class Rule:
    """``head ← body``; the head is ``a`` or ``@t a``.

    Raises:
        BadInput: the head has another form, or a variable of head, negation or comparison is in
            no positive atom of the body.
    """

    head: Extended
    body: tuple[BodyPart, ...] = ()

    def __post_init__(self) -> None:
        if self.head.window is not None or self.head.modality not in ("", "@"):
            raise BadInput("the head of a rule is an atom, or @t and an atom")
        if self.head.atom == TRUE:
            raise BadInput("the head of a rule cannot be true, which always holds")
        for formula in (self.head, *self.formulas()):
            check_name(formula.atom.predicate)
        bound, binding = self.bound(), (Extended, Condition)
        for part in (self.head, *(part for part in self.body if not isinstance(part, binding))):
            for name in mentioned(part):
                if name not in bound:
                    raise BadInput(
                        f"the variable {name} of a rule for {self.head.atom.predicate} is in no "
                        "positive atom of its body"
                    )

    def bound(self) -> frozenset[str]:
        """Return the variables of the atoms of the body that are not negated."""
        atoms = (part for part in self.body if isinstance(part, Extended))
        return frozenset(name for atom in atoms for name in mentioned(atom))

    def formulas(self) -> Iterator[Extended]:
        """Yield the atoms of the body, negated or not."""
        for part in self.body:
            if isinstance(part, Not):
                yield part.formula
            elif isinstance(part, Extended):
                yield part


@dataclass(frozen=True, slots=True)
class Program:
    """Rules over streams, and background data: ground atoms that hold at every instant.

    Raises:
        BadInput: an atom of background data has a variable, or an invalid name.
    """

    rules: tuple[Rule, ...] = ()
    background: frozenset[Atom] = frozenset()

    def __post_init__(self) -> None:
        for name in {atom.predicate for atom in self.background}:
            check_name(name)
        for atom in self.background:
            if not atom.is_ground():
                raise BadInput(f"the background atom {atom.predicate} has a variable")

    def derived(self) -> frozenset[Signature]:
        """Return the intensional predicates: those that rules derive."""
        return frozenset(rule.head.atom.signature for rule in self.rules)

    def extensional(self) -> frozenset[Signature]:
        """Return the other predicates of the bodies, except those of background data."""
        asked = {f.atom.signature for rule in self.rules for f in rule.formulas()}
        static = {atom.signature for atom in self.background}
        return frozenset(asked - static - self.derived() - {TRUE.signature})
