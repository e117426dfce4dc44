"""What a seeded fault is: a function that changes one value on its way through the engine.

The engine sends such values through **seams**. Without faults they pass as they are; with several
each fault gets what the one before has made, so any faults can be had together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from operator import is_
from typing import Any, Generic, TypeVar

from rsp_conformance.adapters.reference.dataset import BackgroundVersion
from rsp_conformance.adapters.reference.due import Due
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm
from rsp_conformance.adapters.reference.oxigraph.uncertainty import Uncertainty
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.adapters.reference.window import Arrival, WindowState
from rsp_conformance.model.algebra import Filter, Pattern
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Expression
from rsp_conformance.model.features import check_features
from rsp_conformance.model.query import Query
from rsp_conformance.model.used_features import query_features
from rsp_conformance.model.walk import rewritten_pattern

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Seam(Generic[Value]):
    """A place where the engine lets faults change a value; ``name`` says which value."""

    name: str


DIALS = Seam[Dials]("the dials that the engine obeys")
QUERY = Seam[Query]("the query that is evaluated")
PATTERN = Seam[Pattern]("each pattern of that query, its parts changed already")
CONDITION = Seam[Expression]("the condition of each FILTER")
UNCERTAINTY = Seam[Uncertainty]("how probabilities are computed")
WINDOWS = Seam[Sequence[WindowState]]("the windows, before they start")
ELEMENT = Seam[Arrival]("an element that comes in")
READS = Seam[bool]("whether a window takes an element of its stream")
REPORTS = Seam[bool]("whether an evaluation takes place")
BACKGROUND = Seam["int | None"]("the instant whose background data is seen, None for no data")
DATA = Seam[BackgroundVersion]("that data")
CONTENT = Seam[tuple[Arrival, ...]]("what a window gives to an evaluation")
TERM = Seam[StoredTerm]("each bound term of a solution")
STREAMED = Seam[Sequence[Row]]("the rows of an answer, after the streaming operator")
NOTED = Seam[list[Due]]("the evaluation that takes place at an instant, alone in its list")
DUE = Seam[list[Due]]("the evaluations that an arrival makes due, in the order of their instants")
INSTANT = Seam[int]("the instant that an answer reports")
ANSWERS = Seam[list[dict[str, Any]]](
    "the answers that became due at once, as they leave the engine"
)
BURST = Seam[list[dict[str, Any]]]("all answers to elements that came without a pause")


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        name: what users write in ``fault=NAME``.
        summary: what the engine does wrong, in one sentence.
        imitates: where it was seen.
        seam: the value that it changes.
        change: the value in place of the right one, for a registered query.
        needs: features that a case must use for the fault to show: all of one of these sets.
        dials: dials to turn from plain RSP-QL's, so that it can show.
        where: what else a case needs for it, in words.
        count: the engine's option that says how late it shows (``Run.counts``); empty for others.
        fatal: whether it ends the process that it runs in.
        relation: the relation or law that is made to show it, by name; empty for other faults.
        otherwise: what else it may make of the value; an engine with it does one of them, and
            nothing in the case says which.
        unordered: whether an engine with it may give the answers of a burst in any order.
        mute: whether an engine with it never gives a row, so that hardly another fault shows.
    """

    name: str
    summary: str
    imitates: str
    seam: Seam[Any]
    change: Callable[[Any, FaultyRun], Any]
    needs: tuple[frozenset[str], ...] = (frozenset(),)
    dials: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    count: str = ""
    fatal: bool = False
    relation: str = ""
    otherwise: tuple[Callable[[Any, FaultyRun], Any], ...] = ()
    unordered: bool = False
    mute: bool = False

    @property
    def variants(self) -> tuple[Fault, ...]:
        """All faults that this one may be, itself first; each does one thing."""
        return (self, *(replace(self, change=change, otherwise=()) for change in self.otherwise))

    @property
    def features(self) -> frozenset[str]:
        """All features that cases which show the fault have to do with."""
        return frozenset().union(*self.needs)

    def may_show(self, used: frozenset[str]) -> bool:
        """Whether a case that uses the features USED may be answered otherwise by it."""
        return any(needed <= used for needed in self.needs)


def seeded(
    seam: Seam[Value],
    imitates: str,
    *,
    needs: str = "",
    dials: Mapping[str, str] | None = None,
    where: str = "",
    count: str = "",
    fatal: bool = False,
    relation: str = "",
    otherwise: tuple[Callable[[Any, FaultyRun], Any], ...] = (),
    unordered: bool = False,
    mute: bool = False,
) -> Callable[[Callable[[Value, FaultyRun], Value]], Fault]:
    """The fault that a function is: its name and docstring become the fault's.

    NEEDS are the features that a case must use, with ``|`` between alternatives; the other
    arguments are those of ``Fault``.
    """

    def fault(change: Callable[[Value, FaultyRun], Value]) -> Fault:
        return Fault(
            change.__name__.replace("_", "-"),
            " ".join((change.__doc__ or "").replace("``", "`").split()),
            imitates,
            seam,
            change,
            tuple(check_features(words.split()) for words in needs.split("|")),
            dials or {},
            where,
            count,
            fatal,
            relation,
            otherwise,
            unordered,
            mute,
        )

    return fault


@dataclass(slots=True)
class Trial:
    """FAULTS that a run has not, and tries on all that passes through its seams.

    A run that has one of them as well is the same until that one changes something. So those that
    are not ``shown`` in the end would have changed nothing; up to there, if a run was broken off.
    """

    faults: Sequence[Fault]
    shown: set[str] = field(default_factory=set)
    is_broken_off: bool = False


class FaultyRun:
    """A registered query at work, as its faults see it.

    Attributes:
        query: the query as it was registered.
        evaluated: the one that QUERY begins with; of its windows are those that WINDOWS gives.
        counts: how late faults show, by the options that they name.
        windows: all windows, from WINDOWS on.
        window: the one whose element (READS) or content (CONTENT) it is about.
        background: the background data of the evaluation.
        newest: the element that came last, as it came.
        settled: whether each element waits until what the one before has set off is answered.
        taken: the elements that each window has taken, each with when those instances close that
            it has opened (``WindowState.opened_by``), for faults at DUE alone.
        drifting: whether each row of what a window reports moves the window's ``drift``.
        memory: what a fault keeps from call to call; each fault has its own.
    """

    window: WindowState
    background: BackgroundVersion
    memory: dict[Any, Any]

    def __init__(
        self,
        query: Query,
        faults: Iterable[Fault] = (),
        counts: Mapping[str, int] | None = None,
        trial: Trial | None = None,
        *,
        settled: bool = False,
    ) -> None:
        self.query = self.evaluated = query
        self.counts = counts or {}
        self.settled = settled
        self.windows: Sequence[WindowState] = ()
        self.newest: Arrival | None = None
        self.taken: defaultdict[WindowState, list[tuple[Arrival, set[int]]]] = defaultdict(list)
        self.drifting = False
        self._faults: dict[Seam[Any], list[tuple[Fault, dict[Any, Any]]]] = {}
        self._changes: dict[Seam[Any], bool] = {}
        self._trial = trial
        had = tuple(faults)
        # By name, so that the same faults are the same engine, however they are listed.
        for fault in sorted((*had, *(trial.faults if trial else ())), key=lambda f: f.name):
            self._faults.setdefault(fault.seam, []).append((fault, {}))
        self._had = {*map(id, had)}
        if trial is not None and not self.changes(DUE):
            # They would have evaluations wait: only a run in which these do so can try them.
            trial.shown.update(fault.name for fault in trial.faults if fault.seam is DUE)

    def through(self, seam: Seam[Value], value: Value) -> Value:
        """What the faults make of VALUE at SEAM."""
        for fault, memory in self._faults.get(seam, ()):
            self.memory = memory
            if id(fault) in self._had:
                value = fault.change(value, self)
            elif self._trial is not None and fault.name not in self._trial.shown:
                self._try(fault, value, self._trial)
        return value

    def _try(self, fault: Fault, value: Any, trial: Trial) -> None:
        """Note whether FAULT would change VALUE, or what other faults see."""
        before = dict(vars(self))
        given = [*map(copy, value)] if fault.seam is WINDOWS else value
        try:
            changed = _compared(fault.change(given, self)) != _compared(value)
        except Exception:
            changed = True
        kept = all(map(is_, vars(self).values(), before.values()))
        if changed or not kept:
            trial.shown.add(fault.name)
            vars(self).update(before)

    def changes(self, seam: Seam[Any]) -> bool:
        """Whether a fault may change what goes through SEAM, for a query of this shape.

        A fault that cannot show is none beside others, either.
        """
        if seam not in self._changes:
            faults = [fault for fault, _ in self._faults.get(seam, ()) if id(fault) in self._had]
            used = query_features(self.query) if faults else frozenset()
            self._changes[seam] = any(fault.may_show(used) for fault in faults)
        return self._changes[seam]

    def has(self, *seams: Seam[Any]) -> bool:
        """Whether any of its own faults is at one of SEAMS."""
        faults = (fault for seam in seams for fault, _ in self._faults.get(seam, ()))
        return any(id(fault) in self._had for fault in faults)

    def looks_at(self, *seams: Seam[Any]) -> bool:
        """Whether any fault, its own or one that is tried, is at one of SEAMS."""
        return any(self._faults.get(seam) for seam in seams)

    def break_off(self) -> None:
        """Let no more values come; what faults make of a whole burst was not tried."""
        if (trial := self._trial) is not None:
            trial.is_broken_off = True
            trial.shown.update(fault.name for fault in trial.faults if fault.seam is BURST)

    def took(self, window: WindowState, arrival: Arrival) -> None:
        """Let it be known that WINDOW has taken ARRIVAL."""
        if self.changes(DUE):
            self.taken[window].append((arrival, window.opened_by(arrival.t)))

    def reporting(self, due: Due) -> list[WindowState]:
        """The windows that make DUE be evaluated."""
        return [w for w in self.windows if w.window.stream.value in due.seen_by[0]]

    def gave(self, due: Due, rows: int) -> None:
        """Let it be known that DUE has given so many ROWS."""
        if self.drifting:
            for window in self.reporting(due):
                window.drift += rows * window.window.slide

    def rewritten(self) -> Query:
        """The query that is evaluated in place of the registered one."""
        if not self._faults.keys() & {QUERY, PATTERN, CONDITION}:
            return self.evaluated
        query = self.through(QUERY, self.evaluated)
        return replace(query, pattern=rewritten_pattern(query.pattern, self._pattern))

    def _pattern(self, pattern: Pattern) -> Pattern:
        if isinstance(pattern, Filter):
            pattern = Filter(self.through(CONDITION, pattern.condition), pattern.pattern)
        return self.through(PATTERN, pattern)

    def terms(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Solutions with every bound term sent through TERM."""
        if TERM not in self._faults:
            return rows
        return [tuple(None if t is None else self.through(TERM, t) for t in row) for row in rows]


def _compared(value: Any) -> Any:
    """What makes two values of a seam equal."""
    if not isinstance(value, (list, tuple)) or hasattr(value, "_fields"):
        return value
    return [vars(v) | {"type": type(v)} if isinstance(v, WindowState) else _of(v) for v in value]


def _of(value: Any) -> Any:
    if isinstance(value, Due):
        return value.t, value.seen_by, value.background, [*map(tuple, value.contents)]
    return value
