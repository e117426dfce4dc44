"""What a burn-in found, in words: its sentences, and all of it as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rsp_conformance.burnin.locate import Stretch, is_short
from rsp_conformance.burnin.metrics import MB, Growth
from rsp_conformance.burnin.result import CORRECT, NOT_TESTED, WRONG, BurnIn, Search
from rsp_conformance.burnin.session import BurnInSession
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.report import report
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.spark.stream.long_judge import Standing


def verdict_word(session: BurnInSession, standing: Standing | None) -> str:
    """Definition 26's verdict on what was compared; not tested where nothing could be wrong."""
    if standing is None:
        return NOT_TESTED
    if not standing.verdict.correct:
        return WRONG
    return CORRECT if session.telling else NOT_TESTED


def kinds(
    session: BurnInSession, verdict: Verdict | None, growths: Sequence[Growth]
) -> tuple[str, ...]:
    """Everything that is wrong, worst first."""
    found = []
    if verdict is not None and verdict.divergence is not None:
        found.append(verdict.divergence.kind.value)
    if session.failure is not None:
        found.append(session.failure.kind)
    return (*found, *(growth.kind for growth in growths))


def because(
    session: BurnInSession,
    standing: Standing | None,
    growths: Sequence[Growth],
    search: Search | None,
) -> str:
    """Why the verdict is what it is, and all else that was found, in sentences."""
    sentences = [
        *_lost(session),
        *_compared(session, standing),
        *_searched(session, search),
        *(f"{growth.text()}." for growth in growths),
    ]
    return " ".join(sentence[0].upper() + sentence[1:] for sentence in sentences)


def _lost(session: BurnInSession) -> Iterator[str]:
    failure = session.failure
    if failure is not None:
        at = f"after {session.elements:,} elements, at instant {session.reached:,}"
        yield f"the engine was lost {at} ({failure.kind}: {failure.message.rstrip('.')})."


def _compared(session: BurnInSession, standing: Standing | None) -> Iterator[str]:
    if standing is None:
        yield "nothing was compared: the engine was lost before anything could be judged."
        return
    verdict = standing.verdict
    compared = f"from t_s={verdict.t_s} to {standing.upto:,}"
    if verdict.correct and not session.telling:
        yield (
            f"no answer was ever non-empty {compared}, and none had to be: the query and the "
            "stream have nothing in common, so this says nothing about the engine."
        )
    elif verdict.correct:
        count = len(standing.alive)
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


def _kept(stretch: Stretch) -> str:
    if not stretch.kept:
        return "it shows without any element."
    verb = "is" if stretch.kept == 1 else "are"
    elements = "element" if stretch.elements == 1 else "elements"
    return f"of its {stretch.elements:,} {elements} {stretch.kept:,} {verb} enough."


def _stretches(number: int) -> str:
    return "1 stretch" if number == 1 else f"{number} stretches"


def _article(kind: str) -> str:
    if kind.endswith("s") or kind == "silent":
        return {"silent": "silence"}.get(kind, kind)
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _searched(session: BurnInSession, search: Search | None) -> Iterator[str]:
    if search is None:
        return
    if search.trouble:
        yield f"the search for the shortest stretch was ended by the engine: {search.trouble}."
    if search.stretch is None and not search.trouble:
        yield (
            f"fresh engines were not wrong again on {_stretches(search.tried)} up to there"
            + (", and then the time for the search was over." if search.cut else ".")
            + " Short stretches are given as one case: what shows only in pieces is not seen there."
        )
    if search.stretch is not None:
        yield from _stretch(session, search.stretch)


def _stretch(session: BurnInSession, stretch: Stretch) -> Iterator[str]:
    where = f"{stretch.since:,} to {stretch.until:,}"
    step = {None: "; no later start was tried for want of time", 1: ""}.get(
        stretch.step, f"; from {stretch.since + (stretch.step or 0):,} on it does not show"
    )
    if not is_short(stretch):
        windows = session.case.query.sliding_windows(session.dials.unit)
        slide = min(window.slide for window in windows)
        closed = (stretch.until - stretch.since) // slide
        yield (
            f"it needs its history: {stretch.elements:,} elements, {closed:,} windows, from "
            f"instant {where}, on an engine registered at {stretch.since:,}{step}."
        )
    elif stretch.finding is None:
        yield f"the shortest stretch that shows it is from instant {where}{step}."
    else:
        yield (
            f"the shortest stretch that shows it is from instant {where}{step}; " + _kept(stretch)
        )
    if stretch.confirmed:
        yield stretch.confirmed


def lines(found: BurnIn, width: int) -> Iterator[str]:
    """What was found, in lines of at most WIDTH columns but for the command to copy."""
    kinds = ", ".join(found.kinds)
    head = f"{found.verdict}{f' ({kinds})' if kinds else ''}"
    if kinds and found.verdict == CORRECT:
        # What is wrong comes first, lest a reader stop at the first word.
        head = f"{kinds} (answers correct up to instant {found.judged:,})"
    yield from wrap(
        f"{head}: {found.engine} {found.version}, under profile {found.profile}",
        width,
        rest="  ",
    )
    yield ""
    memory = f"{found.kit_bytes / MB:,.0f} MB the kit with Spark"
    if found.engine_bytes:
        memory = f"{found.engine_bytes / MB:,.0f} MB the engine, {memory}"
    for name, value in (
        ("elements", f"{found.elements:,} of {found.size:,}"),
        ("reached", f"instant {found.reached:,}"),
        ("answers", f"{found.answers:,}; {found.evaluations:,} evaluations compared for all t0"),
        ("t0", ", ".join(f"{window}={t0}" for window, t0 in found.t0.items())),
        ("time", f"{found.seconds:,.1f} s"),
        ("memory", f"at most {memory}"),
    ):
        if value:
            yield f"  {name:<9} {value}"
    yield ""
    yield from wrap(found.because, width)
    if found.stderr:
        yield ""
        yield "The driver's last lines on standard error:"
        yield from (f"  {line}"[:width] for line in found.stderr[-10:])
    yield ""
    yield "The same again:"
    yield f"  {found.command}"
    finding = None if found.stretch is None else found.stretch.finding
    if finding is not None:
        yield ""
        yield report(finding, width=width, more=found.replay)
