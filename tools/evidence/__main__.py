"""Replay the recorded runs, or record runs.

Without a subcommand it prints what today's code says about the recorded runs beside the figures of
the baseline, and writes it to ``build/evidence.json``. The exit status is 1 if something is worse:
fewer visible parts of the truth are named, more causes are named wrongly, or more wrong answers
stay unexplained.

With ``--part``, ``--shuffled`` or ``--budget`` it still compares with the figures of whole runs,
and ``--keep`` needs a ``--baseline`` of its own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from rsp_conformance.model.errors import KitError, did_you_mean
from rsp_conformance.protocol.failures import EngineError
from tools.evidence.record import EXAMPLES, Planned, planned, record
from tools.evidence.recording import DATA, LARGEST, path_of, size
from tools.evidence.replay import PREDICTIONS, Portion, chosen, less_their_truth, replayed
from tools.evidence.report import (
    BASELINE,
    BUILD,
    WIDTH,
    WITHOUT_TRUTH,
    changes,
    document,
    read_document,
    show,
    write_document,
)
from tools.progress import never_silent, report, reported


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: the command line; that of the process without any.

    Returns:
        1 if something is worse than in the baseline or could not be recorded, 2 for bad input.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _record(given[1:]) if given[:1] == ["record"] else _replay(given)
    except (KitError, ValueError) as error:
        print(f"tools.evidence: {error}", file=sys.stderr)
        return 2


def _replay(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.evidence",
        description=__doc__,
        epilog="`python -m tools.evidence record --help` says how runs are recorded.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these recordings")
    parser.add_argument("--quick", action="store_true", help="every fourth run of the table")
    parser.add_argument(
        "--without-truth",
        action="store_true",
        help="take a true mutant out of the catalogue: whatever is named in its place is wrong",
    )
    parser.add_argument(
        "--part", type=_part, default=1.0, metavar="SHARE", help="a random part of the evidence"
    )
    parser.add_argument("--shuffled", action="store_true", help="the evidence in a random order")
    parser.add_argument("--seed", type=int, default=0, help="the seed of --part and --shuffled")
    parser.add_argument(
        "--budget", type=_part, default=1.0, metavar="SHARE", help="a part of the predictions"
    )
    parser.add_argument("--jobs", type=_count, default=1, help="how many processes")
    parser.add_argument("--keep", action="store_true", help="write the baseline anew")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the recordings")
    parser.add_argument("--baseline", type=Path, help="the figures to compare with")
    parser.add_argument("--out", type=Path, default=BUILD)
    given = parser.parse_args(arguments)
    runs = chosen(given.names, quick=given.quick, folder=given.data)
    baseline = given.baseline or (WITHOUT_TRUTH if given.without_truth else BASELINE)
    portion = Portion(given.part, given.seed, given.shuffled)
    predictions = round(given.budget * PREDICTIONS)
    is_other = predictions < PREDICTIONS or portion.part < 1 or portion.shuffled
    if given.keep and is_other and baseline.resolve() in (BASELINE, WITHOUT_TRUTH):
        raise ValueError("--keep: only whole runs make the baseline; give another by --baseline")
    if given.without_truth:
        runs = less_their_truth(runs, given.data)
    before = read_document(baseline)
    done: list[str] = []

    def tell(name: str) -> None:
        done.append(name)
        report(f"replaying, {len(done)} of {len(runs)} done, the last one {name}")

    with never_silent():
        after = replayed(runs, given.jobs, predictions, given.data, tell, portion=portion)
    write_document(given.out, document(after, predictions, portion))
    changed = changes(before, after)
    show(before, after, changed, Console(width=None if sys.stdout.isatty() else WIDTH))
    if given.keep:
        table = {name: before.get(name) for name in planned()} | before
        kept = {name: own for name, own in ({**table, **after}).items() if own is not None}
        write_document(baseline, document(kept, predictions, portion))
        return 0
    return int(any(not change.is_better for change in changed))


def _record(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.evidence record",
        description="Record runs that are not recorded yet: those of the table, or those named.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="runs of runs.toml")
    parser.add_argument("--examples", type=_count, default=EXAMPLES, help="cases a property")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the recordings")
    parser.add_argument(
        "--mask",
        action="append",
        default=[],
        metavar="TEXT=INSTEAD",
        help="write INSTEAD for TEXT; this user's folders are replaced in any case",
    )
    given = parser.parse_args(arguments)
    masked = dict(map(_masked, given.mask))
    table = planned()
    for name in given.names:
        if name not in table:
            raise ValueError(f"no run {name!r} in runs.toml{did_you_mean(name, table)}")
    runs = [table[name] for name in given.names or table]
    left = [run for run in runs if not path_of(run.name, given.data).exists()]
    failed = 0
    given.data.mkdir(exist_ok=True, parents=True)
    with never_silent():
        for run in reported("recording", left, [run.name for run in left]):
            failed += not _recorded(run, given.data, given.examples, masked)
    if (taken := size(given.data)) > LARGEST:
        raise ValueError(f"{given.data} takes {taken:,} bytes, more than {LARGEST:,}")
    return int(failed > 0)


def _recorded(run: Planned, folder: Path, examples: int, masked: dict[str, str]) -> bool:
    """Record a run; False if its engine cannot be had, and then a line says why."""
    try:
        print(record(run, folder, examples=examples, masked=masked), flush=True)
    except EngineError as error:
        print(f"{run.name}: not recorded: {error.line}", file=sys.stderr, flush=True)
        return False
    return True


def _masked(text: str) -> tuple[str, str]:
    said, equals, instead = text.partition("=")
    if not (said and equals):
        raise ValueError(f"--mask={text}: expected TEXT=INSTEAD")
    return said, instead


def _part(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0 and up to 1, found {text!r}")
    return share


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number from 1, found {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
