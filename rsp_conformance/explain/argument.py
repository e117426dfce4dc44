"""An argument as a value: what is claimed of an answer, and on what ground.

``evidence`` finds what stands here, ``render`` writes it. There are no sentences, only values of
the case; positions are those of windows in the query and of elements in the input.
"""

from __future__ import annotations

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
Instants: TypeAlias = tuple[int | Fraction, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A row, a triple or a truth value of an answer, or some cells of a row."""

    variables: tuple[str, ...]
    row: Row
    kind: Literal["row", "triple", "true", "false", "cells"] = "row"


@dataclass(frozen=True, slots=True)
class Change:
    """A row that is there with other values, in the columns VARIABLES."""

    expected: Part
    observed: Part
    variables: tuple[str, ...]


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
class Missing:
    """That rows are missing."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class WouldCome:
    """Which elements would give rows that are not due, and where those elements lie.

    ``added`` are the elements that the windows lack, ``dropped`` those that they hold too many,
    as pairs of a window and an element; ``used`` are elements needed besides. ``only`` says that
    without those added no content gives the rows, ``monotone`` that more data cannot take rows
    away. ``parts`` are empty for any solution at all.
    """

    parts: tuple[Part, ...]
    added: tuple[tuple[int, int], ...]
    dropped: tuple[tuple[int, int], ...]
    used: tuple[int, ...]
    only: bool
    monotone: bool
    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class WouldComeAt:
    """That rows come out with the background data of another instant than T."""

    parts: tuple[Part, ...]
    other: int
    t: int
    background: tuple[BackgroundEntry, ...]


@dataclass(frozen=True, slots=True)
class NoSource:
    """That nothing was found that gives rows at T: terms that occur nowhere, or no elements."""

    parts: tuple[Part, ...]
    t: int
    unknown: tuple[Term, ...] = ()
    exhausted: bool = False


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


NotInserted: TypeAlias = Literal["left", "not new", "given more often", "no solution is new"]
NotDeleted: TypeAlias = Literal["nothing precedes", "was not there", "not gone", "gone once"]
Inserted: TypeAlias = Literal["new", "new, nothing precedes", "more than before", "solution is new"]
Deleted: TypeAlias = Literal["was there", "gone", "fewer than before", "solution is gone"]
NoneGone: TypeAlias = Literal["no solution is gone"]
Comparison: TypeAlias = NotInserted | NotDeleted | Inserted | Deleted | NoneGone
"""Why ISTREAM or DSTREAM gives a row or does not."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a streaming operator makes of a row: how often it holds, now and one evaluation before.

    ``before_t`` is None where no evaluation precedes; ``placement`` is that of an element which has
    left.
    """

    claim: Comparison
    parts: tuple[Part, ...]
    t: int
    now: int = 0
    before: int = 0
    before_t: int | None = None
    placement: Placement | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """That a row has other values than are due; ``equal`` where they are equal as numbers."""

    change: Change
    equal: bool = False


@dataclass(frozen=True, slots=True)
class RightOver:
    """Over which elements an aggregate's values are right; over none they are 0."""

    part: Part
    variables: tuple[str, ...]
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Duplicates:
    """How often rows are given and due, and which elements give one each."""

    parts: tuple[Part, ...]
    given: int
    due: int
    elements: tuple[int, ...]
    as_set: bool


@dataclass(frozen=True, slots=True)
class OutOfOrder:
    """Two neighbouring rows that ORDER BY puts the other way round, from row POSITION on."""

    position: int
    variables: tuple[str, ...]
    first: Row
    second: Row


@dataclass(frozen=True, slots=True)
class OtherInPlace:
    """A row that stands where another one is due."""

    position: int
    given: Part
    due: Part


OfRows: TypeAlias = Literal["blank nodes", "more rows differ", "more triples differ", "no solution"]
OfDue: TypeAlias = Literal["due in all", "due next to it", "same due elsewhere", "stamps due"]
OfGiven: TypeAlias = Literal["given in all", "given next to it", "given next", "given last"]
OfAnswer: TypeAlias = Literal["no whole instant", "carries the stamp", "as many have come"]
OfEmpty: TypeAlias = Literal["dropped as empty", "empty is given"]
RemarkKind: TypeAlias = OfRows | OfDue | OfGiven | OfAnswer | OfEmpty


@dataclass(frozen=True, slots=True)
class Remark:
    """A fact of few words, of instants and numbers only."""

    what: RemarkKind
    number: int = 0
    instants: Instants = ()


@dataclass(frozen=True, slots=True)
class FirstWithRows:
    """The first answer due that has rows."""

    evaluation: Evaluation


OfWindow: TypeAlias = Literal["slide later", "slide earlier", "opens", "closes"]
OfCase: TypeAlias = Literal["next element", "last element", "from registration"]
Hint: TypeAlias = tuple[OfWindow | OfCase, int]
"""What an instant is, with the position of the window that it is of."""


@dataclass(frozen=True, slots=True)
class InstantIs:
    """What else the instant given is."""

    stamp: int | Fraction
    hints: tuple[Hint, ...]


OfQuery: TypeAlias = Literal[
    "no operator", "optional as join", "no filter", "no distinct", "distinct", "no limit"
]
OfData: TypeAlias = Literal["no background", "background of", "kept"]
OfWindows: TypeAlias = Literal["window of", "window of another test point", "window is empty"]


@dataclass(frozen=True, slots=True)
class Reading:
    """A reading of the query, the data or the windows under which the answer given comes out."""

    what: OfQuery | OfData | OfWindows
    t: int = 0
    position: int | None = None


OfPlace: TypeAlias = Parting | WindowsAt | Evaluated | FirstWithRows | InstantIs | Remark
OfRow: TypeAlias = Missing | WouldCome | WouldComeAt | NoSource | ComesFrom | Compared | Reading
OfValue: TypeAlias = Changed | RightOver | Duplicates | OutOfOrder | OtherInPlace
Claim: TypeAlias = OfPlace | OfRow | OfValue


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


@dataclass(frozen=True, slots=True)
class Explanations:
    """Settings of one dial that make the answer right, most plausible first.

    ``tried`` counts the settings judged, ``untried`` those that the budget did not allow.
    """

    found: tuple[tuple[str, str], ...]
    tried: int
    untried: int = 0

    @property
    def strict(self) -> tuple[tuple[str, str], ...]:
        """Those that say something else than how instants are compared."""
        return tuple(setting for setting in self.found if setting[0] not in LENIENT)

    @property
    def lenient(self) -> tuple[tuple[str, str], ...]:
        """Those that compare instants less strictly."""
        return tuple(setting for setting in self.found if setting[0] in LENIENT)


LENIENT = frozenset(("answer_time", "time_tolerance", "trigger"))
"""Dials that say how instants are compared."""


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
