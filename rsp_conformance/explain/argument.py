"""An argument as a value: what is claimed about an answer, and why.

``evidence`` finds the facts that stand here, ``render`` writes them. There are no sentences, only
values of the case. Positions are those of windows in the query and of elements in the input.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias, get_args

from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.algebra import Pattern
from rsp_conformance.model.answers import Evaluation, Observed
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import Strategy
from rsp_conformance.model.terms import BlankNode, Term
from rsp_conformance.model.verdict import Divergence, Vector
from rsp_conformance.spec.windows import Instance

AnswerRow: TypeAlias = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """A row, a triple or a truth value of an answer, or some cells of a row."""

    variables: tuple[str, ...]
    row: AnswerRow
    kind: Literal["row", "triple", "true", "false", "cells"] = "row"

    def differing(self, other: AnswerPart) -> tuple[str, ...]:
        """The variables that have another value in another part with the same variables.

        Two blank nodes count only if nothing else differs: an engine may call them as it likes.
        """
        cells = zip(self.variables, self.row, other.row, strict=True)
        found = {name: {type(own), type(term)} for name, own, term in cells if own != term}
        told = [name for name, types in found.items() if types != {BlankNode}]
        return tuple(told or found)

    def cells(self, variables: Collection[str]) -> AnswerPart:
        """The cells of some variables alone."""
        found = [
            (n, term) for n, term in zip(self.variables, self.row, strict=True) if n in variables
        ]
        return AnswerPart(tuple(n for n, _ in found), tuple(term for _, term in found), "cells")


Undefined: TypeAlias = Literal[
    "never starts",
    "not open",
    "not closed",
    "not closed yet",
    "gap",
    "nothing came",
    "between windows",
    "not full",
]
"""Why a window is undefined at t. The instants are the first opening or close, or the gap's ends.
"""
Lies: TypeAlias = Literal["other stream", "to come", "before", "after", "inside", "not the last"]
OnEnd: TypeAlias = Literal["end left out", "end counted in", "not pushed"]
Placed: TypeAlias = Undefined | Lies | OnEnd
"""The place of elements relative to a window at t."""
Every: TypeAlias = Literal["every", "not every", "period", "not period", "no period"]
Closes: TypeAlias = Literal[
    "closes",
    "first closes",
    "they close",
    "closed",
    "closed before",
    "filled",
    "not filled",
    "never closes",
]
ContentState: TypeAlias = Literal[
    "not empty", "empty", "new in", "left it", "nothing new", "unchanged"
]
Reason: TypeAlias = Undefined | Every | Closes | ContentState
"""Why a strategy of the report policy holds at t, or does not."""
WindowsFact: TypeAlias = Literal["windows at", "window at", "evaluated", "not evaluated"]
Parting: TypeAlias = Literal[
    "silent", "no answer", "not expected", "nothing more expected", "other order"
]
OtherAnswer: TypeAlias = Literal["other answer", "other instant", "same at another instant"]
Shown: TypeAlias = Literal["not shown", "never bound"]
"""Why a variable is wrong in all rows of an answer."""
RowsFact: TypeAlias = Literal[
    "missing", "expected by some", "blank nodes", "more rows differ", "more triples differ"
]
Cells: TypeAlias = Literal["other values", "equal numbers", "right over", "nothing counted"]
Order: TypeAlias = Literal["out of order", "other row"]
Often: TypeAlias = Literal[
    "received often", "duplicate in a set", "duplicates in a bag", "dropped by DISTINCT"
]
Comes: TypeAlias = Literal["comes from", "needs nothing", "comes only from", "would come from"]
Wish: TypeAlias = Literal["would come if", "held too", "not held"]
NoSource: TypeAlias = Literal[
    "other background",
    "unknown terms",
    "unbound in HAVING",
    "excluded",
    "no choice",
    "no small change",
]
ExpectedFact: TypeAlias = Literal[
    "expected in all", "expected next to it", "same expected elsewhere", "stamps expected"
]
NoneExpected: TypeAlias = Literal[
    "none expected in all", "nothing expected", "no stamp expected", "not expected later"
]
ReceivedFact: TypeAlias = Literal["given in all", "given next to it", "given next", "given last"]
StampFact: TypeAlias = Literal["no whole instant", "carries the stamp", "as many have come"]
Astray: TypeAlias = Literal["out of range", "before an earlier one"]
"""Why a stamp can mean no instant of the case."""
PlaceFact: TypeAlias = Literal["instant is", "first with rows"]
Empty: TypeAlias = Literal["dropped as empty", "empty is given", "no solution"]
Expects: TypeAlias = Literal["expects", "expects it missing", "expects other order"]
ExpectsNone: TypeAlias = Literal["expects nothing", "expects elsewhere"]
"""How other members of Z differ from the received answer."""
NotInserted: TypeAlias = Literal["left", "not new", "received more often", "no solution is new"]
NotDeleted: TypeAlias = Literal["nothing precedes", "was not there", "not gone", "gone once"]
Inserted: TypeAlias = Literal["new", "new, nothing precedes", "more than before", "solution is new"]
Deleted: TypeAlias = Literal["was there", "gone", "fewer than before", "solution is gone"]
NoneGone: TypeAlias = Literal["no solution is gone"]
Compared: TypeAlias = NotInserted | NotDeleted | Inserted | Deleted | NoneGone
"""Why ISTREAM or DSTREAM gives a row or does not."""
QueryAs: TypeAlias = Literal["no operator", "optional as join", "no filter", "no limit"]
RowsAs: TypeAlias = Literal["no distinct", "distinct"]
DataAs: TypeAlias = Literal["no background", "background of", "kept"]
WindowsAs: TypeAlias = Literal["window of", "window of another test point", "window is empty"]
ReadAs: TypeAlias = QueryAs | RowsAs | DataAs | WindowsAs
"""How query, data or windows would have to be read for the received answer to come out."""
OfWindows: TypeAlias = WindowsFact | Placed | Reason
OfRows: TypeAlias = Shown | RowsFact | Cells | Order | Often | Comes | Wish | NoSource | Compared
OfAnswers: TypeAlias = (
    Parting
    | OtherAnswer
    | ExpectedFact
    | NoneExpected
    | ReceivedFact
    | StampFact
    | Astray
    | PlaceFact
    | Empty
)
OfOthers: TypeAlias = Expects | ExpectsNone
FactKind: TypeAlias = OfWindows | OfRows | OfAnswers | OfOthers | ReadAs


def kinds(alias: Any) -> list[Any]:
    """The kinds of fact that a type alias names."""
    parts = get_args(alias)
    return [kind for part in parts for kind in kinds(part)] if parts else [alias]


_NEEDS: tuple[tuple[str, Any], ...] = (
    ("t", OfWindows | Compared | NoSource),
    ("t", Expects | ExpectsNone | Literal["carries the stamp", "no operator", "background of"]),
    ("t", Literal["kept", "window of", "window of another test point"]),
    ("position", Undefined | Lies | OnEnd | Closes | ContentState | Literal["window is empty"]),
    ("position", Literal["no period", "period", "not period", "window at"]),
    ("position elements", Literal["held too", "not held"]),
    ("instance", OnEnd | Closes | ContentState | Literal["window at"]),
    ("instance", Literal["to come", "before", "after", "inside", "not the last"]),
    ("strategy", Every),
    ("other", Literal["every", "not every", "period", "not period", "other background"]),
    (
        "other",
        Deleted | NoneGone | Literal["left", "no solution is new", "new", "more than before"],
    ),
    ("other parts", Literal["not new", "was not there", "not gone", "gone once"]),
    ("clause", Literal["excluded"]),
    ("parts", Shown),
    (
        "parts",
        Cells
        | Order
        | Literal["missing", "expected by some", "received often", "received more often"],
    ),
    ("elements", Lies | OnEnd | Literal["not empty", "new in", "left it", "right over"]),
    ("elements", Literal["duplicate in a set", "duplicates in a bag", "dropped by DISTINCT"]),
    ("elements places", Literal["comes only from", "would come from"]),
    ("facts places", Literal["would come if"]),
    ("terms", Literal["unknown terms"]),
    (
        "instants",
        StampFact
        | Astray
        | Literal["not open", "not closed", "not closed yet", "gap", "first closes", "they close"],
    ),
    ("instants", Literal["expected next to it", "same expected elsewhere", "stamps expected"]),
    ("instants", Literal["given next to it", "given next", "given last", "expects elsewhere"]),
    ("instants hints", Literal["instant is"]),
    ("expected", OtherAnswer | Expects | Literal["silent", "no answer", "other order"]),
    ("expected", Literal["first with rows"]),
    ("received", OtherAnswer | Literal["not expected", "nothing more expected", "other order"]),
)
NEEDED: Mapping[FactKind, list[str]] = {
    kind: [name for names, own in _NEEDS if kind in kinds(own) for name in names.split()]
    for kind in kinds(FactKind)
}
"""The fields without which a fact of a kind says nothing."""

OfWindow: TypeAlias = Literal["slide later", "slide earlier", "opens", "closes"]
OfCase: TypeAlias = Literal["next element", "last element", "from registration"]
Hint: TypeAlias = tuple[OfWindow | OfCase, int]
"""The meaning of an instant, with the position of the window that it belongs to."""
Of: TypeAlias = Literal["row", "earlier row", "solution"]
"""The subject of a fact without parts: the row in question, that row before, or any solution."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is claimed; which fields it must have depends on its kind (``NEEDED``).

    Attributes:
        kind: the claim.
        parts: the parts of the answer that it is about; of two values the expected one comes first.
        of: the subject if there are no parts.
        t: the instant that it is about.
        other: another instant: of the evaluation before (None if there is none), or of other
            background data.
        count: how often something comes, or at which place.
        before: how often it came at the evaluation before, or how often it is expected.
        instants: further instants.
        hints: what these instants are.
        strategy: the strategy of the report policy for which the fact is a reason.
        holds: whether that strategy holds.
        position: the position of a window.
        instance: the instance of that window which is evaluated.
        elements: the elements that the window holds, or that lie somewhere.
        used: the elements that are needed besides.
        terms: the terms that it is about.
        background: the background entries that it is about.
        clause: a clause of the query, over no pattern of its own.
        facts: reasons, wishes or windows.
        places: where elements lie.
        expected: the expected answer.
        received: the received answer.
        vectors: the other members of Z that differ from the received answer in this way.
    """

    kind: FactKind
    parts: tuple[AnswerPart, ...] = ()
    of: Of = "solution"
    t: int | None = None
    other: int | None = None
    count: int = 0
    before: int = 0
    instants: tuple[int | Fraction, ...] = ()
    hints: tuple[Hint, ...] = ()
    strategy: Strategy | None = None
    holds: bool = False
    position: int | None = None
    instance: Instance | None = None
    elements: tuple[int, ...] = ()
    used: tuple[int, ...] = ()
    terms: tuple[Term, ...] = ()
    background: tuple[BackgroundEntry, ...] = ()
    clause: Pattern | None = None
    facts: tuple[Fact, ...] = ()
    places: tuple[Fact, ...] = ()
    expected: Evaluation | None = None
    received: Observed | None = None
    vectors: tuple[Vector, ...] = ()

    def __post_init__(self) -> None:
        lacking = [name for name in NEEDED[self.kind] if getattr(self, name) in (None, ())]
        if self.kind in ("evaluated", "not evaluated"):
            lacking += ["the strategy of a reason" for own in self.facts if own.strategy is None]
        if lacking:
            raise TypeError(f"a fact {self.kind!r} needs {', '.join(lacking)}")


# --- the other members of Z, and other dials ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alternatives:
    """T⁰ of every window by time, and how the other members of Z differ, grouped by how they do."""

    legal: tuple[Sequence[int | None], ...]
    departures: tuple[Fact, ...] = ()

    @property
    def none(self) -> bool:
        """Whether there are no others: the query has windows by time, and each has one t0."""
        return bool(self.legal) and all(len(own) == 1 for own in self.legal)


TIMING = frozenset(("answer_time", "time_tolerance", "trigger"))
"""Dials that say which instant an answer has, and how strictly it is compared."""


@dataclass(frozen=True, slots=True)
class Explanations:
    """Settings of one dial that make the answer right, the most plausible first.

    Attributes:
        found: the dials with their values.
        tried: the number of settings that were judged.
        untried: the settings that were too costly to try.
    """

    found: tuple[tuple[str, str], ...]
    tried: int
    untried: tuple[tuple[str, str], ...] = ()

    def settings(self, *, timing: bool) -> list[str]:
        """The settings as text, such as ``bounds (o,c)``.

        Args:
            timing: whether those that concern the instants of answers are wanted, or the others.
        """
        return [" ".join(own) for own in self.found if (own[0] in TIMING) == timing]


ByDial: TypeAlias = Callable[[Case, Dials, Sequence[Observed], Divergence], Explanations]
"""Finds the settings of one dial that make a wrong answer right (`diagnosis.one_dial`)."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Why an answer is right or wrong: the first difference, its reasons, other members of Z.

    The situation is that of the z that makes the answer right, or of the nearest z.
    """

    situation: Situation
    correct: bool
    facts: tuple[Fact, ...] = ()
    alternatives: Alternatives | None = None
    dials: Explanations | None = None
