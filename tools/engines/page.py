"""The tables of ``docs/engines.md``, written from recorded runs of the suite on real engines."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from rsp_conformance.diagnosis.cause import UNEXPLAINED, is_named
from rsp_conformance.diagnosis.known_file import fingerprint_of
from rsp_conformance.judge.crash_file import read
from rsp_conformance.pages.site import kind_of
from tools.engines import semantics
from tools.engines.record import CRASHES, ROOT, Defect, Record, deep_runs, defects, records
from tools.engines.site import report
from tools.tables.tables import markdown

PAGE = ROOT / "docs" / "engines.md"


def engines() -> Iterator[Sequence[str]]:
    """The engines: what their properties came to, the causes, and the bugs that are known."""
    found = records()
    asked = [name for name in found[0].properties if all(_verdict(one, name) for one in found)]
    yield (
        *("engine", "passed", "failed", "not asked", f"passed of {len(asked)}", "causes"),
        *("unexplained", "bugs on record", "by a deep run", "cases per second", "start-up"),
    )
    some = {name for one in found for name in one.properties if _verdict(one, name)}
    deep = deep_runs()
    for record in found:
        verdicts = [own.verdict for own in record.properties.values()]
        named = sum(is_named(cause["id"]) for cause in record.causes)
        own = [one for one in defects() if one.engine == record.engine and one.crash]
        runs = deep.get(record.engine, {})
        deeply = {cause.id for causes in runs.values() for cause in causes}
        shown = sum(_is_among(defect, deeply) for defect in own)
        yield (
            f"{record.engine} {record.version}",
            *(f"{verdicts.count(verdict)}" for verdict in ("passed", "failed")),
            f"{len(some - record.properties.keys())}",
            f"{sum(_verdict(record, name) == 'passed' for name in asked)}",
            *(f"{named}", f"{len(record.causes) - named}"),
            *(f"{len(own)}", f"{shown} of {len(own)}" if runs else "–"),
            *(f"{record.cases_per_second:,.0f}", f"{record.start_up:.1f} s"),
        )


def _verdict(record: Record, name: str) -> str:
    """The verdict on a property; empty if the engine was not asked."""
    own = record.properties.get(name)
    return "" if own is None or own.verdict == "skipped" else own.verdict


def _is_among(defect: Defect, found: set[str]) -> bool:
    """Whether a defect is among the causes FOUND: by name, or as the group of its crash file."""
    group = UNEXPLAINED + fingerprint_of(read(CRASHES / defect.crash))
    return bool(found & {*defect.causes, group})


def kinds() -> Iterator[Sequence[str]]:
    """What goes wrong, by kind: in how many engines, and for which causes."""
    yield "what is wrong", "engines", "causes"
    found: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for record in records():
        for cause in report(record).causes:
            if is_named(cause.id):
                found[kind_of(cause)][cause.id].add(record.engine)

    def engines_of(kind: str) -> set[str]:
        return set().union(*found[kind].values())

    for kind in sorted(found, key=lambda own: (-len(engines_of(own)), own)):
        causes = sorted(found[kind].items(), key=lambda item: (-len(item[1]), item[0]))
        told = ", ".join(f"`{id}` ({len(engines)})" for id, engines in causes)
        yield kind, str(len(engines_of(kind))), told


TABLES: dict[str, Callable[[], Iterator[Sequence[str]]]] = {
    "engines": engines,
    "kinds": kinds,
    "dials": lambda: semantics.rows(semantics.kept()),
}
"""The tables by the name of the comments around them."""


def into(text: str) -> str:
    """The text of the page with its tables as they are now.

    Raises:
        ValueError: the page has no place for one of them.
    """
    for name, rows in TABLES.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        place = re.compile(f"(?<={re.escape(begin)}).*?(?={re.escape(end)})", re.DOTALL)
        # Each backslash of the table is one.
        table = f"{markdown(rows())}\n".replace("\\", r"\\")
        text, places = place.subn(table, text)
        if places != 1:
            raise ValueError(f"{PAGE.name} shows {places} tables of {name}")
    return text


def write() -> None:
    """Write the tables into the page."""
    PAGE.write_text(into(PAGE.read_text("utf-8")), "utf-8")
