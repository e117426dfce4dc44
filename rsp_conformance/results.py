"""What the public face gives back: a case under a profile, its answers, a judgement, a suite's run.

Immutable values that show themselves as text, as ``to_dict()``, and in notebooks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from rsp_conformance.diagnosis.cause import Cause
from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.document import (
    Block,
    Document,
    Heading,
    Prose,
    Section,
    Span,
    TimelineBlock,
    plain,
    table_of,
)
from rsp_conformance.explain.evidence.argued import nearest
from rsp_conformance.explain.render.argument import because
from rsp_conformance.explain.render.case import case_document
from rsp_conformance.explain.render.failure import failure_document
from rsp_conformance.explain.render.html import MOST, written
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.listing import listing
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.explain.render.terminal import text
from rsp_conformance.explain.render.timeline import draw, timeline
from rsp_conformance.explain.situation import Situation
from rsp_conformance.files.answers import ANSWERS
from rsp_conformance.files.fields import exact
from rsp_conformance.files.files import parse_json, read_text
from rsp_conformance.files.recordings import check_recording, read_recording
from rsp_conformance.glance import blocks, picture
from rsp_conformance.judge.flood import FLOOD, too_many_rows
from rsp_conformance.judge.spans import check_spans
from rsp_conformance.judge.vacuity import nothing_compared
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Evaluation, Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import BadInput, LeftOpen, reading
from rsp_conformance.model.finding import EngineFailure, Finding
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.verdict import Kind, Vector
from rsp_conformance.model.windows import CountWindow, SlidingWindow, by_time
from rsp_conformance.protocol import EngineError, Failure, read_run
from rsp_conformance.run.causes import labels, note, sentences_on
from rsp_conformance.run.events import (
    EVENTS,
    MOMENTARY,
    Event,
    FindingConfirmed,
    PropertyFinished,
)
from rsp_conformance.run.outcome import RunOutcome
from rsp_conformance.sparql.canonical import as_kept
from rsp_conformance.spec import correctness
from rsp_conformance.spec.readings import why_open
from rsp_conformance.spec.starts import legal_starts, rspql_queries
from rsp_conformance.spec.trace import Expectation, TraceStep

WIDTH = 80
"""Columns of everything that is text."""


CASE_LINES = 15
"""The lines of a case in an interactive session: it leaves room for what is done with it."""


STEPS_TOLD = 100
"""After so many evaluations somebody hears how far they are: about 25 ms."""


class _Told(Expectation):
    """An expectation that tells how many instants its trace has passed, and of how many."""

    tell: Callable[[int, int], None] = staticmethod(lambda *_: None)

    def steps(self, starts: Vector) -> Iterator[TraceStep]:
        """Yield the trace step by step."""
        first, whole = self.case.registered, self.case.until - self.case.registered + 1
        for number, step in enumerate(super().steps(starts)):
            if number % STEPS_TOLD == 0:
                self.tell(step.moment.t - first, whole)
            yield step


@dataclass(frozen=True, repr=False)
class ProfiledCase:
    """A case under a profile; ``notes`` say what one should know of how it was read.

    ``assumed`` are the first of them, on which all else rests: at which instant the query was
    registered, if that was not said (`assumed_registration`).
    """

    case: Case
    profile: Profile
    dials: Dials
    notes: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    _mark: str = ""

    def __repr__(self) -> str:
        return text(self._document, width=WIDTH, max_lines=CASE_LINES, is_kept=False)

    def _repr_html_(self) -> str:
        return str(written((*self._document.blocks, *self._picture())))

    @property
    def _document(self) -> Document:
        return case_document(self.case, self.dials, self.profile.title)

    def _picture(self) -> Iterator[Block]:
        """The timeline for one permitted start, with the expected answers if it is drawn soon."""
        try:
            with _drawing():
                starts = next(rspql_queries(self.case, self.dials))
                named = Notation(self.case).starts(starts)
                situation = Situation(Expectation(self.case, self.dials), starts, None)
                title = f"Timeline{f', with {named}' if named else ''}"
                yield Section(title, TimelineBlock(situation))
        except BadInput as error:
            yield Prose((f"{error}",))

    def answers(
        self,
        t0: Mapping[str, int] | None = None,
        *,
        spark: bool = False,
        tell: Callable[[int, int], None] = lambda *_: None,
    ) -> Answers:
        """Return Ans(Q), if every window has its t0 (Def. 24).

        Args:
            t0: the t0 of windows by name; the dial decides for the others.
            spark: whether Spark computes it, in its own session, and not the reference model.
            tell: a function that is called from time to time with how many instants the reference
                model has passed, and of how many.

        Raises:
            BadInput: that takes more than it may (`limits`), or a t0 is missing.
        """
        starts = self.starts(t0 or {})
        with reading(""):
            check_spans(self.case, self.dials, starts, self._mark)
        if spark:
            from rsp_conformance.spark.judge_alone import answer_by_spark

            with reading(""):
                return Answers(self, starts, answer_by_spark(self.case, self.dials, starts))
        with reading(""), limited():
            expectation = _Told(self.case, self.dials)
            expectation.tell = tell
            found = expectation.answer(starts)
            open_point = why_open(expectation, starts)
        return Answers(self, starts, found, open_point)

    def judge(self, observed: object, *, spark: bool = False) -> Judgement:
        """Return whether an engine's answers are right (Def. 26).

        Many times the rows that are due are not compared: the judgement is a failure. If the texts
        leave the answer open the judgement says so, and neither `correct` nor `wrong`.

        If the registration was assumed and the answers are wrong, they are judged again with it
        earlier, so that windows may begin before the first element: by a slide, by a width, by
        both, and by as much as the first answer shows. `Judgement.assumed` says which it is that
        makes them right. If none does, the judgement is of the one under which they are right for
        longest.

        Args:
            observed: a reply of the protocol, its list of answers, the path of a file with either,
                or `Observed` values.
            spark: whether Spark judges, in its own session.

        Raises:
            BadInput: the answers cannot be read, or judging takes more than it may (`limits`).
        """
        answers = read_observed(observed, self.case, self._mark, self.dials.unit)
        first = self.judged(answers, spark=spark)
        if not (self.assumed and first.wrong):
            return first
        tried = [(self.case.registered, first)]
        for earlier in self._registered_earlier(answers):
            with suppress(BadInput):  # It takes too long, say: what was found stands.
                if not (again := earlier.judged(answers, spark=spark)).wrong:
                    return again
                tried.append((earlier.case.registered, again))
        _, best = max(tried, key=lambda own: _right_until(own[1]))
        instants = ", ".join(str(registered) for registered, _ in tried)
        advice = (
            f"Tried as the instant of registration: {instants}. "
            f"If it was another, say so by {self._mark}registered."
        )
        return replace(best, advice=advice)

    def _registered_earlier(self, answers: tuple[Observed, ...]) -> Iterator[ProfiledCase]:
        """This case, registered before its first element; none if the query has no windows."""
        windows = by_time(self.case.query.resolved_windows(self.dials))
        if not windows:
            return
        first = self.case.registered
        stamps = [answer.t for answer in answers if isinstance(answer.t, int)]
        leads = [
            ("a window's slide", [w.slide for w in windows]),
            ("a window's width", [w.width for w in windows]),
            ("a window's width plus its slide", [w.width + w.slide for w in windows]),
        ]
        most = max(leads[-1][1])
        earlier = {
            min(stamps) - width: "a window's width before the first answer"
            for width in sorted(leads[1][1], reverse=True)
            if stamps and first - most < min(stamps) - width < first
        }
        for said, instants in leads:
            for lead in sorted(instants, reverse=True):
                earlier.setdefault(first - lead, f"{said} before the first element")
        for registered, said in earlier.items():
            if registered < 0:
                continue
            assumed = (assumed_registration(registered, said, self._mark),)
            notes = (*assumed, *self.notes[len(self.assumed) :])
            case = replace(self.case, registered=registered)
            yield replace(self, case=case, notes=notes, assumed=assumed)

    def judged(
        self, answers: tuple[Observed, ...], *, spark: bool = False, **about: str
    ) -> Judgement:
        """Return the judgement on answers under the registration that the case has; see ``judge``.

        Args:
            answers: the answers.
            spark: whether Spark judges.
            **about: further fields of `Finding`, such as the engine.

        Raises:
            BadInput: as ``judge`` does.
        """
        with reading(""):
            check_spans(self.case, self.dials, mark=self._mark)
            answers = as_kept(answers, self.case, self.dials)
            with limited():
                expectation = Expectation(self.case, self.dials)
                if flood := too_many_rows(self.case, self.dials, answers, expectation):
                    return self.judgement(failure=EngineFailure(FLOOD, flood), **about)
            try:
                if spark:
                    from rsp_conformance.spark.judge_alone import judge_by_spark

                    verdict = judge_by_spark(self.case, self.dials, answers)
                else:
                    with limited():
                        verdict = correctness.judge(self.case, self.dials, answers, expectation)
            except LeftOpen as error:
                found = self.judgement(observed=answers, **about)
                return replace(found, undetermined=error.why)
        if verdict.t_s > self.case.until:
            raise BadInput(nothing_compared(self.case, self.dials, self._mark))
        return self.judgement(observed=answers, verdict=verdict, **about)

    def judgement(self, engine: str = "the engine", **found: Any) -> Judgement:
        """Return a judgement on this case.

        Args:
            engine: the engine's name.
            **found: fields of `Finding`.
        """
        of = {"profile": self.profile, "dials": self.dials, "case": self.case}
        plain = {"property_name": "judge", "version": "", "pacing": "burst", "query_text": ""}
        finding = Finding(engine=engine, **{**plain, **of, **found})
        return Judgement(finding, assumed=self.assumed, notes=self.notes)

    def starts(self, t0: Mapping[str, int]) -> Vector:
        """Return the t0 of every window, and the n0 of one by count, in the order of declaration.

        Args:
            t0: the t0 of windows by name; the dial decides for the others.

        Raises:
            BadInput: there is no such window, it has no t0 or several, or the dial leaves it open.
        """
        query, mark = self.case.query, self._mark
        written: dict[IRI, int] = {}
        for window, start in t0.items():
            name = query.expand(window.strip())
            if query.window(name) is None:
                known = ", ".join(query.shorten(w.name) for w in query.windows) or "none"
                raise BadInput(f"{mark}t0 {window}: the query has no such window (it has {known})")
            if name in written:
                raise BadInput(f"{mark}t0 {window}: the window has a t0 already")
            written[name] = start
        windows = query.resolved_windows(self.dials)
        for own in windows:
            shown = query.shorten(own.name)
            if own.name in written and not isinstance(own, SlidingWindow):
                raise BadInput(f"{mark}t0 {shown}: only a window by time has a t0")
            if isinstance(own, CountWindow) and len(legal_starts(own, self.case, self.dials)) > 1:
                raise BadInput(
                    f"the profile {self.profile.name} leaves open after how many units window "
                    f"{shown} starts: decide with {mark}dial n0=…"
                )
        missing = [query.shorten(w.name) for w in by_time(windows) if w.name not in written]
        if missing and self.dials.t0 == "any":
            raise BadInput(
                f"window {missing[0]} has no t0, and the profile {self.profile.name} leaves it "
                f"open: give {mark}t0 {missing[0]}=N, or decide for all windows with "
                f"{mark}dial t0=…"
            )
        return tuple(
            written[w.name] if w.name in written else legal_starts(w, self.case, self.dials)[0]
            for w in windows
        )


def assumed_registration(registered: int, which: str, mark: str) -> str:
    """Return what is said of an instant of registration that was not given.

    Args:
        registered: the instant.
        which: what it is, in words.
        mark: a prefix for the names of arguments, such as ``--``.
    """
    return f"No {mark}registered given: registered at {registered}, {which}"


def read_observed(
    observed: object, case: Case, mark: str = "", unit: int = 1
) -> tuple[Observed, ...]:
    """Return the answers of a reply of the protocol, of its list, or of a file with either.

    Another file or folder is read as a recording (`files.recordings`).

    Args:
        observed: a reply, its list, or the place of a file or folder.
        case: what was asked.
        mark: a prefix for the names of arguments, such as ``--``.
        unit: milliseconds per instant, for recordings whose times are milliseconds.

    Raises:
        BadInput: they cannot be read, or the reply is an error.
    """
    path = Path(observed) if isinstance(observed, str | Path) else None
    if path is not None:
        with reading(f"{mark}answers"):
            recorded = read_recording(path, case, unit)
            if recorded is not None:
                check_recording(recorded, path, case)
                return recorded
            observed = parse_json(read_text(path), path, numbers=exact)
    elif isinstance(observed, Sequence) and all(isinstance(o, Observed) for o in observed):
        return tuple(observed)
    message: object = {"answers": observed} if isinstance(observed, list) else observed
    if not isinstance(message, Mapping):
        raise BadInput(f"{path or 'answers'}: expected an object with answers, or their list")
    # Whatever else it has, these two fields make it a reply.
    message = {**message, "op": "run", "id": str(message.get("id", path))}
    try:
        # A cause may be an element that was appended to the case.
        reply = read_run(message, elements=len(case.elements) + len(case.streams))
    except EngineError as error:
        raise BadInput(f"{path or 'answers'}: {error.message}") from error
    if isinstance(reply, Failure):
        raise BadInput(
            f"{path or 'answers'}: the engine gave an error and no answer to judge "
            f"({reply.kind}: {reply.message})"
        )
    return reply.answers


class _Table(ABC):
    """What shows itself as a table."""

    @abstractmethod
    def table(self) -> tuple[list[str], list[list[str]]]:
        """Columns and rows."""

    def __repr__(self) -> str:
        return "\n".join(map(plain, listing([table_of(*self.table())], WIDTH)))

    def _repr_html_(self) -> str:
        return str(written(self._blocks()))

    @abstractmethod
    def _blocks(self) -> Iterator[Block]:
        """What a notebook shows."""


def _told(notes: Sequence[str]) -> dict[str, Any]:
    """Return notes as a field of JSON; none if there are none."""
    return {"notes": list(notes)} if notes else {}


@contextmanager
def _drawing() -> Iterator[None]:
    """Turn errors into BadInput: also if a picture takes more than it may, for one needs none."""
    with reading(""):
        try:
            with limited():
                yield
        except LimitExceeded as error:
            raise BadInput(f"there is no picture: the kit {error.what}") from None


def _right_until(judgement: Judgement) -> tuple[float, bool]:
    """At which instant the answers part from what is due, and whether an answer is due there."""
    verdict = judgement.finding.verdict
    parting = None if verdict is None else verdict.divergence
    if parting is None or parting.t is None:
        return -inf, False
    return parting.t, parting.kind in (Kind.ROWS, Kind.ORDER)


@dataclass(frozen=True, repr=False)
class Answers(_Table):
    """Ans(Q_z) of a case, for one vector z of t0; iterates over its evaluations.

    ``undetermined`` says why the texts would allow other answers as well, where they do: the point
    in words, with its id in docs/semantics.md.
    """

    of: ProfiledCase
    t0: Vector
    evaluations: tuple[Evaluation, ...]
    undetermined: str | None = None

    def __iter__(self) -> Iterator[Evaluation]:
        return iter(self.evaluations)

    def __len__(self) -> int:
        return len(self.evaluations)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Columns and rows: an instant beside the first row of each evaluation."""
        return tabulate(self.evaluations, Notation(self.of.case))

    def timeline(self, *, width: int = WIDTH) -> str:
        """Streams, windows and answers on an axis of instants."""
        return "\n".join(draw(self._setting, width))

    def to_dict(self) -> dict[str, Any]:
        """JSON of the shape of the protocol's replies, with the case's notes if there are any."""
        return {"answers": ANSWERS.write(tuple[Evaluation, ...], self.evaluations)} | _told(
            self.of.notes
        )

    def svg(self) -> str:
        """The case as an SVG file: streams, windows and their contents, and the answers.

        Raises BadInput where that takes more than it may (`limits`).
        """
        named = Notation(self.of.case).starts(self.t0)
        title = f"Answers under profile {self.of.profile.name}{f', with {named}' if named else ''}"
        with _drawing():
            return picture(self._setting, title)

    def _blocks(self) -> Iterator[Block]:
        yield from blocks(self._setting, MOST)

    @property
    def _setting(self) -> Situation:
        return Situation(Expectation(self.of.case, self.of.dials), self.t0, None)


@dataclass(frozen=True, repr=False)
class Judgement:
    """What Definition 26 says of an engine's answers; no verdict in it where the engine failed.

    ``finding`` is what was judged, with everything that belongs to it. ``undetermined`` says why
    nothing is said of the answers, where the texts leave them open: the point in words, with its id
    in docs/semantics.md. They are then neither correct nor wrong. ``assumed`` says at which instant
    the query was taken to be registered, if that was not said, and ``advice`` what else to try.
    ``notes`` are those of the case.
    """

    finding: Finding
    undetermined: str | None = None
    assumed: tuple[str, ...] = ()
    advice: str = ""
    notes: tuple[str, ...] = ()

    @property
    def correct(self) -> bool:
        """Whether the answers are right for some z."""
        verdict = self.finding.verdict
        return verdict is not None and verdict.correct

    @property
    def wrong(self) -> bool:
        """Whether the answers are wrong for every z, or the engine failed."""
        return not self.correct and self.undetermined is None

    def because(self) -> str:
        """Why the answers are right or wrong, in one paragraph."""
        return " ".join(filter(None, (self._argument(), self.advice)))

    def _argument(self) -> str:
        found = self.finding
        if self.undetermined is not None:
            return f"The texts leave the answer open: {self.undetermined}."
        if found.verdict is None:
            return found.failure.message if found.failure else ""
        try:
            with limited():
                said = because(found.case, found.dials, found.observed, found.verdict, by_dial)
        except LimitExceeded as error:
            return f"There is no explanation: the kit {error.what}."
        if own := "; ".join(found.verdict.readings):
            right = "It is right by" if found.verdict.correct else "What fits it best is"
            said += f" {right} a reading of what the texts leave open: {own}."
        return said

    def explain(self, *, width: int = WIDTH, max_lines: int = 500) -> str:
        """The argument, with streams, windows, and answers on a timeline where they are wrong."""
        if not self.wrong:
            return self.because()
        more = "\n".join(wrap(self.advice, width)) if self.advice else None
        shown = failure_document(self._read(), by_dial=by_dial)
        return text(shown, width=width, max_lines=max_lines, more=more, head=False)

    def _read(self) -> Finding:
        """The finding with why a library gives the same wrong rows, where one does."""
        from rsp_conformance.run.reference_opinion import reading_of

        return replace(self.finding, reading=reading_of(self.finding))

    def timeline(self, *, width: int = WIDTH) -> str:
        """Streams, windows of the nearest query, and answers on an axis of instants."""
        case, dials, verdict = self.finding.case, self.finding.dials, self.finding.verdict
        starts = verdict.t0 if verdict else next(rspql_queries(case, dials))
        return timeline(case, dials, starts, self.finding.observed, width)

    def svg(self) -> str:
        """The case as an SVG file: streams, windows and their contents, answers expected and given.

        Raises BadInput where that takes more than it may (`limits`).
        """
        found, verdict = self.finding, self.finding.verdict
        with _drawing():
            if verdict is not None:
                situation = nearest(found.case, found.dials, found.observed, verdict)
            else:
                starts = next(rspql_queries(found.case, found.dials))
                expectation = Expectation(found.case, found.dials)
                situation = Situation(expectation, starts, found.observed)
            named = Notation(found.case).starts(situation.starts)
            under = f"under profile {found.profile.name}{f', with {named}' if named else ''}"
            return picture(situation, f"{self._word}, {under}")

    def to_dict(self) -> dict[str, Any]:
        """The verdict, the nearest t0 by window, t_s, the argument, and notes if there are any."""
        return self._stated() | _told(self.notes)

    def _stated(self) -> dict[str, Any]:
        found, verdict = self.finding, self.finding.verdict
        if self.undetermined is not None:
            return {"verdict": "left open", "because": self.because()}
        if verdict is None:
            return {"verdict": "failed", "kind": found.kind, "because": self.because()}
        query = found.case.query
        names = [query.shorten(window.name) for window in query.windows]
        return {
            "verdict": "correct" if self.correct else "wrong",
            "t0": dict(zip(names, verdict.t0, strict=True)),
            "t_s": verdict.t_s,
            "because": self.because(),
        }

    @property
    def _word(self) -> str:
        if self.undetermined is not None:
            return "left open"
        return "correct" if self.correct else f"wrong: {self.finding.kind}"

    def __repr__(self) -> str:
        word = self._word
        return "\n".join(wrap(f"{word}. {self.because()}", WIDTH))

    def _repr_html_(self) -> str:
        head = Prose((Span(self._word, tone="strong"),))
        if self.undetermined is not None:
            return str(written((head, Prose((self.because(),)))))
        shown = failure_document(self.finding if self.correct else self._read(), by_dial=by_dial)
        advice = (Prose((self.advice,)),) if self.advice else ()
        return str(written((head, *shown.blocks, *advice)))


@dataclass(frozen=True, repr=False)
class SuiteResult(_Table):
    """A run of the suite: its events, in order (``rsp_conformance.run.events``)."""

    events: tuple[Event, ...]

    @property
    def properties(self) -> tuple[PropertyFinished, ...]:
        """What each property came to."""
        return tuple(event for event in self.events if isinstance(event, PropertyFinished))

    @property
    def findings(self) -> tuple[FindingConfirmed, ...]:
        """What the engine got wrong, confirmed; each names the crash file that holds everything."""
        return tuple(event for event in self.events if isinstance(event, FindingConfirmed))

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The causes of the findings, by all cases of the run (docs/judging.md)."""
        return RunOutcome().take(self.events).causes

    @property
    def gone(self) -> tuple[str, ...]:
        """The ids of known causes that no longer show: they are fixed, and to be removed."""
        return tuple(RunOutcome().take(self.events).gone)

    @property
    def passed(self) -> bool:
        """Whether something was compared and nothing was wrong."""
        return RunOutcome().take(self.events).passed()

    def to_dict(self) -> dict[str, Any]:
        """The events that sum the run up, as JSON."""
        kept = [event for event in self.events if not isinstance(event, MOMENTARY)]
        return {"passed": self.passed, "events": [EVENTS.write(Event, event) for event in kept]}

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Columns and rows: a property, its verdict, cases compared, and its causes or a note."""
        outcome = RunOutcome().take(self.events)
        rows = [
            [
                event.property,
                event.verdict,
                str(event.counts.get("compared", "")),
                note(event.property, outcome.causes, outcome.told) or event.note,
            ]
            for event in self.properties
        ]
        return ["property", "verdict", "compared", "note"], rows

    def _blocks(self) -> Iterator[Block]:
        """The table, and the case of each cause as the HTML report shows it."""
        from rsp_conformance.pages.document import case_of

        yield table_of(*self.table(), "Properties")
        outcome = RunOutcome().take(self.events)
        called = labels(outcome.causes, outcome.told)
        for cause in outcome.causes:
            yield Heading(called[cause.id], 3)
            yield Prose((sentences_on(cause),))
            yield from case_of(cause.file, Path.cwd())[0]


def tabulate(
    evaluations: Sequence[Evaluation], notation: Notation
) -> tuple[list[str], list[list[str]]]:
    """Answers as columns and rows: an instant beside the first row of each evaluation."""
    contents = [evaluation.content for evaluation in evaluations]
    named = (
        name for content in contents if isinstance(content, Rows) for name in content.variables
    )
    variables = list(dict.fromkeys(named))
    select = any(isinstance(content, Rows) for content in contents)
    columns = ["t", *(f"?{name}" for name in variables)] if variables else ["t", "answer"]
    rows = []
    for evaluation in evaluations:
        cells = _cells(evaluation, variables, notation) or [["(no rows)" if select else "{}"]]
        for index, row in enumerate(cells):
            padded = row + [""] * (len(columns) - 1 - len(row))
            rows.append([str(evaluation.t) if index == 0 else "", *padded])
    return columns, rows


def _cells(evaluation: Evaluation, variables: list[str], notation: Notation) -> list[list[str]]:
    content = evaluation.content
    if not isinstance(content, Rows) or not variables:
        return [[text] for text in notation.rows(content)]
    return [
        [notation.term(solution[v]) if v in solution else "" for v in variables]
        for solution in content.solutions()
    ]
