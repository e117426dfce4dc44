"""A burn-in's result as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.burnin.metrics import MB
from rsp_conformance.burnin.result import CORRECT, BurnIn
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.explain.render.report import report


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
