"""The figures of a replay: as JSON, as a table, and beside those of the baseline."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from rsp_conformance.files.fields import FieldError
from rsp_conformance.files.files import FileError, parse_json, read_text
from tools.evidence.replay import FIGURES, NOT_REPLAYED, WHOLE, Figures, Portion

BASELINE: Final = Path(__file__).resolve().parent / "baseline.json"
"""The figures that a change must not make worse."""
WITHOUT_TRUTH: Final = BASELINE.with_name("baseline-without-truth.json")
"""The same of runs without one of their true mutants (`replay.less_their_truth`), once ``--keep``
has written it."""
BUILD: Final = Path("build/evidence.json")
WIDTH: Final = 170
"""Columns of the table in a file: with fewer the names of causes are cut into pieces."""

_JUDGED: Final = (("named", 1), ("wrong names", -1), ("unexplained", -1))
"""The figures that decide, each with the direction in which it gets better."""
_COUNTED: Final = ("named", "wrong names", "unexplained", "shown", "seconds", "predictions")


@dataclass(frozen=True, slots=True)
class Change:
    """How a figure differs from the baseline's.

    Attributes:
        run: the recording.
        figure: what differs.
        before: the baseline's figure.
        after: today's.
        is_better: whether that is better.
    """

    run: str
    figure: str
    before: float
    after: float
    is_better: bool

    def __str__(self) -> str:
        word = "better" if self.is_better else "worse"
        return f"{word}: {self.figure} {self.before:g} → {self.after:g}"


def counts(figures: Figures) -> dict[str, float]:
    """Return the figures that are counted, by the table's columns."""
    return {
        "named": len(figures.found),
        "wrong names": len(figures.wrong_names),
        "unexplained": figures.unexplained,
        "shown": figures.shown,
        "seconds": figures.seconds,
        "predictions": figures.asked,
    }


def changes(before: Mapping[str, Figures], after: Mapping[str, Figures]) -> list[Change]:
    """Return how the figures that decide have changed in the runs that both have."""
    found = []
    for run in (name for name in after if name in before):
        old, new = counts(before[run]), counts(after[run])
        for figure, direction in _JUDGED:
            difference = direction * (new[figure] - old[figure])
            if difference:
                found.append(Change(run, figure, old[figure], new[figure], difference > 0))
    return found


def document(
    runs: Mapping[str, Figures], predictions: int, portion: Portion = WHOLE
) -> dict[str, Any]:
    """Return the figures of all runs as JSON.

    Args:
        runs: the figures by run.
        predictions: how many predictions each search could ask for.
        portion: which part of each recording was replayed.
    """
    return {
        "predictions": predictions,
        "evidence": asdict(portion),
        "profile": NOT_REPLAYED,
        "totals": totals(runs),
        "runs": {name: FIGURES.write(Figures, figures) for name, figures in runs.items()},
    }


def totals(runs: Mapping[str, Figures]) -> dict[str, float]:
    """Return the sums over all runs."""
    own = [counts(figures) for figures in runs.values()]
    sums = {name: round(sum(one[name] for one in own), 1) for name in _COUNTED}
    return {
        "runs": len(runs),
        "visible": sum(len(figures.visible) for figures in runs.values()),
        "wrong": sum(figures.wrong for figures in runs.values()),
        "failures": sum(figures.failures for figures in runs.values()),
        "causes": sum(len(figures.named) for figures in runs.values()),
        **sums,
    }


def read_document(path: Path) -> dict[str, Figures]:
    """Return the figures by run that a document holds; none if there is no such file.

    Raises:
        FileError: the file holds something else.
    """
    if not path.exists():
        return {}
    try:
        runs = parse_json(read_text(path), path)["runs"]
        return {name: FIGURES.read(Figures, own) for name, own in runs.items()}
    except (KeyError, TypeError, AttributeError, FieldError) as error:
        raise FileError(path, f"not the figures of a replay ({error})") from None


def write_document(path: Path, value: Mapping[str, Any]) -> None:
    """Write figures as JSON."""
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", "utf-8")


def show(
    before: Mapping[str, Figures],
    after: Mapping[str, Figures],
    changed: Sequence[Change],
    console: Console,
) -> None:
    """Print the table: a row per run, and the totals."""
    table = Table(title="What today's code says about the recorded runs")
    table.add_column("run", no_wrap=True)
    table.add_column("causes, the first first", overflow="fold")
    for head in ("visible", *_COUNTED):
        table.add_column(head, justify="right", no_wrap=True)
    table.add_column("before → after", overflow="fold")
    for run, figures in after.items():
        own = [str(one) for one in changed if one.run == run] if run in before else ["new"]
        table.add_row(
            run,
            escape(_causes(figures)),
            "–" if figures.truth is None else str(len(figures.visible)),
            *_cells(counts(figures), counts(before[run]) if run in before else {}, figures),
            escape("; ".join(own) or "as before"),
        )
    table.add_section()
    common = {run: before[run] for run in after if run in before}
    sums, old = totals(after), totals(common) if len(common) == len(after) else {}
    better = sum(one.is_better for one in changed)
    table.add_row(
        f"{len(after)} runs",
        f"{sums['causes']} causes",
        str(sums["visible"]),
        *_cells(sums, old),
        f"{better} better, {len(changed) - better} worse",
    )
    console.print(table)
    console.print(
        f"{sums['wrong']:,} wrong answers and {sums['failures']:,} failures are recorded. "
        f"The profile is {NOT_REPLAYED}.",
        highlight=False,
    )


def _cells(
    new: Mapping[str, float], old: Mapping[str, float], figures: Figures | None = None
) -> list[str]:
    """The counted figures; the baseline's stand before those that differ from it."""
    cells = []
    for name in _COUNTED:
        unknown = figures is not None and figures.truth is None
        if unknown and name in ("named", "wrong names"):
            cells.append("–")
        elif name in old and old[name] != new[name]:
            cells.append(f"{old[name]:,g} → {new[name]:,g}")
        else:
            cells.append(f"{new[name]:,g}")
    return cells


def _causes(figures: Figures) -> str:
    """The causes in their order; those that are wrong and the parts that are missed are marked."""
    said = []
    for own in figures.named:
        name = " or ".join([own.id, *own.rivals])
        said.append(f"{name} (wrong)" if own.id in figures.wrong_names else name)
    said += [f"{part} (missed)" for part in figures.missed]
    return ", ".join(said) or "none"
