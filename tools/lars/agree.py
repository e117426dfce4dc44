"""The reference model against LARS on random cases: ``python -m tools.lars.agree --cases 5000``.

Prints how many agree, what each costs a case, and the first case on which they differ.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

from rsp_conformance.lars.answers import TranslationName, answers, translated
from rsp_conformance.lars.modes import Mode
from rsp_conformance.model.answers import Evaluation, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.windows import Count, Reach
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.text.printer.rspql import print_query
from tools.lars.fragment import compared_from, dials_of, fitting

Found = dict[int, frozenset[object]]
"""The rows by instant, as sets."""


def by_lars(case: Case, mode: Mode, translation: TranslationName) -> Found:
    """Return what LARS answers."""
    found = answers(translated(case.query, mode, translation), case)
    return rows([e for e in found if e.t >= compared_from(case, mode)])


def by_specification(case: Case, mode: Mode, translation: TranslationName) -> Found | None:
    """What RSP-QL demands; None where SPARQL leaves it open."""
    dials = dials_of(case, mode, translation)
    expectation = Expectation(case, dials)
    (starts,) = expectation.queries()
    found = expectation.answer(starts)
    if expectation.undetermined:
        return None
    return rows([e for e in found if compared_from(case, mode) <= e.t <= case.until])


def rows(found: list[Evaluation]) -> Found:
    """Return the rows of evaluations, as sets."""
    assert all(isinstance(e.content, Rows) for e in found)
    return {
        e.t: frozenset(frozenset(row.items()) for row in e.content.solutions())  # type: ignore[union-attr]
        for e in found
    }


def kinds(case: Case) -> set[str]:
    """The windows of a case that are not by time: ``TRIPLES``, ``NOW`` and ``UNBOUNDED``."""
    sizes = [window.width for window in case.query.windows]
    found = {size.unit.upper() for size in sizes if isinstance(size, Count)}
    return found | {size.value for size in sizes if isinstance(size, Reach)}


def shown(case: Case, mode: Mode, translation: TranslationName) -> str:
    """A case for a person to read, with both answers."""
    lines = [f"{mode} {translation}", print_query(case.query)]
    lines += [f"{e.stream} {e.t} {e.graph}" for e in case.elements]
    lines += [str(entry) for entry in case.background]
    lines.append(f"registered {case.registered}, until {case.until}")
    lines.append(f"specification: {by_specification(case, mode, translation)}")
    lines.append(f"LARS:          {by_lars(case, mode, translation)}")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Compare, and print what was found; the exit status is 1 if any two answers differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    tally: Counter[str] = Counter()
    seconds: dict[str, list[float]] = {"specification": [], "LARS": []}
    differing: list[str] = []

    @settings(
        max_examples=chosen.cases,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @seeded(chosen.seed)
    @given(fitting())
    def compare(drawn: tuple[Case, Mode, TranslationName]) -> None:
        case, mode, translation = drawn
        begun = time.process_time()
        expected = by_specification(case, mode, translation)
        between = time.process_time()
        found = by_lars(case, mode, translation)
        seconds["LARS"].append(time.process_time() - between)
        seconds["specification"].append(between - begun)
        if expected is None:
            tally["left open by SPARQL"] += 1
        else:
            tally["agree" if expected == found else "DIFFER"] += 1
            tally["evaluations"] += len(found)
            tally["with rows"] += any(found.values())
            tally.update(f"with {kind}" for kind in kinds(case))
            if expected != found:
                differing.append(shown(case, mode, translation))

    compare()
    for name, count in sorted(tally.items()):
        print(f"{count:8} {name}")
    for name, times in seconds.items():
        print(f"{statistics.mean(times) * 1000:8.1f} ms a case: {name}")
    for text in sorted(differing, key=len)[:3]:
        print(f"\n{text}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
