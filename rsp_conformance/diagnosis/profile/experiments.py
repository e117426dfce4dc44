"""The designed experiments: cases that tell the values of dials apart, for one engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from rsp_conformance.files.rdf_files import parse_quads
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.usage import case_features
from rsp_conformance.text.parse import parse_query

_NAMES = "http://ex.org/"
_PREFIXES = f"PREFIX : <{_NAMES}>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"


_Window: TypeAlias = tuple[str, str, int]
"""The text between a window's brackets, its stream, and how long the case goes on after the last
element."""
OTHER: Final = 3
"""How long a case with a window that is not by time goes on."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """A designed case, before it is written for one engine; ``experiments.toml`` has the fields."""

    name: str
    windows: Sequence[str]
    elements: Sequence[str] = ()
    where: Sequence[str] = ("?x :p ?y",)
    select: str = "SELECT *"
    tail: str = ""
    operators: Sequence[str] = ("",)
    outside: str = ""
    graph: str = ""
    registered: int = 0
    until: int | None = None
    plain: bool = False

    def cases(self, form: QueryForm) -> Iterator[Case]:
        """The cases of the experiment in a form, one for each operator that it is asked with."""
        operators = self.operators
        if operators == ("",) and not form.plain:
            operators = form.operators[:1]
        for operator in operators:
            if not operator or operator in form.operators:
                yield self._case(form, operator)

    def _case(self, form: QueryForm, operator: str) -> Case:
        windows = [_window(written) for written in self.windows]
        elements = tuple(_element(written) for written in self.elements)
        last = elements[-1].t if elements else self.registered
        reach = max(reach for _, _, reach in windows)
        graph = BackgroundEntry(_triples(self.graph), IRI(f"{_NAMES}g"))
        return Case(
            query=parse_query(_PREFIXES + self._query(form, operator, windows)),
            elements=elements,
            background=Background((graph,) if self.graph else ()),
            registered=self.registered,
            until=last + reach if self.until is None else self.until,
        )

    def _query(self, form: QueryForm, operator: str, windows: Sequence[_Window]) -> str:
        every = "COMPUTED EVERY 2" if form.every else ""
        register = f"REGISTER {operator} :out {every} AS" if operator or every else ""
        from_window = "FROM WINDOW" if form.merged else "FROM NAMED WINDOW"
        declared = " ".join(
            f"{from_window} :w{n} ON :{stream} [{size}]"
            for n, (size, stream, _) in enumerate(windows)
        )
        patterns = [
            pattern if form.merged else f"WINDOW :w{n} {{ {pattern} }}"
            for n, pattern in enumerate(self.where)
        ]
        body = (" . " if form.merged else " ").join(filter(None, [*patterns, self.outside]))
        return f"{register} {self.select} {declared} WHERE {{ {body} }} {self.tail}"


@dataclass(frozen=True, slots=True)
class QueryForm:
    """How queries are written for an engine.

    Attributes:
        merged: whether windows are part of the default graph.
        every: whether the query states its period.
        plain: whether a query may be without a streaming operator.
        operators: the streaming operators that it may have.
    """

    merged: bool = False
    every: bool = False
    plain: bool = True
    operators: tuple[str, ...] = ()


@cache
def experiments() -> tuple[Experiment, ...]:
    """The designed experiments, as ``experiments.toml`` has them."""
    found = []
    for fields in read_table(__name__, "experiments.toml")["experiment"]:
        read: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in fields.items()
        }
        found.append(Experiment(**read))
    return tuple(found)


def designed(form: QueryForm, features: Set[str], declared: Set[str]) -> dict[Case, Experiment]:
    """The designed cases that an engine can be asked, each with its experiment.

    Args:
        form: how queries are written for the engine.
        features: the features of the engine.
        declared: the features and restrictions that it declares.
    """
    return {
        case: experiment
        for experiment in experiments()
        if not _restricted(experiment, declared)
        for case in experiment.cases(form)
        if case_features(case) <= features
    }


def _restricted(experiment: Experiment, declared: Set[str]) -> bool:
    """Whether a restriction that the engine declares forbids an experiment."""
    single = experiment.select.count("(") == 0 and not any("." in p for p in experiment.where)
    slides = [own.split()[1] for own in experiment.windows if not own.startswith("[")]
    joined = experiment.select.count("(") > 0 and any("." in p for p in experiment.where)
    return (
        ("without-steps" in declared and slides != ["1"] * len(slides))
        or ("without-single-patterns" in declared and single and len(slides) == 1)
        or ("without-joined-aggregates" in declared and joined)
    )


def _window(written: str) -> _Window:
    if written.startswith("["):
        size, _, stream = written[1:].partition("]")
        return size, stream.strip() or "s1", OTHER
    width, slide, stream = (*written.split(), "s1")[:3]
    return f"RANGE {width} STEP {slide}", stream, int(width) + int(slide)


def _element(written: str) -> StreamElement:
    instant, _, rest = written.partition(" ")
    stream, colon, triples = rest.partition(": ")
    if not colon:
        stream, triples = "s1", rest
    return StreamElement(IRI(f"{_NAMES}{stream}"), int(instant), _triples(triples))


def _triples(turtle: str) -> tuple[Triple, ...]:
    text = f"{_PREFIXES}{turtle} ." if turtle else ""
    return tuple(triple for triple, _ in parse_quads(Path("experiments.toml"), text, ".ttl"))
