"""What a burn-in found, in values, in sentences, and as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rsp_conformance.burnin.locate import Search, WrongStretch, is_short
from rsp_conformance.burnin.metrics import MB, Growth
from rsp_conformance.burnin.session import BurnInSession
from rsp_conformance.diagnosis.cause import CAUSES, Cause
from rsp_conformance.explain.document import Block, Code, Command, Facts, Prose, plain
from rsp_conformance.explain.render.listing import apart
from rsp_conformance.files.codec import Format, Keys
from rsp_conformance.model.errors import last_words
from rsp_conformance.model.finding import EngineFailure
from rsp_conformance.model.windows import by_time
from rsp_conformance.protocol import Failure
from rsp_conformance.run.causes import sentences_on
from rsp_conformance.run.events import PropertyFinished
from rsp_conformance.run.outcome import BURN_IN
from rsp_conformance.run.report import FailureReport
from rsp_conformance.run.tally import Tally
from rsp_conformance.spark.stream.long_judge import Standing

CORRECT: Final = "correct"
WRONG: Final = "wrong"
NOT_TESTED: Final = "not tested"
UNSTABLE: Final = "unstable"


@dataclass(frozen=True, slots=True)
class BurnIn:
    """One engine on one long stream: a session that has ended, judged and searched.

    ``standing`` is the verdict by Definition 26 (None: nothing was compared), ``search``
    what came of looking for the shortest stretch, where it is wrong. Memory is the peak in bytes:
    of the engine's processes in the session (0: it has none of its own), ``kit_bytes`` of the kit,
    Spark included.
    """

    session: BurnInSession
    standing: Standing | None
    growths: tuple[Growth, ...]
    search: Search | None
    seconds: float
    kit_bytes: int

    @property
    def engine(self) -> str:
        """The engine's own name."""
        return self.session.subject.hello.engine

    @property
    def elements(self) -> int:
        """How many elements were taken by the engine."""
        return self.session.feeding.elements

    @property
    def failure(self) -> Failure | None:
        """How the engine was lost, if it was."""
        return self.session.feeding.failure

    @property
    def evaluations(self) -> int:
        """How many evaluations were compared, for all t0."""
        return 0 if self.standing is None else self.standing.evaluations

    @property
    def stretch(self) -> WrongStretch | None:
        """The shortest stretch that shows what is wrong, where one was found."""
        return None if self.search is None else self.search.stretch

    @property
    def verdict(self) -> str:
        """Definition 26's verdict on what was compared; not tested where nothing could be wrong."""
        if self.standing is None or self.dispute:
            return NOT_TESTED
        if not self.standing.verdict.correct:
            return WRONG
        return CORRECT if self.session.feeding.non_empty else NOT_TESTED

    @property
    def dispute(self) -> str:
        """What the kit's own judges differ on in what was taken for wrong."""
        return "" if self.stretch is None else self.stretch.dispute

    @property
    def kinds(self) -> tuple[str, ...]:
        """Everything that is wrong, performance included, worst first; empty where nothing is."""
        found = []
        divergence = None if self.standing is None else self.standing.verdict.divergence
        if divergence is not None and not self.dispute:
            found.append(divergence.kind.value)
        if _unsteady(self.stretch):
            found.append(UNSTABLE)
        if self.failure is not None:
            found.append(self.failure.kind)
        return (*found, *(growth.kind for growth in self.growths))

    @property
    def well(self) -> bool:
        """Whether the engine was tested and nothing is wrong with it."""
        return self.verdict == CORRECT and not self.kinds

    @property
    def t0(self) -> dict[str, int | None]:
        """The vector that makes the answers right (or the nearest), by window."""
        query = self.session.case.query
        starts = () if self.standing is None else self.standing.verdict.t0
        return {query.shorten(w.name): t0 for w, t0 in zip(query.windows, starts, strict=False)}

    def because(self) -> str:
        """Why the verdict is what it is, and all else that was found, in sentences."""
        sentences = [*_lost(self), *_compared(self), *_searched(self)]
        sentences += [f"{growth.text()}." for growth in self.growths]
        return " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)

    def to_json(self) -> dict[str, Any]:
        """The result as the command line prints it."""
        stretch, engine_bytes = self.stretch, self.session.engine_bytes
        document = BurnInJson(
            engine=self.engine,
            elements=self.elements,
            answers=self.session.feeding.answers,
            evaluations=self.evaluations,
            verdict=self.verdict,
            t0=self.t0,
            kinds=self.kinds,
            reached=self.session.feeding.reached,
            because=self.because(),
            seconds=round(self.seconds, 1),
            memory_mb=MemoryJson(
                engine=round(engine_bytes / MB) if engine_bytes else None,
                kit=round(self.kit_bytes / MB),
            ),
            stretch=None
            if stretch is None
            else StretchJson(stretch.since, stretch.until, stretch.kept),
            causes=() if stretch is None else stretch.causes,
        )
        return BURN_INS.write(BurnInJson, document)  # type: ignore[no-any-return]

    def finished(self, seconds: float) -> PropertyFinished:
        """Return how it ends as a property; evaluations are what was compared.

        Args:
            seconds: how long it took.
        """
        tally = Tally(compared=0 if self.verdict == NOT_TESTED else self.evaluations)
        counts = {**tally.counts(), "elements": self.elements}
        if self.well:
            return PropertyFinished(BURN_IN, "passed", counts=counts, seconds=seconds)
        note = f"{self.engine}: {', '.join(self.kinds) or self.verdict}"
        return PropertyFinished(BURN_IN, "failed", note, note, counts, seconds=seconds)

    def lines(self, width: int) -> Iterator[str]:
        """Yield what was found.

        Args:
            width: the most columns of a line; only the command to copy may be longer.
        """
        yield from map(plain, apart(self._groups(), width))
        if self.stretch is not None and self.stretch.shown:
            reporter = FailureReport(self.session.config.keeper)
            reporter.width = width
            yield ""
            yield reporter.text(self.stretch.shown)

    def _groups(self) -> Iterator[Sequence[Block]]:
        """What was found, in groups of blocks."""
        fed, hello = self.session.feeding, self.session.subject.hello
        kinds = ", ".join(self.kinds)
        head = f"{self.verdict}{f' ({kinds})' if kinds else ''}"
        if kinds and self.verdict == CORRECT:
            # What is wrong comes first, lest a reader stop at the first word.
            judged = 0 if self.standing is None else self.standing.upto
            head = f"{kinds} (answers correct up to instant {judged:,})"
        profile = self.session.subject.profile.name
        yield (Prose((f"{head}: {hello.engine} {hello.version}, under profile {profile}",)),)
        memory = f"{self.kit_bytes / MB:,.0f} MB the kit with Spark"
        if self.session.engine_bytes:
            memory = f"{self.session.engine_bytes / MB:,.0f} MB the engine, {memory}"
        facts = (
            ("elements", f"{fed.elements:,} of {self.session.config.size:,}"),
            ("reached", f"instant {fed.reached:,}"),
            ("answers", f"{fed.answers:,}; {self.evaluations:,} evaluations compared for all t0"),
            ("t0", ", ".join(f"{window}={t0}" for window, t0 in self.t0.items())),
            ("time", f"{self.seconds:,.1f} s"),
            ("memory", f"at most {memory}"),
        )
        yield (Facts(tuple(fact for fact in facts if fact[1])),)
        yield (Prose((self.because(),)),)
        if self.failure is not None and self.failure.stderr:
            said = Prose(("The driver's last lines on standard error:",))
            yield said, Code(tuple(last_words(self.failure.stderr, 10)))
        yield Prose(("The same again:",)), Command(self.session.config.command)


@dataclass(frozen=True, kw_only=True, slots=True)
class MemoryJson:
    """Peaks in megabytes; None for an engine without processes of its own."""

    engine: int | None
    kit: int


@dataclass(frozen=True, slots=True)
class StretchJson:
    """A stretch of the stream, and how many of its elements are needed."""

    since: int
    until: int
    elements: int


@dataclass(frozen=True, kw_only=True, slots=True)
class BurnInJson:
    """The result of a burn-in."""

    engine: str
    elements: int
    answers: int
    evaluations: int
    """What was compared, for all t0."""
    verdict: str
    t0: Mapping[str, int | None]
    """When each window opens, if the answers are right with that, or come nearest to it."""
    kinds: tuple[str, ...]
    """All that is wrong, worst first."""
    reached: int
    """The last instant that the engine was told of."""
    because: str
    seconds: float
    memory_mb: MemoryJson
    stretch: StretchJson | None
    """The shortest stretch that shows what is wrong."""
    causes: tuple[Mapping[str, Any], ...]
    """As a run report has them."""


BURN_INS: Final = Format({StretchJson: Keys("from=since until elements")})
"""Results as `--format json` shows them."""


def _lost(found: BurnIn) -> Iterator[str]:
    if (failure := found.failure) is not None:
        at = f"after {found.elements:,} elements, at instant {found.session.feeding.reached:,}"
        yield f"the engine was lost {at} ({failure.kind}: {failure.message.rstrip('.')})."


def _compared(found: BurnIn) -> Iterator[str]:
    if found.standing is None:
        yield "nothing was compared: the engine was lost before anything could be judged."
        return
    verdict = found.standing.verdict
    compared = f"from t_s={verdict.t_s} to {found.standing.upto:,}"
    if found.verdict == NOT_TESTED and not found.dispute:
        yield (
            f"no answer was ever non-empty {compared}, and none had to be: the query and the "
            "stream have nothing in common, so this says nothing about the engine."
        )
    elif found.dispute:
        yield (
            "the kit's own judges differ on a stretch that one of them calls wrong: that is "
            f"a bug of the kit; please report it: {found.dispute}."
        )
    elif verdict.correct:
        count = len(found.standing.alive)
        way = "one t0 vector makes" if count == 1 else f"{count} t0 vectors make"
        yield f"{way} all answers right {compared}."
    else:
        divergence = verdict.divergence
        assert divergence is not None
        at = "" if divergence.t is None else f" at t={divergence.t:,}"
        yield (
            f"no t0 vector makes the answers right: the one that agrees longest parts from them "
            f"by {_article(divergence.kind.value)}{at}."
        )


def _article(kind: str) -> str:
    if kind.endswith("s") or kind == "silent":
        return {"silent": "silence"}.get(kind, kind)
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _searched(found: BurnIn) -> Iterator[str]:
    search = found.search
    if search is None:
        return
    if search.trouble:
        yield f"the search for the shortest stretch was ended by the engine: {search.trouble}."
    if search.stretch is None and not search.trouble:
        stretches = "1 stretch" if search.tried == 1 else f"{search.tried} stretches"
        yield (
            f"fresh engines were not wrong again on {stretches} up to there"
            + (", and then the time for the search was over." if search.cut else ".")
            + " Short stretches are given as one case: what shows only in pieces is not seen there."
        )
    if search.stretch is not None:
        yield from _stretch(found.session, search.stretch)


def _stretch(session: BurnInSession, stretch: WrongStretch) -> Iterator[str]:
    where = f"{stretch.since:,} to {stretch.until:,}"
    step = {None: "; no later start was tried for want of time", 1: ""}.get(
        stretch.step, f"; from {stretch.since + (stretch.step or 0):,} on it does not show"
    )
    shortest = f"the shortest stretch that shows it is from instant {where}{step}"
    if not is_short(stretch):
        slides = [own.slide for own in by_time(session.case.query.resolved_windows(session.dials))]
        closed = (stretch.until - stretch.since) // min(slides, default=1)
        closing = f", {closed:,} windows" if slides else ""
        yield (
            f"it needs its history: {stretch.elements:,} elements{closing}, from "
            f"instant {where}, on an engine registered at {stretch.since:,}{step}."
        )
    elif stretch.finding is None:
        yield f"{shortest}."
    elif not stretch.kept:
        yield f"{shortest}; it shows without any element."
    else:
        verb = "is" if stretch.kept == 1 else "are"
        elements = "element" if stretch.elements == 1 else "elements"
        yield (
            f"{shortest}; of its {stretch.elements:,} {elements} {stretch.kept:,} {verb} enough."
        )
    if stretch.said:
        yield stretch.said
    for shown in stretch.shown[:1]:
        yield shown.confirmed
    if (unsteady := _unsteady(stretch)) is not None:
        yield f"{unsteady.message}."
    for cause in (CAUSES.read(Cause, cause) for cause in stretch.causes):
        if cause.is_explained:
            yield f"behind it stands {cause.id}: {sentences_on(cause)}"


def _unsteady(stretch: WrongStretch | None) -> EngineFailure | None:
    """Return what is said of a stretch's case that another run answers differently."""
    failures = (own.finding.failure for own in (() if stretch is None else stretch.shown))
    return next((own for own in failures if own is not None and own.kind == UNSTABLE), None)
