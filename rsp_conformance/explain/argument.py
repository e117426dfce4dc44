"""An argument as a value: what is claimed of an answer, and on what ground.

``evidence`` finds what stands here, ``render`` writes it. There are no sentences, only values of
the case; positions are those of windows in the query and of elements in the input.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from rsp_conformance.explain.setting import Setting
from rsp_conformance.model.answers import Evaluation
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.policy import Strategy
from rsp_conformance.model.terms import Term
from rsp_conformance.model.verdict import Divergence, Kind, Vector
from rsp_conformance.spec.content import Content
from rsp_conformance.spec.windows import Instance

Row: TypeAlias = tuple[Term | None, ...]
Items: TypeAlias = tuple[tuple[int, int], ...]
"""What windows hold: pairs of a window's and an element's position."""


@dataclass(frozen=True, slots=True)
class Part:
    """A row, a triple or a truth value of an answer, or some cells of a row."""

    variables: tuple[str, ...]
    row: Row
    kind: Literal["row", "triple", "true", "false", "cells"] = "row"

    def differing(self, other: Part) -> tuple[str, ...]:
        """The variables, which are those of OTHER too, that have another value there."""
        cells = zip(self.variables, self.row, other.row, strict=True)
        return tuple(name for name, own, term in cells if own != term)

    def cells(self, variables: Collection[str]) -> Part:
        """The cells of VARIABLES alone."""
        found = [
            (n, term) for n, term in zip(self.variables, self.row, strict=True) if n in variables
        ]
        return Part(tuple(n for n, _ in found), tuple(term for _, term in found), "cells")


# --- windows and the report policy ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Undefined:
    """Why a window is undefined at T.

    ``instants`` are: of the first opening, of the first close, or the ends of the gap.
    """

    position: int
    t: int
    cause: Literal["never starts", "not open", "not closed", "gap"]
    instants: tuple[int, ...] = ()


Lies: TypeAlias = Literal["other stream", "undefined", "to come", "before", "after", "inside"]
OnEnd: TypeAlias = Literal["end left out", "end counted in", "not pushed"]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an element lies relative to a window at T."""

    element: int
    position: int
    t: int
    kind: Lies | OnEnd
    instance: Instance | None = None
    undefined: Undefined | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """A strategy that decides whether the query is evaluated at T, and what it looks at.

    ``start`` is what periods count from. COMPUTED EVERY looks at no window: ``position`` is None.
    """

    strategy: Strategy
    holds: bool
    t: int
    start: int | None = None
    position: int | None = None
    now: Content | None = None
    before: Content | None = None
    undefined: Undefined | None = None


# --- claims ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Parting:
    """What comes and what is due where the answer first departs from the nearest query.

    ``same`` says that both have the same content; ``due`` counts the answers due in all.
    """

    divergence: Divergence
    same: bool = False
    due: int = 0


@dataclass(frozen=True, slots=True)
class WindowsAt:
    """What every window is at an evaluation at T.

    ``test_point`` is which one of how many that instant has, None where it is the only one.
    """

    t: int
    windows: tuple[Content | Undefined, ...]
    test_point: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Evaluated:
    """That the query is evaluated at T, or is not, and which strategies decide that."""

    t: int
    holds: bool
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class WouldCome:
    """Which elements would give rows that are not due, and where those elements lie.

    ``added`` are the elements that the windows lack, ``dropped`` those that they hold too many;
    ``used`` are elements needed besides. ``only`` says that without those added no content gives
    the rows, ``monotone`` that more data cannot take rows away. ``parts`` are empty for any
    solution at all.
    """

    parts: tuple[Part, ...]
    added: Items
    dropped: Items
    used: tuple[int, ...]
    only: bool
    monotone: bool
    placements: tuple[Placement, ...]


Source: TypeAlias = Part | Literal["row", "earlier row", "solution"]


@dataclass(frozen=True, slots=True)
class ComesFrom:
    """From which elements and background data a row comes that is due.

    ``of`` says what comes: a row, the row spoken of, that row at an earlier evaluation, or any
    solution.
    """

    of: Source
    elements: tuple[int, ...]
    background: tuple[BackgroundEntry, ...]
    placements: tuple[Placement, ...]


OfWindow: TypeAlias = Literal["slide later", "slide earlier", "opens", "closes"]
OfCase: TypeAlias = Literal["next element", "last element", "from registration"]
Hint: TypeAlias = tuple[OfWindow | OfCase, int]
"""What an instant is, with the position of the window that it is of."""

Rows: TypeAlias = Literal["missing", "blank nodes", "more rows differ", "more triples differ"]
Cells: TypeAlias = Literal["other values", "equal numbers", "right over", "nothing counted"]
Order: TypeAlias = Literal["out of order", "other row"]
Often: TypeAlias = Literal["given often", "duplicate in a set", "duplicates in a bag"]
Sources: TypeAlias = Literal["other background", "unknown terms", "no choice", "no small change"]
Due: TypeAlias = Literal["due in all", "due next to it", "same due elsewhere", "stamps due"]
NoneDue: TypeAlias = Literal["none due in all", "nothing due", "no stamp due"]
Given: TypeAlias = Literal["given in all", "given next to it", "given next", "given last"]
Stamp: TypeAlias = Literal["no whole instant", "carries the stamp", "as many have come"]
Place: TypeAlias = Literal["instant is", "first with rows"]
Empty: TypeAlias = Literal["dropped as empty", "empty is given", "no solution"]
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
OfAnswers: TypeAlias = Due | NoneDue | Given | Stamp | Place | Empty
FactKind: TypeAlias = Rows | Cells | Order | Often | Sources | OfAnswers | Compared | ReadAs


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of one sentence; which fields say something depends on its kind.

    ``parts`` are what it is about, empty for any solution at all; of two values the one that is due
    stands first. ``other`` is another instant than T: of the evaluation before (None where none
    precedes), or of other background data. ``count`` is how often something comes, or where;
    ``before`` how often it came at the evaluation before, or is due.
    """

    kind: FactKind
    parts: tuple[Part, ...] = ()
    t: int = 0
    other: int | None = None
    count: int = 0
    before: int = 0
    instants: tuple[int | Fraction, ...] = ()
    hints: tuple[Hint, ...] = ()
    elements: tuple[int, ...] = ()
    terms: tuple[Term, ...] = ()
    background: tuple[BackgroundEntry, ...] = ()
    placement: Placement | None = None
    due: Evaluation | None = None
    position: int | None = None


Claim: TypeAlias = Parting | WindowsAt | Evaluated | WouldCome | ComesFrom | Fact


# --- the other members of Z, and other dials ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Departure:
    """How the answers of one or several z depart from the one given.

    Where nothing is due there, ``neighbours`` are the instants next to ``t`` at which it is.
    ``kind`` is MISSING or ORDER, or None for any other.
    """

    expected: Evaluation | None
    kind: Kind | None
    t: int
    neighbours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """T⁰ of every window, and how the other members of Z fare, those that fare alike together."""

    legal: tuple[tuple[int | None, ...], ...]
    departures: tuple[tuple[Departure, tuple[Vector, ...]], ...] = ()


LENIENT = frozenset(("answer_time", "time_tolerance", "trigger"))
"""Dials that say how strictly instants are compared."""


@dataclass(frozen=True, slots=True)
class Explanations:
    """Settings of one dial that make the answer right, most plausible first.

    ``tried`` counts the settings judged, ``untried`` those that the budget did not allow.
    """

    found: tuple[tuple[str, str], ...]
    tried: int
    untried: int = 0

    def settings(self, *, lenient: bool) -> list[str]:
        """``bounds (o,c)``: those that compare instants less strictly, or those that do not."""
        return [f"{dial} {value}" for dial, value in self.found if (dial in LENIENT) == lenient]


# --- a whole recording, compared answer by answer -------------------------------------------------


@dataclass(frozen=True, slots=True)
class TracedRow:
    """A row, and of the elements that its columns name: when they came, and whether it is inside.

    Inside is None where there is no window.
    """

    solution: tuple[tuple[str, Term], ...]
    came: tuple[tuple[str, int, bool | None], ...]


@dataclass(frozen=True, slots=True)
class AnswerDiffers:
    """How one answer differs; nothing is ``due``, or nothing ``given``, where it has no partner.

    ``held`` are the values that an aggregate is of, each with its instant; None without one.
    """

    t: int | Fraction | None
    due: bool
    given: bool
    instance: Instance | None
    missing: tuple[TracedRow, ...]
    extra: tuple[TracedRow, ...]
    held: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class RecordingDiffers:
    """How a recording differs from Ans(Q_z): ``agreed`` of the ``due`` evaluations agree.

    ``empty`` are the instants of answers without rows that no evaluation has, ``more`` those of the
    differences beyond the first.
    """

    bounds: str
    unit: int
    agreed: int
    due: int
    empty: tuple[int | Fraction | None, ...]
    differences: tuple[AnswerDiffers, ...]
    more: tuple[int | Fraction | None, ...]


@dataclass(frozen=True, slots=True)
class Argument:
    """Why an answer is right, or wrong: what parts and why, and that nothing else makes it right.

    The setting is that of the z that makes the answer right, or of the nearest.
    """

    setting: Setting
    correct: bool
    claims: tuple[Claim, ...] = ()
    alternatives: Alternatives | None = None
    dials: Explanations | None = None
