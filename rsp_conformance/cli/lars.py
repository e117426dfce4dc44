"""``lars``: a query as a LARS program, and the answers of the program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, TypeAlias

import typer

import rsp_conformance as rsp
from rsp_conformance import limits
from rsp_conformance.cli.answers import (
    MARK,
    READING,
    FileUnit,
    Language,
    QueryFile,
    Registered,
    StaticFiles,
    StreamFiles,
    Until,
    read_streams,
    reading_told,
)
from rsp_conformance.cli.options import (
    Format,
    FormatOption,
    JudgingLimit,
    dial_texts,
    option,
    read_profile,
    repeatable,
)
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, say, show_json, show_table
from rsp_conformance.lars.answers import TranslationName, answers, translated
from rsp_conformance.lars.modes import Mode, Pull, Push
from rsp_conformance.lars.program import WindowFunction
from rsp_conformance.lars.queries import Reading, brave, table_1
from rsp_conformance.lars.text import print_program
from rsp_conformance.lars.translation import DifferenceKind, input_predicates
from rsp_conformance.model import errors
from rsp_conformance.model.errors import BadInput, note, require
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.results import Answers

ModeOption: TypeAlias = Annotated[
    str, option("push|pull:U", "Evaluate whenever an element arrives, or at the multiples of U.")
]
TranslationOption: TypeAlias = Annotated[
    TranslationName,
    typer.Option(
        help="The translation of the paper: tau1 merges the streams into the default graph, as "
        "C-SPARQL does; tau2 has stream graph patterns, as CQELS does."
    ),
]
ReadingOption: TypeAlias = Annotated[
    Reading,
    typer.Option(
        help="Where tau2 matches a stream graph pattern: only in its window (cautious), or also in "
        "the background data (brave)."
    ),
]
MinusOption: TypeAlias = Annotated[
    DifferenceKind,
    typer.Option(
        help="The effect of MINUS on rows that share no variable: none (sparql), or every row is "
        "removed (figure-1, as in the paper)."
    ),
]
WindowOptions: TypeAlias = Annotated[
    list[str],
    repeatable(
        "NAME=WINDOW",
        "Replace a declared window: RANGE L, RANGE L SLIDE D, ROWS N, NOW or UNBOUNDED, in "
        "instants. Repeatable.",
    ),
]
UnitDial: TypeAlias = Annotated[
    list[str], repeatable("unit=MS", "The milliseconds of an instant, the only dial here.")
]


def lars(
    *,
    query: QueryFile,
    language: Language = None,
    stream: StreamFiles,
    unit: FileUnit = None,
    static: StaticFiles,
    mode: ModeOption = "push",
    translation: TranslationOption = "tau2",
    reading: ReadingOption = "cautious",
    minus: MinusOption = "sparql",
    window: WindowOptions,
    dial: UnitDial,
    until: Until = None,
    registered: Registered = None,
    time_limit: JudgingLimit = limits.SECONDS,
    format: FormatOption = Format.table,
) -> int:
    r"""Show a query as a logic program in LARS, with its answers.

    An answer-set solver computes them (Python package clingo). Exit status: 0
    computed, 2 bad input.

    Examples:
        rsp-conformance lars --query @lars/ex4 --mode pull:1 \
          --stream :S_near=@lars/near --stream :S_offers=@lars/offers
    """
    limits.allow(time_limit)
    chosen = read_mode(mode)
    for name in dial_texts(dial):
        if name != "unit":
            raise BadInput(f"--dial {name!r:.80}: the only dial of a LARS program is unit")
    with progress(READING) as doing:
        profiled = rsp.case(
            query,
            read_streams(stream, unit),
            read_profile("rsp-ql", dial),
            static=static,
            until=until,
            registered=registered,
            language=language,
            mark=MARK,
            tell=reading_told(doing),
        )
    require("clingo")
    asked = profiled.case.query
    made = translated(
        brave(asked) if reading == "brave" else asked,
        chosen,
        translation,
        unit=profiled.dials.unit,
        windows=read_windows(window, asked),
        minus=minus,
    )
    elements = len(profiled.case.elements)
    with progress(f"solving the program over {elements:,} elements"), limits.limited():
        found = Answers(profiled, (), tuple(answers(made, profiled.case)))
    written = print_program(made.program, asked.prefixes)
    if format is Format.json:
        show_json({**found.to_dict(), "program": written})
    else:
        print(written)
        if found.evaluations:
            show_table(*found.table())
        else:
            say(f"The program is not triggered up to {profiled.case.until}.")
    for text in profiled.notes:
        note(text)
    return CORRECT


def read_mode(written: str) -> Mode:
    """Read the mode of ``--mode push|pull:U``.

    Raises:
        BadInput: the text is not of this form, or U is 0.
    """
    if written == "push":
        return Push()
    period = re.fullmatch(r"pull:(\d{1,18})", written)
    if period is None:
        raise BadInput(f"--mode {written!r:.80}: write it as push or pull:U, as in pull:5")
    with errors.reading("--mode"):
        return Pull(int(period[1]))


def read_windows(settings: Sequence[str], query: Query) -> dict[IRI, WindowFunction]:
    """Read the windows of ``--window NAME=WINDOW``, by the name of the declared window.

    Args:
        settings: the values of the option.
        query: the query that declares the windows.

    Raises:
        BadInput: a value is not of this form, or the query does not declare its window.
    """
    found: dict[IRI, WindowFunction] = {}
    for setting in settings:
        written, equals, window = setting.rpartition("=")
        name = query.expand(written.strip())
        declared = query.window(name)
        if not equals or declared is None:
            known = ", ".join(query.shorten(w.name) for w in query.windows) or "none"
            raise BadInput(
                f"--window {setting!r:.80}: write it as NAME=WINDOW, for a window of the query "
                f"(it has {known})"
            )
        with errors.reading("--window"):
            found[name] = table_1(window, input_predicates(query)[declared.stream])
    return found
