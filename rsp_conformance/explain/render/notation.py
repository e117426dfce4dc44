"""Terms, elements, answers and starts in the papers' notation, with the query's prefixes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rsp_conformance.explain.argument import AnswerPart
from rsp_conformance.explain.render.layout import counted, glued, listed, ordinal, shorten
from rsp_conformance.explain.situation import Situation
from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.background import BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.errors import printable
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Term, Triple
from rsp_conformance.model.variables import selected
from rsp_conformance.model.verdict import Vector
from rsp_conformance.spec.windows import Instance
from rsp_conformance.text.printer.terms import is_bare

GRAPH = 4
"""The number of triples of an element that are shown."""
TERM_WIDTH = 40
"""The columns of a term; a longer one is shown with an ellipsis."""


class Notation:
    """Writes the terms, elements and rows of a case."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.query = case.query

    def iri(self, iri: IRI) -> str:
        """An IRI as the query abbreviates it."""
        return shorten(printable(self.query.shorten(iri)), TERM_WIDTH)

    def term(self, term: Term | None) -> str:
        """A term as Turtle writes it, long ones shortened; None is ``unbound``."""
        match term:
            case None:
                return "unbound"
            case Triple():
                return f"<< {self.triple(term)} >>"
            case IRI():
                return self.iri(term)
            case BlankNode(label=label):
                text = f"_:{label}"
            case Literal():
                text = self._literal(term)
        return shorten(printable(text), TERM_WIDTH)

    def _literal(self, literal: Literal) -> str:
        if is_bare(literal):
            return literal.lexical
        plain, datatype = Literal(literal.lexical), literal.datatype
        if literal.language:
            return f"{plain!r}@{literal.language}"
        if plain == literal:
            return repr(plain)
        xsd = datatype.startswith(XSD)
        name = f"xsd:{datatype.removeprefix(XSD)}" if xsd else self.query.shorten(IRI(datatype))
        return f"{plain!r}^^{name}"

    def triple(self, triple: Triple) -> str:
        """A triple, such as ``:diana :isNearby :a``."""
        return " ".join(self.term(part) for part in triple)

    def graph(self, triples: Sequence[Triple]) -> str:
        """One triple bare, several within braces."""
        if len(triples) == 1:
            return self.triple(triples[0])
        return "{" + ". ".join(self.triple(t) for t in triples) + "}"

    def element(self, element: StreamElement) -> str:
        """An element, such as ``(:diana :isNearby :a, 2)``, or ``(:g {…}, 2)`` with a name.

        Beyond `GRAPH` triples the rest is counted.
        """
        graph = ". ".join(self.triple(triple) for triple in element.graph[:GRAPH])
        if len(element.graph) > GRAPH:
            graph += f". … {len(element.graph) - GRAPH} more"
        if len(element.graph) > 1 or element.name is not None:
            graph = f"{{{graph}}}"
        if element.name is not None:
            graph = f"{self.term(element.name)} {graph}"
        return glued(f"({graph}, {element.t})")

    def elements(self, indices: Sequence[int]) -> str:
        """The elements at these positions as a phrase; of more than three only the instants."""
        if len(indices) <= 3:
            return listed([self.element(self.case.elements[i]) for i in indices])
        instants = [str(self.case.elements[i].t) for i in indices]
        return f"the {len(indices)} elements at {listed(instants, limit=8)}"

    def row(self, variables: Sequence[str], row: Sequence[Term | None]) -> str:
        """A row, such as ``{?who=:carl, ?shop=:a}``; ``{-}`` is the solution that binds nothing."""
        cells = self._cells(variables, row)
        return glued("{" + ", ".join(cells) + "}") if cells else "{-}"

    def _cells(self, variables: Sequence[str], row: Sequence[Term | None]) -> list[str]:
        """The cells of a row in the order of SELECT, in which engines need not give them."""
        shown = selected(self.query)
        cells = sorted(
            zip(variables, row, strict=True),
            key=lambda cell: shown.index(cell[0]) if cell[0] in shown else len(shown),
        )
        return [
            f"?{name} {self.term(cell)}" if cell is None else f"?{name}={self.term(cell)}"
            for name, cell in cells
        ]

    def part(self, part: AnswerPart) -> str:
        """A row, a triple, a truth value or some cells of a row."""
        match part.kind:
            case "row":
                return self.row(part.variables, part.row)
            case "triple":
                return "(" + " ".join(map(self.term, part.row)) + ")"
            case "cells":
                return listed(self._cells(part.variables, part.row))
            case "true" | "false" as truth:
                return truth

    def rows(self, content: Content) -> list[str]:
        """The parts of an answer, one text each: rows, a truth value, or triples (sorted)."""
        match content:
            case Truth(value):
                return ["true" if value else "false"]
            case Triples(graph):
                return sorted(self.triple(t) for t in graph)
            case Rows(variables, rows):
                return [self.row(variables, row) for row in rows]

    def content(self, content: Content, *, limit: int = 4, room: int = 150) -> str:
        """An answer; ``{}`` is one without rows.

        Args:
            content: the answer.
            limit: how many rows are shown; if there are more, the rest is counted.
            room: how many columns the rows may take; those beyond are counted.
        """
        parts = self.rows(content)
        shown = parts if len(parts) <= limit else parts[: limit - 1]
        while len(shown) > 1 and sum(len(part) + 2 for part in shown) > room:
            shown = shown[:-1]
        more = f" and {len(parts) - len(shown)} more" if len(shown) < len(parts) else ""
        if isinstance(content, Triples):
            return "{" + ". ".join(shown) + "}" + more
        return (", ".join(shown) or "{}") + more

    def brief(self, content: Content) -> str:
        """An answer if it is short, else the number of its rows."""
        text = self.content(content)
        if len(text) <= 75 or isinstance(content, Truth):
            return text
        kind = "row" if isinstance(content, Rows) else "triple"
        return counted(len(content), kind)

    def starts(self, vector: Vector) -> str:
        """A member of Z by window, such as ``t0(:w)=1, t0(:v)=0``.

        A window that is not by time is left out, unless it starts later than its stream: ``n0``.
        """
        return ", ".join(
            f"{'t0' if window.is_by_time else 'n0'}({self.iri(window.name)})="
            f"{'undefined' if start is None else start}"
            for window, start in zip(self.query.windows, vector, strict=True)
            if window.is_by_time or start
        )

    def vector(self, vector: Vector) -> str:
        """A member of Z in short: ``t0=1``, or ``t0=(1,0)``; ``n0`` of windows by count."""
        timed = [window.is_by_time for window in self.query.windows]
        shown = [t0 for t0, own in zip(vector, timed, strict=True) if own]
        units = [n0 for n0, own in zip(vector, timed, strict=True) if not own]
        said = [_short("n0", units)] if any(units) or not shown else []
        return ", ".join([_short("t0", shown), *said] if shown else said)

    def background_entry(self, entry: BackgroundEntry) -> str:
        """An entry, such as ``:alice :owns :a``, with its graph and its interval."""
        graph = self.graph(entry.triples) if entry.triples else "{}"
        if entry.graph is not None:
            graph = f"{graph} in {self.term(entry.graph)}"
        if entry.since is None and entry.until is None:
            return graph
        since, until = ("" if t is None else t for t in (entry.since, entry.until))
        return f"{graph} on [{since},{until}]"


class SituationNotation(Notation):
    """Writes a case under one z, and the answers to it."""

    def __init__(self, situation: Situation) -> None:
        super().__init__(situation.case)
        self.situation = situation

    def window(self, position: int) -> str:
        """The name of a window."""
        return self.iri(self.situation.windows[position].name)

    def span(self, instance: Instance) -> str:
        """An instance of a window as the papers write it, ``(5,10]``."""
        return instance.text(self.situation.dials.bounds)

    @property
    def under(self) -> str:
        """The vector as a phrase, such as `` under t0(:w)=1``; empty without windows."""
        starts = self.starts(self.situation.starts)
        return f" under {starts}" if starts else ""

    def answered(self, answer: Observed) -> str:
        """How an observed answer is referred to: ``at t=10``, ``as its 3rd answer``."""
        if self.situation.dials.answer_time == "none":
            place = next(i for i, o in enumerate(self.situation.observed) if o is answer)
            return f"as its {ordinal(place + 1)} answer"
        stamp = self.situation.stamp(answer)
        return "without a time" if stamp is None else f"at t={instant(stamp)}"

    def expected_at(self, t: int) -> str:
        """When an evaluation is expected, with its stamp if that is another instant."""
        stamp, stamps = self.situation.stamp_of(t), self.situation.dials.answer_time
        if stamps == "arrival" and stamp != t:
            return f"for the evaluation at t={t} (delivered at {stamp})"
        return f"for the evaluation at t={t}" if stamps == "none" else f"at t={t}"


def _short(name: str, starts: Sequence[int | None]) -> str:
    """Starts of windows as ``t0=1``, or ``t0=(1,0)``."""
    values = ["undefined" if start is None else str(start) for start in starts] or ["undefined"]
    return f"{name}={values[0]}" if len(values) == 1 else f"{name}=({','.join(values)})"


def capital(text: str) -> str:
    """A text with a capital letter, unless it begins with notation."""
    return text[:1].upper() + text[1:]


def instant(t: int | Fraction | None) -> str:
    """An instant as text; a fraction as the decimal that the engine reported."""
    if t is None:
        return "no instant"
    if isinstance(t, int) or t.denominator == 1:
        return str(int(t))
    return f"{float(t):g}"
