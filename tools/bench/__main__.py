"""``python -m tools.bench``: the table of timings, and ``build/bench.json``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from rsp_conformance.files.files import FileError
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import KitError
from rsp_conformance.spark.batch.judge import SparkSemantics
from rsp_conformance.spark.session import SparkHandle, start_session
from tools.bench import (
    batches,
    burnin,
    campaign,
    csrbench,
    generation,
    growth,
    spark_parts,
    spark_vs_peers,
    spec_case,
    suite,
    windows,
)
from tools.bench.record import Record
from tools.progress import never_silent, report

PARTS = ("spec", "generation", "spark", "parts", "growth", "csrbench", "suite", "campaign")
LONG_PARTS = ("burnin", "campaign-memory", "windows")
"""Measured only where asked for: they take a quarter of an hour."""

GOALS = {
    "spark_vs_rdflib": "≥ 10",
    "spark_vs_rdflib_distinct": "≥ 10",
    "spark_vs_pyoxigraph": "",
    "spark_vs_pyoxigraph_distinct": "",
    "spark_work": "≤ 2.6",
    "spark_work_distinct": "",
    "spark_vs_spec": "≥ 1",
    "spark_vs_spec_stream": "≥ 3",
    "spec_case_ms": "< 5",
    "generation_case_ms": "≤ 4",
    "growth_spec": "≤ 1.1",
    "growth_spark": "≤ 1.1",
    "growth_windows": "≤ 1.1",
    "csrbench_vs_rdflib": "≥ 20",
    "csrbench_vs_pyoxigraph": "≥ 3",
    "csrbench_single": "",
    "suite_seconds": "< 120",
    "laws_seconds": "< 120",
    "campaign_rate": "≥ 150",
    "campaign_workers": "≥ 1.7",
    "campaign_case_ms": "≤ 5",
    "campaign_memory": "≤ 1.1",
    "burnin_1e6_seconds": "< 900",
    "burnin_1e6_kit_mb": "≤ 4000",
}


def main(arguments: list[str] | None = None) -> int:
    """Measure the parts that are asked for; figures of other parts stay in the file."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench")
    parser.add_argument(
        "--only", nargs="+", choices=(*PARTS, *LONG_PARTS), default=PARTS, help="these parts"
    )
    parser.add_argument("--cases", type=int, default=5000, help="cases of a batch")
    parser.add_argument(
        "--csrbench", type=Path, metavar="DIR", help="CSRBench's folder, with data/ in it"
    )
    parser.add_argument("--output", type=Path, default=Path("build/bench.json"))
    given = parser.parse_args(arguments)
    record = Record(given.output)
    try:
        with never_silent():
            _measure(given, record)
    except KitError as error:
        print(error, file=sys.stderr)
        return 2
    _show(Console(), record)
    for name, why in record.failed.items():
        print(f"{name}: not measured ({why})", file=sys.stderr)
    return 1 if record.failed else 0


def _measure(given: argparse.Namespace, record: Record) -> None:
    parts, number = given.only, given.cases
    folder = _csrbench_folder(given) if "csrbench" in parts else None
    drawn: list[Case] = []
    if {"spec", "spark", "parts"} & set(parts):
        report(f"generating {number} cases")
        drawn = batches.generated(number)
    if "spec" in parts:
        with record.part("spec"):
            _measure_spec(drawn[:500], record)
    if "generation" in parts:
        with record.part("generation"):
            _measure_generation(record)
    batch = {"": [(case, Dials()) for case in drawn]}
    if {"spark", "parts"} & set(parts):
        batch["_distinct"] = batches.distinct(number)
    if "parts" in parts:
        with record.part("parts"):
            _measure_parts(batch, record)
    if {"spark", "growth"} & set(parts):
        report("starting Spark")
        with start_session("local[2]") as spark:
            if "spark" in parts:
                with record.part("spark"):
                    _measure_spark(batch, SparkSemantics(spark), record)
            if "growth" in parts:
                with record.part("growth"):
                    _measure_growth(spark, record)
    if folder is not None:
        report("CSRBench and its copies")
        with record.part("csrbench"):
            _measure_csrbench(folder, record)
    others: dict[str, Callable[[Record], None]] = {
        "burnin": _measure_burnin,
        "campaign": _measure_campaign,
        "campaign-memory": _measure_campaign_memory,
        "suite": _measure_suite,
        "windows": _measure_windows,
    }
    for name, measure in others.items():
        if name in parts:
            with record.part(name):
                measure(record)


def _measure_spec(drawn: list[Case], record: Record) -> None:
    report("single cases by the reference model")
    one = spec_case.measure(drawn, Dials())
    record.add(
        "spec_case_ms",
        round(one.milliseconds, 3),
        f"median of {one.cases} cases; medians: {one.elements:g} elements, |Z| = {one.vectors:g}",
    )


def _measure_generation(record: Record) -> None:
    report("drawing the cases of all properties")
    made = generation.measure()
    record.add(
        "generation_case_ms",
        round(made.milliseconds, 2),
        f"processor time for each of {made.examples} examples; {made.cases} cases were drawn, "
        f"at {made.drawn:.2f} ms, and asked whether they tell anything",
    )


def _measure_parts(batch: dict[str, list[tuple[Case, Dials]]], record: Record) -> None:
    for name, cases in batch.items():
        report(f"processor time by part, {len(cases)} cases{name.replace('_', ' ')}")
        spent = spark_parts.measure(spark_vs_peers.answered(cases))
        split = ", ".join(f"{part} {seconds:.2f}" for part, seconds in spent.items())
        record.add(
            f"spark_work{name}",
            round(spent["all"], 2),
            f"processor seconds without Spark's own: {split}",
        )


def _measure_suite(record: Record) -> None:
    for name, marks in (("suite", "not laws"), ("laws", "laws")):
        with record.part(name):
            report(f"a run of the suite, {marks}")
            run = suite.measure(marks)
            split = ", ".join(f"{k} {v:.1f}" for k, v in run.split.items())
            record.add(f"{name}_split", run.split)
            record.add(f"{name}_seconds", round(run.seconds, 1), split)


def _csrbench_folder(given: argparse.Namespace) -> Path | None:
    """CSRBench's folder; None, and a line why, where there is none and none was named."""
    try:
        return csrbench.folder_of(given.csrbench)
    except FileError as missing:
        if given.csrbench is not None:
            raise
        print(f"csrbench is not measured: {missing}", file=sys.stderr)
        return None


def _measure_csrbench(folder: Path, record: Record) -> None:
    with start_session("local[2]") as spark:
        found = csrbench.measure(folder, SparkSemantics(spark))
    many, single = found.many, found.single
    record.add("csrbench", found.to_json())
    record.add("csrbench_vs_rdflib", round(many.rdflib / many.spark, 1))
    record.add("csrbench_vs_pyoxigraph", round(many.oxigraph / many.spark, 1))
    record.add("csrbench_single", round(single.spark, 2))
    record.notes["csrbench_vs_rdflib"] = (
        f"{many.spark:.1f} s for Q1 to Q7 on {many.copies} copies, {many.evaluations} window "
        f"evaluations, against {many.rdflib:.0f} s (extrapolated from {found.sampled} copies); "
        "2 cores each"
    )
    record.notes["csrbench_vs_pyoxigraph"] = (
        f"against {many.oxigraph:.1f} s, all measured; {many.sent} of {many.triples} triples "
        f"reach windows, after which {many.distinct / many.evaluations:.0%} are distinct"
    )
    record.notes["csrbench_single"] = (
        f"seconds for the published stream, {single.evaluations} window evaluations; "
        f"pyoxigraph {single.oxigraph:.2f} s, rdflib {single.rdflib:.1f} s"
    )


def _measure_campaign(record: Record) -> None:
    report("processor time of a campaign's cases")
    one = campaign.by_phase()
    record.add("campaign_case_ms", round(one.kit, 2))
    record.add("campaign_split", {name: round(ms, 2) for name, ms in one.phases.items()})
    record.notes["campaign_case_ms"] = (
        ", ".join(f"{name} {ms:.2f}" for name, ms in one.phases.items())
        + f"; the engine {one.engine:.2f}; {one.cases} cases"
    )
    report("the same in two processes at once")
    ceiling = campaign.ceiling(one)
    tries: dict[int, list[campaign.Rate]] = {1: [], 2: []}
    for workers in (2, 1, 2, 1):
        report(f"a campaign with {workers} of Spark's workers")
        tries[workers].append(campaign.rate(workers, 3_000 * workers))
    # Other work on the machine makes any of them slower, and none quicker.
    rates = {workers: max(own, key=lambda rate: rate.clock) for workers, own in tries.items()}
    record.add("campaign_rate", round(rates[2].clock))
    record.notes["campaign_rate"] = (
        f"cases per second, both judges on all; {rates[2].work:.1f} ms of all processors per case, "
        f"which is {2_000 / rates[2].work:.0f} a second where nothing else runs"
    )
    record.add("campaign_workers", round(rates[2].clock / rates[1].clock, 2))
    record.notes["campaign_workers"] = (
        f"two workers against one, {rates[1].clock:.0f} cases per second with "
        f"{rates[1].work:.1f} ms of all processors; two processes without Spark do "
        f"{ceiling:.2f} times what one does here"
    )


def _measure_campaign_memory(record: Record) -> None:
    report("a campaign of 100,000 cases")
    sizes = campaign.memory(100_000)
    early = max(n for n in sizes if n <= 10_000)
    record.add("campaign_memory", round(sizes[max(sizes)] / sizes[early], 2))
    record.notes["campaign_memory"] = ", ".join(f"{n:,}: {mb:,.0f} MB" for n, mb in sizes.items())


def _measure_burnin(record: Record) -> None:
    report("burn-ins of up to a million elements")
    costs = list(burnin.measure())
    last = costs[-1]
    record.add("burnin", [cost.to_json() for cost in costs])
    record.add("burnin_1e6_seconds", last.seconds)
    record.add("burnin_1e6_kit_mb", last.kit)
    record.notes["burnin_1e6_seconds"] = ", ".join(
        f"{c.elements:,}: {c.seconds:.1f} s" for c in costs
    )
    record.notes["burnin_1e6_kit_mb"] = ", ".join(
        f"{c.elements:,}: {c.kit:,.0f} MB (engine {c.engine:,.0f} MB)" for c in costs
    )


def _measure_spark(
    batch: dict[str, list[tuple[Case, Dials]]],
    semantics: SparkSemantics,
    record: Record,
) -> None:
    for name, cases in batch.items():
        found = spark_vs_peers.measure(cases, semantics)
        for peer in ("rdflib", "pyoxigraph"):
            record.add(f"spark_vs_{peer}{name}", round(found.ratio(peer), 2))
            record.notes[f"spark_vs_{peer}{name}"] = (
                f"{found.each['spark']:.3f} ms a window evaluation against {found.each[peer]:.3f} "
                f"ms ({found.prepared[peer]:.3f} with all prepared, where the ratio is "
                f"{found.prepared[peer] / found.each['spark']:.2f}); {found.evaluations} "
                f"evaluations of {found.cases} cases, {found.distinct:.0%} distinct"
            )
        if not name:
            record.add("spark_vs_spec", round(found.ratio("specification"), 2))
            record.notes["spark_vs_spec"] = (
                f"{found.cases} cases: {found.spark} against {found.specification}; 2 cores each"
            )


def _measure_growth(spark: SparkHandle, record: Record) -> None:
    measured: dict[str, growth.Growth] = {}
    measures: dict[str, Callable[[], growth.Growth]] = {
        "growth_spec": growth.by_specification,
        "growth_spark": lambda: growth.by_spark(spark),
    }
    for name, measure in measures.items():
        with record.part(name):
            grown = measured[name] = measure()
            spent = {str(n): round(one.work, 2) for n, one in grown.spent.items()}
            record.add(f"{name}_work", spent)
            each = ", ".join(f"{n:,}: {one.work:.1f} s" for n, one in grown.spent.items())
            record.add(name, round(grown.slope, 2), f"processor time: {each}")
    if len(measured) == len(measures):
        long = growth.SIZES[-1]
        by_spec, by_spark = (grown.spent[long] for grown in measured.values())
        record.add(
            "spark_vs_spec_stream",
            round(by_spec.wall / by_spark.wall, 2),
            f"{long:,} elements: {by_spark} against {by_spec}",
        )


def _measure_windows(record: Record) -> None:
    found = windows.measured()
    record.add("growth_windows_work", found)
    slopes = {
        f"{kind} by {judge}": growth.slope(work)
        for kind, each in found.items()
        for judge, work in each.items()
    }
    bounded = {name: own for name, own in slopes.items() if windows.UNBOUNDED not in name}
    note = "; ".join(f"{name}: {own:.2f}" for name, own in slopes.items())
    record.add("growth_windows", round(median(bounded.values()), 2), note)


def _show(console: Console, record: Record) -> None:
    table = Table(title="rsp-conformance on this machine")
    for heading in ("figure", "measured", "goal", "how"):
        table.add_column(heading)
    for name, goal in GOALS.items():
        if name in record.figures:
            table.add_row(name, str(record.figures[name]), goal, record.notes.get(name, ""))
    console.print(table)


if __name__ == "__main__":
    sys.exit(main())
