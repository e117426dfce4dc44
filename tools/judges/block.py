"""A block of cases before all judges: the reference model, the judge on Spark, and `reference`.

Three answers to each case are judged: Ans(Q_z) as an engine may write it, the same one damaged, and
what `reference` answers when it is the engine. If the kit appends elements, so are answers that
these may have set off. The reference model and Spark's worker, which runs
here without Spark, have to give one verdict: right or wrong, from which instant, of which kind,
where, and which start is the nearest. `reference` has to say what the reference model expects, from
each start, and its own answers have to be right.

The worker gets the cases of a block as one share, for what they have in common is shared there.

Most blocks are of the suite's properties. Every fourth is of plain cases over all dials, which no
engine could be expected to run: policies within policies, any start, windows in the default graph.
"""

from __future__ import annotations

import pickle
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from random import Random

from rsp_conformance import limits
from rsp_conformance.diagnosis.reference import ReferenceFailed, by_evaluation, reference_answers
from rsp_conformance.files.profiles import profile_names
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Observed
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.errors import LeftOpen, Unsupported
from rsp_conformance.model.trial import Trial
from rsp_conformance.model.verdict import Vector, Verdict
from rsp_conformance.run.properties import SUITE, property_named
from rsp_conformance.run.reference_opinion import departure
from rsp_conformance.run.selection import not_applicable
from rsp_conformance.spark.batch.judge import Shipment
from rsp_conformance.spark.batch.tasks import Task
from rsp_conformance.spark.worker import prefilter
from rsp_conformance.spark.worker.judge import InternalError, judge_share
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.correctness import judge
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.printer.rspql import print_query
from tools.coverage.counting import subject_of
from tools.coverage.drawing import examples
from tools.judges.plain import damaged, random_case, with_late_answers, written_answers
from tools.judges.turns import turned

PLAIN = 4
"""Every so many blocks one is of plain cases."""
SIZE = 20
"""Cases of a block: of one property under one profile, for making their strategy takes its time."""
STARTS = 3
"""`reference` is asked from so many starts of a case at most; a start takes it a millisecond."""
LISTED = 500
"""Among so many first starts those are drawn: windows that slide by much have more."""
SHOWN = 12
"""So many elements and answers of a case are shown; ``--block`` brings it back whole."""
TIME = 20.0
"""Seconds of processor time that a case may take a judge; none that is drawn comes near."""


@dataclass(frozen=True)
class Block:
    """SIZE cases that NUMBER and SEED determine; ONLY are the properties of which, if any."""

    seed: str
    number: int
    size: int = SIZE
    only: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The options that bring the block back."""
        only = f" --only {' '.join(self.only)}" if self.only else ""
        return f"--seed {self.seed} --block {self.number} --size {self.size}{only}"

    @property
    def is_plain(self) -> bool:
        """Whether its cases are of no property."""
        return not self.only and self.number % PLAIN == PLAIN - 1

    @property
    def drawn_of(self) -> str:
        """The property of its cases, if it is not plain."""
        names = self.only or tuple(own.name for own in SUITE)
        number = self.number if self.only else self.number - self.number // PLAIN
        return names[number % len(names)]


@dataclass
class Found:
    """What became of the cases of blocks: counts by what was judged and what was said of it."""

    cases: int = 0
    judged: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)
    seconds: Counter[str] = field(default_factory=Counter)

    def add(self, other: Found) -> None:
        """Count what OTHER has counted as well."""
        self.cases += other.cases
        self.judged += other.judged
        self.refused += other.refused
        self.differences += other.differences
        self.seconds += other.seconds

    @contextmanager
    def spending(self, who: str) -> Iterator[None]:
        """Take down the processor time that is spent within."""
        start = time.process_time()
        try:
            yield
        finally:
            self.seconds[who] += time.process_time() - start  # type: ignore[assignment]


@dataclass(frozen=True)
class Asked:
    """Answers to a case, before the judges.

    Attributes:
        case: what was asked.
        dials: the semantics that it is judged by.
        observed: the answers.
        kind: whose they are, such as ``as written``, ``damaged`` or ``reference``.
        expectation: what the reference model says of the case, each Ans(Q_z) once.
        name: how a difference names the case.
    """

    case: Case
    dials: Dials
    observed: tuple[Observed, ...]
    kind: str
    expectation: Expectation
    name: str


def examined(block: Block) -> Found:
    """What the judges say of BLOCK."""
    found = Found()
    random = Random(f"{block.seed} {block.number}")
    with found.spending("drawing"):
        drawn = list(_plain(block, random) if block.is_plain else _drawn(block, random))
    with filtering(random.random() < 0.5):
        return examined_cases(
            (
                (f"block {block.number}, case {place} ({block.name})", case, dials)
                for place, (case, dials) in enumerate(drawn)
            ),
            random,
            found,
        )


def examined_cases(
    cases: Iterable[tuple[str, Case, Dials]], random: Random, found: Found | None = None
) -> Found:
    """What the judges say of cases.

    Args:
        cases: each with its name and the dials that it is judged by.
        random: chooses the starts that are compared, and how answers are written and damaged.
        found: what is counted already, if anything.
    """
    found = found or Found()
    asked: list[Asked] = []
    for name, case, dials in cases:
        found.cases += 1
        try:
            asked += _answers(case, dials, random, name, found)
        except (Unsupported, ValueError, LimitExceeded) as refusal:
            found.refused[f"specification: {_reason(refusal)}"] += 1
    judged(asked, found)
    return found


@contextmanager
def filtering(everything: bool) -> Iterator[None]:
    """Within, Spark's worker filters the smallest streams as well, if EVERYTHING is true."""
    fewest = prefilter.FEWEST
    if everything:
        prefilter.FEWEST = 0
    try:
        yield
    finally:
        prefilter.FEWEST = fewest


def _plain(block: Block, random: Random) -> Iterator[tuple[Case, Dials]]:
    return (random_case(random) for _ in range(block.size))


def _drawn(block: Block, random: Random) -> Iterator[tuple[Case, Dials]]:
    """Cases of one property under one profile, with dials turned."""
    property = property_named(block.drawn_of)
    profiles = [None, None, *profile_names()]
    random.shuffle(profiles)
    subject = next(
        own for own in map(subject_of, profiles) if not_applicable(property, own) is None
    )
    seed = f"{block.seed} {block.number}"
    drawn = examples(property, subject, block.size, seed, "bytes")
    stimuli = (stimulus for example in drawn for stimulus in Trial.of(example).stimuli)
    for stimulus in islice(stimuli, block.size):
        yield stimulus.case, turned(subject.dials_of(stimulus), random)


def _answers(case: Case, dials: Dials, random: Random, name: str, found: Found) -> Iterator[Asked]:
    """The answers to CASE that are judged; `reference` is compared with what is expected."""
    with found.spending("specification"), limited():
        expectation = Expectation(case, dials)
        starts = [*islice(expectation.queries(), LISTED)]
        chosen = random.sample(starts, min(STARTS, len(starts)))
        expected = expectation.answer(chosen[0])
    written = written_answers(random, expected, case, dials)
    yield Asked(case, dials, tuple(written), "as written", expectation, name)
    yield Asked(case, dials, damaged(random, written, case), "damaged", expectation, name)
    if dials.advances == "elements" and dials.answer_time != "evaluation":
        with found.spending("specification"), limited():
            later = expectation.later(chosen[0]) or ()
        late = with_late_answers(random, written, later, case)
        yield Asked(case, dials, late, "late", expectation, name)
        late = damaged(random, [*late], case)
        yield Asked(case, dials, late, "late and damaged", expectation, name)
    if expectation.undetermined:
        return
    try:
        with found.spending("reference"):
            _confirm(case, dials, chosen, name, found)
            own = reference_answers(case, dials, chosen[0])
    except (Unsupported, LimitExceeded) as refusal:
        found.refused[f"reference: {_reason(refusal)}"] += 1
    except ReferenceFailed as error:
        found.differences.append(_difference(name, case, dials, (), f"reference fails: {error}"))
    else:
        yield Asked(case, dials, own, "reference", expectation, name)


def _confirm(case: Case, dials: Dials, chosen: Sequence[Vector], name: str, found: Found) -> None:
    """`reference` says from each of the CHOSEN starts what the reference model expects."""
    plain = by_evaluation(dials)
    expectation = Expectation(case, plain)
    # What the kit appends, if elements alone are the clock, may be what windows start from.
    legal = {*islice(expectation.queries(), LISTED)}
    for starts in filter(legal.__contains__, chosen):
        answers = reference_answers(case, plain, starts)
        with limited():
            parted = departure(expectation, starts, answers)
            if expectation.undetermined:
                found.refused["expectation: an answer that the texts leave open"] += 1
                return
        found.judged["expectation", "reference differs" if parted else "reference agrees"] += 1
        if parted is not None:
            said = f"t0 = {starts}: reference and specification differ, {parted}"
            found.differences.append(_difference(name, case, plain, answers, said))


def judged(asked: Sequence[Asked], found: Found) -> None:
    """Count in FOUND what both judges say of all that is ASKED."""
    shipment = Shipment()
    tasks = [Task(str(place), own.case, own.dials, own.observed) for place, own in enumerate(asked)]
    with found.spending("Spark's worker"):
        packed = pickle.dumps([shipment.case(task, judged=True) for task in tasks], protocol=5)
        verdicts = [result.found for result in judge_share(pickle.loads(packed), TIME)]
    limits.allow(limits.SECONDS)
    for own, theirs in zip(asked, verdicts, strict=True):
        with found.spending("specification"):
            ours = _verdict(own)
        if isinstance(ours, LimitExceeded) or isinstance(theirs, LimitExceeded):
            found.refused["a judge: took too long"] += 1
            continue
        said = told(ours)
        if (
            isinstance(ours, LeftOpen)
            and isinstance(theirs, Verdict)
            and told(_settled(own)) == told(theirs)
        ):
            found.refused[f"specification alone: {_reason(ours)}"] += 1
            continue
        if said != told(theirs) and not _does_as_well(own, ours, theirs):
            text = f"specification: {said}\n  Spark's worker: {told(theirs)}"
            found.differences.append(_difference(own.name, own.case, own.dials, own.observed, text))
            found.judged[own.kind, "judges differ"] += 1
        elif not isinstance(ours, Verdict):
            found.refused[f"both judges: {_reason(ours)}"] += 1
        else:
            found.judged[own.kind, kind_of(ours)] += 1
            if own.kind == "reference" and not ours.correct:
                text = f"the answers of reference are judged wrong: {ours}"
                found.differences.append(
                    _difference(own.name, own.case, own.dials, own.observed, text)
                )


def _verdict(asked: Asked) -> Verdict | Exception:
    try:
        with limited():
            return judge(asked.case, asked.dials, asked.observed, asked.expectation)
    except (Unsupported, ValueError, LimitExceeded) as refusal:
        return refusal


class _Settled(Expectation):
    """What is due by the kit's own reading of points that are not judged."""

    @property
    def undetermined(self) -> str | None:
        return None

    @undetermined.setter
    def undetermined(self, point: str | None) -> None:
        pass


def _settled(asked: Asked) -> Verdict | Exception:
    """The reference model's verdict if no point were open.

    Spark's worker leaves out what cannot change a solution, such as an EXISTS of a row that another
    FILTER drops; so it judges where the reference model has met an open point on such a row.
    """
    return _verdict(replace(asked, expectation=_Settled(asked.case, asked.dials)))


def told(found: object) -> tuple[object, ...]:
    """What a user reads: the verdict, or why there is none."""
    if isinstance(found, InternalError):
        return "fails", str(found)
    if not isinstance(found, Verdict):
        return ("refused", type(found).__name__)
    parted = found.divergence
    where = (parted.kind, parted.t) if parted is not None else ()
    return (found.correct, found.t_s, found.t0, *where)


def kind_of(verdict: Verdict) -> str:
    """Right, or the kind of the failure."""
    return "right" if verdict.divergence is None else verdict.divergence.kind.value


def _does_as_well(asked: Asked, ours: object, theirs: object) -> bool:
    """Whether both call the answer right, and by the reference model it is from either start."""
    if not (isinstance(ours, Verdict) and isinstance(theirs, Verdict)):
        return False
    if not (ours.correct and theirs.correct and ours.t_s == theirs.t_s):
        return False
    answer = asked.expectation.answer(theirs.t0)
    case, dials = asked.case, asked.dials
    later = partial(asked.expectation.later, theirs.t0)
    return compare(answer, asked.observed, case, dials, ours.t_s, later=later).divergence is None


def _difference(
    name: str, case: Case, dials: Dials, observed: Sequence[Observed], said: str
) -> str:
    plain = Dials()
    own = {name: dials.text(name) for name in DIALS if dials.text(name) != plain.text(name)}
    return "\n  ".join(
        (
            name,
            said,
            f"dials: {own}",
            *print_query(case.query, duration="instants", unit=dials.unit).splitlines(),
            f"registered {case.registered}, until {case.until}",
            f"elements: {_first(case.elements)}",
            f"background: {case.background}",
            f"answers: {_first(observed)}",
        )
    )


def _first(members: Sequence[object]) -> str:
    """The first few of MEMBERS, and how many more there are."""
    more = len(members) - SHOWN
    shown = ", ".join(map(str, members[:SHOWN]))
    return f"{shown} and {more} more" if more > 0 else shown


def _reason(refusal: Exception) -> str:
    return " ".join(str(refusal).removeprefix("not evaluated by this kit: ").split())[:90]
