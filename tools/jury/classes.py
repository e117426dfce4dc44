"""Results, and the classes of those that are one by value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from rsp_conformance.model.terms import Term
from tools.jury.terms import value_key

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The implementation raised an error over the whole query, instead of a result."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """A result that is right under another reading of an open point than the specification's."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The specification refuses the question by name."""


Result: TypeAlias = Term | Allowed | GaveUp | Refused | None
"""What an expression yields; None is an error, or unbound."""


SPECIFICATION = "specification"
GAVE_UP, ALLOWED = "gave up", "allowed"
SAYS_NOTHING = frozenset((GAVE_UP, ALLOWED))
"""What is said neither for the specification nor against it."""


@dataclass(frozen=True, slots=True)
class Partition:
    """The jurors in classes of those whose results are one, the specification's first.

    A class is its jurors in alphabetical order, but the specification first, and what they have: a
    value, an error, or that they gave up.
    """

    classes: tuple[tuple[tuple[str, ...], str], ...]

    @property
    def against(self) -> int:
        """How many jurors say otherwise than the specification."""
        return sum(len(names) for names, said in self.classes[1:] if said not in SAYS_NOTHING)

    @property
    def agreed(self) -> bool:
        """Whether all say one, or what is allowed."""
        return all(said == ALLOWED for _, said in self.classes[1:])

    def without(self, name: str) -> Partition:
        """The classes without one juror."""
        classes = [(tuple([n for n in names if n != name]), said) for names, said in self.classes]
        return Partition(tuple([(names, said) for names, said in classes if names]))

    @classmethod
    def read(cls, text: str) -> Partition:
        """The partition that TEXT writes, as ``str`` does."""
        parts = [part.split(": ") for part in text.split(" | ")]
        return cls(tuple([(tuple(names.split()), said) for names, said in parts]))

    def __str__(self) -> str:
        return " | ".join(f"{' '.join(names)}: {said}" for names, said in self.classes)


def partition(
    results: Mapping[str, R], same: Callable[[R, R], bool], say: Callable[[R], str]
) -> Partition:
    """The jurors of RESULTS by classes; SAME says whether two results are one."""
    classes: list[tuple[list[str], R]] = []
    for name in sorted(results, key=lambda n: (n != SPECIFICATION, n)):
        result = results[name]
        for names, other in classes:
            if same(other, result):
                names.append(name)
                break
        else:
            classes.append(([name], result))
    return Partition(tuple([(tuple(names), say(result)) for names, result in classes]))


def of_terms(results: Mapping[str, Result]) -> Partition:
    """The classes of results of an expression."""
    return partition(results, lambda a, b: result_key(a) == result_key(b), said)


def result_key(result: Result) -> object:
    """What results share that are one by value."""
    return result if isinstance(result, (Allowed, GaveUp, Refused)) else value_key(result)


def said(result: Result) -> str:
    """What a result is, in a word."""
    match result:
        case None:
            return "error"
        case GaveUp():
            return GAVE_UP
        case Allowed():
            return ALLOWED
        case Refused():
            return "refused"
        case _:
            return "value"
