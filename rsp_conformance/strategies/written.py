"""Generated values whose ``repr`` is what papers and queries would print.

Each class equals the plain value that it extends, and adds only a text for ``repr`` and for
Hypothesis. Hypothesis shows the values of a failing test by ``_repr_pretty_`` (IPython's protocol),
and would otherwise print every field.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.cached_hash import compared
from rsp_conformance.model.case import Case
from rsp_conformance.model.layout import PLAIN, Layout
from rsp_conformance.model.query import Query
from rsp_conformance.model.streams import StreamElement, of_stream
from rsp_conformance.model.terms import Term, Triple
from rsp_conformance.model.windows import Count, Reach, WindowDeclaration
from rsp_conformance.strategies import vocabulary
from rsp_conformance.text.printer.rspql import print_query
from rsp_conformance.text.printer.terms import print_term


def short(term: Term) -> str:
    """Return a term as a query over the vocabulary writes it."""
    return print_term(term, vocabulary.PREFIXES)


def graph(triples: tuple[Triple, ...], *, bare: bool = True) -> str:
    """Return triples as explanations write them: in braces, except a single one if ``bare``."""
    shown = ". ".join(" ".join(map(short, triple)) for triple in triples)
    return shown if bare and len(triples) == 1 else f"{{{shown}}}"


def element(item: StreamElement) -> str:
    """Return an element as ``(:diana :isNearby :a, 2)``, a named one as ``(:g {…}, 2)``."""
    label = "" if item.name is None else f"{short(item.name)} "
    return f"({label}{graph(item.graph, bare=not label)}, {item.t})"


def elements(items: tuple[StreamElement, ...]) -> str:
    """Return elements in order of arrival; ``∅`` if there are none."""
    return ", ".join(element(item) for item in items) or "∅"


def entry(item: BackgroundEntry) -> str:
    """Return a background graph with its name and the instants at which it holds, if any."""
    shown = graph(item.triples)
    if item.graph is not None:
        shown += f" in {short(item.graph)}"
    if item.since is None and item.until is None:
        return shown
    since, until = ("" if end is None else end for end in (item.since, item.until))
    return f"{shown} on [{since},{until}]"


def entries(background: Background) -> str:
    """Return the entries of background data; ``∅`` if there are none."""
    return ", ".join(map(entry, background)) or "∅"


def window(declared: WindowDeclaration) -> str:
    """Return a window's clause in RSP-QL."""
    named = "NAMED " if declared.named else ""
    step = "" if declared.slide is None else f" STEP {declared.slide}"
    size = str(declared.width) if isinstance(declared.width, Count) else f"RANGE {declared.width}"
    if declared.lag is not None:
        assert isinstance(declared.width, int) and isinstance(declared.lag, int)
        size = f"FROM NOW-{declared.width + declared.lag} TO NOW-{declared.lag}"
    if isinstance(declared.width, Reach):
        size = "NOW" if declared.width is Reach.NOW else "RANGE UNBOUNDED"
    return (
        f"FROM {named}WINDOW {short(declared.name)} ON STREAM {short(declared.stream)} "
        f"[{size}{step}]"
    )


def query_text(query: Query, layout: Layout | None = None) -> str:
    """Return a query in RSP-QL, in the given layout, with durations in instants."""
    return print_query(query, duration="instants", layout=layout or PLAIN).strip()


def case_text(case: Case) -> str:
    """Return a case like an example in a paper: query, streams, background data, time."""
    lines = [query_text(case.query, case.layout)]
    for stream in case.streams:
        lines.append(f"{short(stream)} = {elements(of_stream(case.elements, stream))}")
    if len({e.stream for e in case.elements}) > 1:
        order = " ".join(short(e.stream) for e in case.elements)
        lines.append(f"in the order {order}")
    if case.background:
        lines.append(f"background = {entries(case.background)}")
    lines.append(f"registered at {case.registered}, compared until {case.until}")
    return "\n".join(lines)


class _Shown:
    """Mixin: shown as ``repr`` says, with several lines below one another."""

    __slots__ = ()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        first, *others = repr(self).splitlines()
        if not others:
            printer.text(first)
            return
        with printer.indent(4):
            for line in (first, *others):
                printer.break_()
                printer.text(line)


class _Written(_Shown):
    """Mixin before a dataclass, whose plain instances it equals."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        _, plain = type(self).__bases__
        own = compared(plain)
        return self is other or (isinstance(other, plain) and bool(own(self) == own(other)))

    def __hash__(self) -> int:
        return super().__hash__()


class WrittenCase(_Written, Case):
    """A case whose ``repr`` is ``case_text``."""

    __slots__ = ()
    __repr__ = case_text


def changed(case: Case, **changes: object) -> Case:
    """Return a case with changed fields, shown as papers show it."""
    values = {field.name: getattr(case, field.name) for field in fields(Case)}
    return WrittenCase(**{**values, **changes})


class WrittenQuery(_Written, Query):
    """A query whose ``repr`` is its text."""

    __slots__ = ()
    __repr__ = query_text


class WrittenWindow(_Written, WindowDeclaration):
    """A window whose ``repr`` is its clause."""

    __slots__ = ()
    __repr__ = window


class WrittenBackground(_Written, Background):
    """Background data whose ``repr`` shows each graph and its interval."""

    __slots__ = ()
    __repr__ = entries


class WrittenStream(_Shown, tuple[StreamElement, ...]):
    """Elements whose ``repr`` is the papers' notation."""

    __slots__ = ()
    __repr__ = elements


class WrittenGraph(_Shown, tuple[Triple, ...]):
    """Triples whose ``repr`` is Turtle."""

    __slots__ = ()
    __repr__ = graph
