"""The options that several commands share, with their help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, TypeAlias, cast

import typer


class Format(StrEnum):
    """How a command shows its result."""

    table = "table"
    json = "json"


QueryFile: TypeAlias = Annotated[
    Path, typer.Option("--query", metavar="FILE", help="The query, in RSP-QL.")
]
Streams: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--stream",
        default_factory=list,
        show_default=False,
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
    list[str],
    typer.Option(
        "--static",
        default_factory=list,
        show_default=False,
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
    list[str],
    typer.Option(
        "--dial",
        default_factory=list,
        show_default=False,
        metavar="NAME=VALUE",
        help="A dial of the profile to turn, such as bounds=[o,c). Repeatable.",
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
EngineOptions: TypeAlias = Annotated[
    list[str],
    typer.Option(
        "--engine-option",
        default_factory=list,
        show_default=False,
        metavar="NAME=VALUE",
        help="An option of the engine. Repeatable.",
    ),
]
TimeLimit: TypeAlias = Annotated[
    float,
    typer.Option("--time-limit", metavar="SECONDS", min=0.1, help="For each case."),
]


def flattened(command: Callable[..., int]) -> Callable[..., int]:
    """COMMAND with the fields of each dataclass among its parameters as options of their own."""
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for name, parameter in signature(command, eval_str=True).parameters.items():
        group = parameter.annotation
        if is_dataclass(group):
            groups[name] = group
            parameters += signature(cast(Any, group), eval_str=True).parameters.values()
        else:
            parameters.append(parameter)

    @wraps(command)
    def run(**options: Any) -> int:
        for name, group in groups.items():
            options[name] = group(**{f.name: options.pop(f.name) for f in fields(group)})
        return command(**options)

    # Typer reads the options off these two.
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {}
    return run
