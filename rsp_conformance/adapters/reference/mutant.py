"""Mutants: the engine with one bug built in, as a function that changes one value on its way.

The kit needs engines whose bugs are known: to measure which property finds which bug, and to
predict the answers of an engine that may have one (see `rsp_conformance.causes`). A copy of the
engine per bug would have to follow every change of it, and could not combine two bugs. So the
engine is written once, and sends the values that bugs change through **seams**: the query, a
window's content, the instants at which it is evaluated, and so on. A mutant is a function at one
seam, from the right value to the wrong one.

Without mutants, every value passes a seam unchanged. With several, each mutant gets the value that
the one before has made, in the order of their names, so that any set of mutants is one well-defined
engine. The mutants of a `TriedMutants` are tried beside: the run notes whether each of them would
have changed any value, which proves for the others, in a single run, that they do not show in the
case. The cost is a look-up per seam and value; each mutant that is tried adds a call.
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
from rsp_conformance.model.usage import query_features
from rsp_conformance.model.walk import rewritten_pattern

Value = TypeVar("Value")


@dataclass(frozen=True, eq=False)
class Seam(Generic[Value]):
    """A place where the engine lets mutants change a value.

    Attributes:
        name: a description of the value.
    """

    name: str


DIALS = Seam[Dials]("the dials that the engine obeys")
PARSED = Seam[Query]("the query as the parser hands it on")
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
SOLUTIONS = Seam[Sequence[Row]]("the solutions of an evaluation, before the streaming operator")
STREAMED = Seam[Sequence[Row]]("the rows of an answer, after the streaming operator")
NOTED = Seam[list[Due]]("the evaluation that takes place at an instant, alone in its list")
DUE = Seam[list[Due]]("the evaluations that an arrival makes due, in the order of their instants")
INSTANT = Seam[int]("the instant that an answer reports")
ANSWERS = Seam[list[dict[str, Any]]](
    "the answers that became due at once, as they leave the engine"
)
BURST = Seam[list[dict[str, Any]]]("all answers to elements that came without a pause")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A bug that can be built into the engine.

    Attributes:
        name: the name that users write in ``fault=NAME``.
        summary: the wrong behaviour, in one sentence.
        imitates: the engine, and the place, in which the bug was seen.
        seam: the seam whose value it changes.
        change: returns the wrong value from the right one, for a registered query.
        needs: features that a case must use for the mutant to show: all of one of these sets.
        dials: settings other than plain RSP-QL's under which it shows.
        where: the other conditions on a case, in words.
        count: the option of the engine with the number of answers or elements after which it
            shows (``MutatedRun.counts``); empty for mutants that show at once.
        fatal: whether it ends the process in which it runs.
        relation: the name of the metamorphic test that is made to show it; empty for others.
        otherwise: alternatives to `change`; an engine with the mutant does one of them, and
            nothing in the case decides which.
        unordered: whether an engine with it may send the answers of a burst in any order.
        mute: whether an engine with it never sends a row, so that hardly another mutant shows.
        by_time: whether it is about windows by time that end at the present, and leaves queries
            with others as they are.
    """

    name: str
    summary: str
    imitates: str
    seam: Seam[Any]
    change: Callable[[Any, MutatedRun], Any]
    needs: tuple[frozenset[str], ...] = (frozenset(),)
    dials: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    count: str = ""
    fatal: bool = False
    relation: str = ""
    otherwise: tuple[Callable[[Any, MutatedRun], Any], ...] = ()
    unordered: bool = False
    mute: bool = False
    by_time: bool = False

    @property
    def variants(self) -> tuple[Mutant, ...]:
        """Return a mutant for each alternative, this one first; each has a single change."""
        return (self, *(replace(self, change=change, otherwise=()) for change in self.otherwise))

    @property
    def features(self) -> frozenset[str]:
        """Return all features that a case may need for the mutant to show."""
        return frozenset().union(*self.needs)

    def may_show(self, used: frozenset[str]) -> bool:
        """Return whether the mutant may change the answer to a case with the features `used`."""
        return any(needed <= used for needed in self.needs)


def mutant(
    seam: Seam[Value],
    imitates: str,
    *,
    needs: str = "",
    dials: Mapping[str, str] | None = None,
    where: str = "",
    count: str = "",
    fatal: bool = False,
    relation: str = "",
    otherwise: tuple[Callable[[Any, MutatedRun], Any], ...] = (),
    unordered: bool = False,
    mute: bool = False,
    by_time: bool | None = None,
) -> Callable[[Callable[[Value, MutatedRun], Value]], Mutant]:
    """Make a mutant from a function, whose name and docstring become the mutant's.

    Args:
        seam: the seam whose value the function changes.
        imitates: the engine, and the place, in which the bug was seen.
        needs: the features that a case must use, with ``|`` between alternatives.
        dials: see `Mutant`, as for the other arguments.
        where: see `Mutant`.
        count: see `Mutant`.
        fatal: see `Mutant`.
        relation: see `Mutant`.
        otherwise: see `Mutant`.
        unordered: see `Mutant`.
        mute: see `Mutant`.
        by_time: see `Mutant`; None is true at the seams of windows and of evaluations.
    """
    timed = seam in (WINDOWS, NOTED, DUE) if by_time is None else by_time

    def made(change: Callable[[Value, MutatedRun], Value]) -> Mutant:
        return Mutant(
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
            timed,
        )

    return made


@dataclass(slots=True)
class TriedMutants:
    """Mutants that a run does not have, but tries on every value that passes through its seams.

    A run that also had one of them would be the same until this mutant changes a value. So a
    mutant that is not in ``shown`` at the end changes no answer; if the run was broken off, no
    answer up to there.

    Attributes:
        mutants: the mutants to try.
        shown: the names of those that would have changed a value.
        is_broken_off: whether the run ended before the case did.
    """

    mutants: Sequence[Mutant]
    shown: set[str] = field(default_factory=set)
    is_broken_off: bool = False


class MutatedRun:
    """A registered query at work, as its mutants see it.

    Attributes:
        query: the query as it was registered.
        evaluated: the query that goes through PARSED, then QUERY; its windows are those behind
            WINDOWS.
        counts: the values of the options that `Mutant.count` names.
        windows: all windows; set before WINDOWS.
        window: the window of the element at READS, or of the content at CONTENT.
        background: the background data of the evaluation.
        newest: the element that was received last.
        has_ended: whether nothing more comes.
        settled: whether each element waits for the answers to the element before.
        taken: the elements that each window has taken, each with the closing instants of the
            window instances that it opened (``WindowState.opened_by``); only for mutants at DUE.
        drifting: whether each row that a window reports moves the window's ``drift``.
        memory: the state of a mutant between its calls; each mutant has its own.
    """

    window: WindowState
    background: BackgroundVersion
    memory: dict[Any, Any]

    def __init__(
        self,
        query: Query,
        mutants: Iterable[Mutant] = (),
        counts: Mapping[str, int] | None = None,
        trial: TriedMutants | None = None,
        *,
        settled: bool = False,
    ) -> None:
        self.query = self.evaluated = query
        self.counts = counts or {}
        self.settled = settled
        self.windows: Sequence[WindowState] = ()
        self.newest: Arrival | None = None
        self.has_ended = False
        self.taken: defaultdict[WindowState, list[tuple[Arrival, set[int]]]] = defaultdict(list)
        self.drifting = False
        self._mutants: dict[Seam[Any], list[tuple[Mutant, dict[Any, Any]]]] = {}
        self._changes: dict[Seam[Any], bool] = {}
        self._trial = trial
        had = _touching(query, mutants)
        tried = _touching(query, trial.mutants if trial else ())
        # By name, so that the same mutants are the same engine, however they are listed.
        for mutant in sorted((*had, *tried), key=lambda f: f.name):
            self._mutants.setdefault(mutant.seam, []).append((mutant, {}))
        self._had = {*map(id, had)}
        if trial is not None and not self.changes(DUE):
            # They make evaluations wait, so only a run whose evaluations wait can try them.
            trial.shown.update(mutant.name for mutant in tried if mutant.seam is DUE)

    def through(self, seam: Seam[Value], value: Value) -> Value:
        """Send a value through a seam, and return it as the mutants leave it."""
        for mutant, memory in self._mutants.get(seam, ()):
            self.memory = memory
            if id(mutant) in self._had:
                value = mutant.change(value, self)
            elif self._trial is not None and mutant.name not in self._trial.shown:
                self._try(mutant, value, self._trial)
        return value

    def _try(self, mutant: Mutant, value: Any, trial: TriedMutants) -> None:
        """Note whether a mutant would change the value, or the state that other mutants see."""
        before = dict(vars(self))
        copied = [*map(copy, value)] if mutant.seam is WINDOWS else value
        try:
            changed = _compared(mutant.change(copied, self)) != _compared(value)
        except Exception:
            changed = True
        kept = all(map(is_, vars(self).values(), before.values()))
        if changed or not kept:
            trial.shown.add(mutant.name)
            vars(self).update(before)

    def changes(self, seam: Seam[Any]) -> bool:
        """Return whether one of the run's own mutants may change values at a seam.

        A mutant that cannot show for a query of these features does not count.
        """
        if seam not in self._changes:
            mutants = [
                mutant for mutant, _ in self._mutants.get(seam, ()) if id(mutant) in self._had
            ]
            used = query_features(self.query) if mutants else frozenset()
            self._changes[seam] = any(mutant.may_show(used) for mutant in mutants)
        return self._changes[seam]

    def has(self, *seams: Seam[Any]) -> bool:
        """Return whether any of the run's own mutants is at one of the seams."""
        mutants = (mutant for seam in seams for mutant, _ in self._mutants.get(seam, ()))
        return any(id(mutant) in self._had for mutant in mutants)

    def looks_at(self, *seams: Seam[Any]) -> bool:
        """Return whether any mutant, the run's own or a tried one, is at one of the seams."""
        return any(self._mutants.get(seam) for seam in seams)

    def break_off(self) -> None:
        """Note that the run ends early, before the mutants of whole bursts were tried."""
        if (trial := self._trial) is not None:
            trial.is_broken_off = True
            trial.shown.update(mutant.name for mutant in trial.mutants if mutant.seam is BURST)

    def took(self, window: WindowState, arrival: Arrival) -> None:
        """Note that a window has taken an element."""
        if self.changes(DUE):
            self.taken[window].append((arrival, window.opened_by(arrival.t)))

    def reporting(self, due: Due) -> list[WindowState]:
        """Return the windows that require the evaluation."""
        return [w for w in self.windows if w.window.stream.value in due.seen_by[0]]

    def gave(self, due: Due, rows: int) -> None:
        """Note the number of rows of an evaluation."""
        if self.drifting:
            for window in self.reporting(due):
                window.drift += rows * window.window.slide

    def rewritten(self) -> Query:
        """Return the query that is evaluated instead of the registered one."""
        if not self._mutants.keys() & {PARSED, QUERY, PATTERN, CONDITION}:
            return self.evaluated
        query = self.through(QUERY, self.through(PARSED, self.evaluated))
        return replace(query, pattern=rewritten_pattern(query.pattern, self._pattern))

    def _pattern(self, pattern: Pattern) -> Pattern:
        if isinstance(pattern, Filter):
            pattern = Filter(self.through(CONDITION, pattern.condition), pattern.pattern)
        return self.through(PATTERN, pattern)

    def terms(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return solutions with every bound term sent through TERM."""
        if TERM not in self._mutants:
            return rows
        return [tuple(None if t is None else self.through(TERM, t) for t in row) for row in rows]


def _touching(query: Query, mutants: Iterable[Mutant]) -> tuple[Mutant, ...]:
    """Return the mutants that do not leave a query as it is because of its windows."""
    others = any(not own.is_by_time or own.lag is not None for own in query.windows)
    return tuple(mutant for mutant in mutants if not (others and mutant.by_time))


def _compared(value: Any) -> Any:
    """Return a value that is equal for equal values of a seam."""
    if not isinstance(value, (list, tuple)) or hasattr(value, "_fields"):
        return value
    return [vars(v) | {"type": type(v)} if isinstance(v, WindowState) else _of(v) for v in value]


def _of(value: Any) -> Any:
    if isinstance(value, Due):
        return value.t, value.seen_by, value.background, [*map(tuple, value.contents)]
    return value
