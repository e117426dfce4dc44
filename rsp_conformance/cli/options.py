"""The options that several commands share, with their help."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

import typer


class Format(StrEnum):
    """How a command shows its result."""

    table = "table"
    json = "json"


QueryFile: TypeAlias = Annotated[
    Path, typer.Option("--query", metavar="FILE", help="The query, in RSP-QL.")
]
Streams: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--stream",
        metavar="IRI=FILE",
        help="A stream (full IRI, or prefixed as the query does) and the file with its elements: "
        ".jsonl (one a line), .trig (named graphs with timestamps), .n3t (lines s p o t .), or a "
        "folder of data_NN.ttl (all of a file arrives at NN). Repeatable; elements of one "
        "instant arrive in the order of these options.",
    ),
]
FileUnit: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--unit",
        metavar="MS",
        min=1,
        help="The milliseconds that the number NN of a folder's data_NN.ttl, or t in a .n3t file, "
        "counts, such as 1000 for CSRBench; turned into instants by the dial unit. Without it: a "
        "number is an instant.",
    ),
]
Static: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--static",
        metavar="FILE[@FROM..UNTIL]",
        help="Background data (.ttl .nt .nq .trig .jsonld .rdf), and the instants at which it "
        "holds, both inclusive; each may be left out. Repeatable.",
    ),
]
Profile: TypeAlias = Annotated[
    str,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="How the open points of RSP-QL are read: one that `profiles` lists, or a JSON file.",
    ),
]
DialSettings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--dial",
        metavar="NAME=VALUE",
        help="A dial of the profile to turn, such as bounds=[o,c). Repeatable.",
    ),
]
Starts: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--t0",
        metavar="WINDOW=N",
        help="Where a window (named as in the query) starts. Repeatable; every window needs one "
        "unless the dial t0 decides it.",
    ),
]
Until: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--until",
        metavar="N",
        help="The last instant. Without it: the last element's, plus the greatest width + slide.",
    ),
]
Registered: TypeAlias = Annotated[
    int,
    typer.Option("--registered", metavar="N", help="The instant of the query's registration."),
]
TimePredicate: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--time-predicate",
        metavar="IRI",
        help="What gives a named element its timestamp, instead of prov:generatedAtTime.",
    ),
]
UseSpark: TypeAlias = Annotated[
    bool, typer.Option("--spark", help="Evaluate by the Spark plan instead of the specification.")
]
FormatOption: TypeAlias = Annotated[
    Format, typer.Option("--format", help="How to show the result.")
]
Answers: TypeAlias = Annotated[
    Path,
    typer.Option(
        "--answers",
        metavar="FILE",
        help="The engine's answers in JSON: a reply of the protocol, or its list of answers.",
    ),
]
CrashFile: TypeAlias = Annotated[
    Path, typer.Argument(metavar="FILE", help="A crash file, as failures write into .rsp/crashes.")
]
EngineSpec: TypeAlias = Annotated[
    str,
    typer.Argument(metavar="ENGINE", help="A name that `engines` lists, or stdio:COMMAND LINE."),
]
EngineOptions: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--engine-option", metavar="NAME=VALUE", help="An option of the engine. Repeatable."
    ),
]
TimeLimit: TypeAlias = Annotated[
    float,
    typer.Option("--time-limit", metavar="SECONDS", min=0.1, help="For each case."),
]
