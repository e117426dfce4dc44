"""An argument as a value: what is claimed of an answer, and on what ground.

``evidence`` finds what stands here, ``render`` writes it. There are no sentences, only values of
the case; positions are those of windows in the query and of elements in the input.
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
from rsp_conformance.model.terms import Term
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
        """The variables, which are those of OTHER too, that have another value there."""
        cells = zip(self.variables, self.row, other.row, strict=True)
        return tuple(name for name, own, term in cells if own != term)

    def cells(self, variables: Collection[str]) -> AnswerPart:
        """The cells of VARIABLES alone."""
        found = [
            (n, term) for n, term in zip(self.variables, self.row, strict=True) if n in variables
        ]
        return AnswerPart(tuple(n for n, _ in found), tuple(term for _, term in found), "cells")


Undefined: TypeAlias = Literal["never starts", "not open", "not closed", "not closed yet", "gap"]
"""Why a window is undefined at T; the instants are of the first opening or close, or the gap's."""
Lies: TypeAlias = Literal["other stream", "to come", "before", "after", "inside"]
OnEnd: TypeAlias = Literal["end left out", "end counted in", "not pushed"]
Placed: TypeAlias = Undefined | Lies | OnEnd
"""Where elements lie relative to a window at T."""
Every: TypeAlias = Literal["every", "not every", "period", "not period", "no period"]
Closes: TypeAlias = Literal["closes", "first closes", "they close", "closed", "closed before"]
ContentState: TypeAlias = Literal[
    "not empty", "empty", "new in", "left it", "nothing new", "unchanged"
]
Reason: TypeAlias = Undefined | Every | Closes | ContentState
"""Why a strategy of the report policy holds at T, or does not."""
WindowsFact: TypeAlias = Literal["windows at", "window at", "evaluated", "not evaluated"]
Parting: TypeAlias = Literal["silent", "no answer", "not due", "nothing more due", "other order"]
OtherAnswer: TypeAlias = Literal["other answer", "other instant", "same at another instant"]
Shown: TypeAlias = Literal["not shown", "never bound"]
"""What is wrong with a variable of all rows of an answer."""
RowsFact: TypeAlias = Literal[
    "missing", "due by some", "blank nodes", "more rows differ", "more triples differ"
]
Cells: TypeAlias = Literal["other values", "equal numbers", "right over", "nothing counted"]
Order: TypeAlias = Literal["out of order", "other row"]
Often: TypeAlias = Literal[
    "given often", "duplicate in a set", "duplicates in a bag", "dropped by DISTINCT"
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
DueFact: TypeAlias = Literal["due in all", "due next to it", "same due elsewhere", "stamps due"]
NoneDue: TypeAlias = Literal["none due in all", "nothing due", "no stamp due", "not due later"]
GivenFact: TypeAlias = Literal["given in all", "given next to it", "given next", "given last"]
StampFact: TypeAlias = Literal["no whole instant", "carries the stamp", "as many have come"]
Astray: TypeAlias = Literal["out of range", "before an earlier one"]
"""What is wrong with a stamp that no instant of the case can be meant by."""
PlaceFact: TypeAlias = Literal["instant is", "first with rows"]
Empty: TypeAlias = Literal["dropped as empty", "empty is given", "no solution"]
Expects: TypeAlias = Literal["expects", "expects it missing", "expects other order"]
ExpectsNone: TypeAlias = Literal["expects nothing", "expects elsewhere"]
"""How other members of Z depart from the answer given."""
NotInserted: TypeAlias = Literal["left", "not new", "given more often", "no solution is new"]
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
"""How query, data or windows would have to be read for the answer given to come out."""
OfWindows: TypeAlias = WindowsFact | Placed | Reason
OfRows: TypeAlias = Shown | RowsFact | Cells | Order | Often | Comes | Wish | NoSource | Compared
OfAnswers: TypeAlias = (
    Parting | OtherAnswer | DueFact | NoneDue | GivenFact | StampFact | Astray | PlaceFact | Empty
)
OfOthers: TypeAlias = Expects | ExpectsNone
FactKind: TypeAlias = OfWindows | OfRows | OfAnswers | OfOthers | ReadAs


def kinds(alias: Any) -> list[Any]:
    """The kinds that ALIAS names."""
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
    ("instance", Literal["to come", "before", "after", "inside"]),
    ("strategy", Every),
    ("other", Literal["every", "not every", "period", "not period", "other background"]),
    (
        "other",
        Deleted | NoneGone | Literal["left", "no solution is new", "new", "more than before"],
    ),
    ("other parts", Literal["not new", "was not there", "not gone", "gone once"]),
    ("clause", Literal["excluded"]),
    ("parts", Shown),
    ("parts", Cells | Order | Literal["missing", "due by some", "given often", "given more often"]),
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
    ("instants", Literal["due next to it", "same due elsewhere", "stamps due"]),
    ("instants", Literal["given next to it", "given next", "given last", "expects elsewhere"]),
    ("instants hints", Literal["instant is"]),
    ("due", OtherAnswer | Expects | Literal["silent", "no answer", "other order"]),
    ("due", Literal["first with rows"]),
    ("given", OtherAnswer | Literal["not due", "nothing more due", "other order"]),
)
NEEDED: Mapping[FactKind, list[str]] = {
    kind: [name for names, own in _NEEDS if kind in kinds(own) for name in names.split()]
    for kind in kinds(FactKind)
}
"""The fields without which a fact of a kind says nothing."""

OfWindow: TypeAlias = Literal["slide later", "slide earlier", "opens", "closes"]
OfCase: TypeAlias = Literal["next element", "last element", "from registration"]
Hint: TypeAlias = tuple[OfWindow | OfCase, int]
"""What an instant is, with the position of the window that it is of."""
Of: TypeAlias = Literal["row", "earlier row", "solution"]
"""What a fact without parts is about: the row spoken of, that row before, or any solution."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is claimed; which fields it must have depends on its kind (``NEEDED``).

    ``parts`` are what it is about, empty where ``of`` says that; of two values the one that is due
    stands first. ``other`` is another instant than T: of the evaluation before (None where none
    precedes), or of other background data. ``count`` is how often something comes, or where;
    ``before`` how often it came at the evaluation before, or is due. ``strategy`` is the one that
    ``holds`` or does not, for the reason that the fact is. ``position`` is that of a window,
    ``instance`` what is evaluated of it, ``elements`` what it holds or what lies somewhere, and
    ``used`` what is needed besides. ``clause`` is one of the query, over no pattern of its own.
    ``facts`` are reasons, wishes or windows, ``places`` where
    elements lie, ``vectors`` the other members of Z that depart so from the answer given.
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
    due: Evaluation | None = None
    given: Observed | None = None
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
    """T⁰ of every window, and how the other members of Z fare, those that fare alike together."""

    legal: tuple[Sequence[int | None], ...]
    departures: tuple[Fact, ...] = ()


TIMING = frozenset(("answer_time", "time_tolerance", "trigger"))
"""Dials that say which instant an answer has, and how strictly it is compared."""


@dataclass(frozen=True, slots=True)
class Explanations:
    """Settings of one dial that make the answer right, most plausible first.

    ``tried`` counts the settings judged; ``untried`` are those that the budget did not allow.
    """

    found: tuple[tuple[str, str], ...]
    tried: int
    untried: tuple[tuple[str, str], ...] = ()

    def settings(self, *, timing: bool) -> list[str]:
        """``bounds (o,c)``: those that concern the instants of answers, or the others."""
        return [" ".join(own) for own in self.found if (own[0] in TIMING) == timing]


ByDial: TypeAlias = Callable[[Case, Dials, Sequence[Observed], Divergence], Explanations]
"""Finds the settings of one dial that make a wrong answer right (`diagnosis.one_dial`)."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Why an answer is right, or wrong: what parts and why, and that nothing else makes it right.

    The situation is that of the z that makes the answer right, or of the nearest.
    """

    situation: Situation
    correct: bool
    facts: tuple[Fact, ...] = ()
    alternatives: Alternatives | None = None
    dials: Explanations | None = None
