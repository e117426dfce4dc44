"""Print which bundled profiles are found again from `reference`, without a mutant and with one."""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import islice

from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.files.profiles import profile_names
from tools.mutation.profiles import Recovery, identified, keep, recovery
from tools.progress import never_silent, reported

SAMPLED = (
    *("newest-only", "stale-join", "gaps-as-tumbling", "equal-timestamps-overwrite"),
    *("first-triple-only", "istream-ignored", "filter-error-true", "second-window-overwrites"),
    *("limit-ignored", "null-aggregate", "distinct-forever"),
)
"""Mutants that are no setting of a dial under another name."""


def main(arguments: list[str] | None = None) -> int:
    """Find every profile again.

    Returns:
        1 if one is not found again.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.mutation.profiles", description=__doc__)
    parser.add_argument("profiles", nargs="*", metavar="PROFILE", help="only these")
    parser.add_argument("--start", default="rsp-ql", help="the profile that the search begins with")
    parser.add_argument("--mutants", type=int, default=1, help="mutants sampled for each profile")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", action="store_true", help="keep it in tools/engines/records")
    given = parser.parse_args(arguments)
    chosen = random.Random(given.seed)
    failed = 0
    with never_silent():
        names = given.profiles or list(profile_names())
        for name in reported("finding", names, names):
            mutants = chosen.sample(SAMPLED, len(SAMPLED))
            mutated = (found_again(name, (one,), given.start, given.seed) for one in mutants)
            # Under some profiles a mutant shows in no answer: it is not there to be found.
            shown = (one for one in mutated if not one.is_unseen)
            plain = found_again(name, (), given.start, given.seed)
            done = [plain, *islice(shown, given.mutants)]
            failed += sum(not one.recovered for one in done)
            if given.keep:
                keep(name, done)
    return 1 if failed else 0


def found_again(profile: str, mutants: tuple[str, ...], start: str, seed: int) -> Recovery:
    """Return what is found of a profile with mutants, and print it."""
    assert set(mutants) <= set(MUTANTS)
    began = time.perf_counter()
    found = identified(profile, mutants=mutants, start=start, seed=seed)
    one = recovery(found, mutants, time.perf_counter() - began)
    print(f"{profile} {_line(one)}", flush=True)
    return one


def _line(found: Recovery) -> str:
    return (
        f"{' '.join(found.mutants) or '-'}: {'; '.join(found.lost) or 'recovered'}; "
        f"mutants {' '.join(found.named) or '-'}; "
        f"not told apart {', '.join(found.alike) or '-'}; "
        f"{found.explained} of {found.answers} answers"
        + ("" if found.complete else " (cut short)")
        + f", {found.asked:,} predictions, {found.seconds:.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
