"""A registered continuous query (RSP-QL Definitions 17 to 19 and 23)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum

from rsp_conformance.model.algebra import BGP, Pattern, TriplePattern, Values
from rsp_conformance.model.cached_hash import CachedHash
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Expression, Variable
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import (
    AnyWindow,
    Duration,
    SlidingWindow,
    Span,
    WindowDeclaration,
    by_time,
    resolve,
    span_in_instants,
)

_LOCAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_\-]*")


class Form(Enum):
    """Query forms; DESCRIBE parses and is refused in evaluation."""

    SELECT = "SELECT"
    ASK = "ASK"
    CONSTRUCT = "CONSTRUCT"
    DESCRIBE = "DESCRIBE"


class StreamOperator(Enum):
    """Relation-to-stream operators (RSP-QL Definitions 20 to 22)."""

    RSTREAM = "RSTREAM"
    ISTREAM = "ISTREAM"
    DSTREAM = "DSTREAM"

    @property
    def letter(self) -> str:
        """R, I or D, as the dial ``stream_operators`` names it."""
        return self.value[0]


@dataclass(frozen=True, slots=True)
class Projection:
    """A selected variable, with the expression that defines it or None."""

    variable: Variable
    expression: Expression | None = None


@dataclass(frozen=True, slots=True)
class GroupKey:
    """A GROUP BY condition; ``variable`` names ``(expression AS ?variable)``."""

    expression: Expression
    variable: Variable | None = None


@dataclass(frozen=True, slots=True)
class OrderKey:
    """An ORDER BY condition."""

    expression: Expression
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Query(CachedHash):
    """A query as algebra. ``projection`` None is ``SELECT *``; ``group_by`` None is no GROUP BY.

    ``name`` is the name of the output stream, given by REGISTER. ``prefixes`` and ``base`` are the
    abbreviations of the text; two queries that differ only in them are equal.
    """

    pattern: Pattern = BGP()
    form: Form = Form.SELECT
    operator: StreamOperator | None = None
    name: IRI | None = None
    computed_every: Span | None = None
    windows: tuple[WindowDeclaration, ...] = ()
    default_graphs: tuple[IRI, ...] = ()
    named_graphs: tuple[IRI, ...] = ()
    projection: tuple[Projection, ...] | None = None
    distinct: bool = False
    reduced: bool = False
    template: tuple[TriplePattern, ...] = ()
    described: tuple[IRI | Variable, ...] = ()
    group_by: tuple[GroupKey, ...] | None = None
    having: tuple[Expression, ...] = ()
    order_by: tuple[OrderKey, ...] = ()
    limit: int | None = None
    offset: int | None = None
    values: Values | None = None
    prefixes: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    base: str | None = field(default=None, compare=False)

    __hash__ = CachedHash.__hash__

    def window(self, name: IRI) -> WindowDeclaration | None:
        """The declaration of the window called ``name``, or None."""
        return next((w for w in self.windows if w.name == name), None)

    def resolved_windows(self, dials: Dials) -> tuple[AnyWindow, ...]:
        """All windows, with widths and slides in instants or in units.

        Args:
            dials: the setting whose dials ``unit`` and ``count_slide`` decide.

        Raises:
            ValueError: a duration is not a whole number of instants, or a width or slide is out of
                range.
        """
        return tuple(resolve(declaration, dials) for declaration in self.windows)

    def sliding_windows(self, unit: int) -> tuple[SlidingWindow, ...]:
        """All windows, for a caller that knows windows by time alone.

        Raises:
            Unsupported: a window is not by time.
            ValueError: a duration is not a whole number of instants, or a width or slide is out of
                range.
        """
        windows = self.resolved_windows(Dials(unit=unit))
        found = by_time(windows)
        if len(found) < len(windows):
            raise Unsupported("windows by count, NOW and UNBOUNDED, where windows are by time")
        return found

    def in_instants(self, unit: int) -> Query:
        """This query with its durations in instants of ``unit`` ms, as `reference` reads them.

        Raises:
            ValueError: a duration is not a whole number of instants.
        """
        windows = tuple(
            replace(
                window,
                width=span_in_instants(window.width, unit),
                slide=window.slide and span_in_instants(window.slide, unit),
                lag=window.lag and span_in_instants(window.lag, unit),
            )
            if isinstance(window.width, int | Duration)
            else window
            for window in self.windows
        )
        period = self.period(unit)
        if (windows, period) == (self.windows, self.computed_every):
            return self
        return replace(self, windows=windows, computed_every=period)

    def period(self, unit: int) -> int | None:
        """The period of ``COMPUTED EVERY`` in instants; None if the query has no such clause."""
        if isinstance(self.computed_every, Duration):
            return self.computed_every.instants(unit)
        return self.computed_every

    @property
    def is_its_own_template(self) -> bool:
        """Whether CONSTRUCT WHERE can write it: the pattern is the template's triples."""
        return self.form is Form.CONSTRUCT and self.pattern == BGP(self.template)

    def streams(self) -> tuple[IRI, ...]:
        """The streams that the windows read, in the order in which they first appear."""
        return tuple(dict.fromkeys(w.stream for w in self.windows))

    def expand(self, name: str) -> IRI:
        """The IRI that is written as ``<full>``, ``prefix:local`` or without brackets."""
        if name.startswith("<") and name.endswith(">"):
            return IRI(name[1:-1])
        prefix, colon, local = name.partition(":")
        for known, namespace in self.prefixes:
            if colon and known == prefix and not local.startswith("//"):
                return IRI(namespace + local)
        return IRI(name)

    def shorten(self, iri: IRI) -> str:
        """Write an IRI with a prefix of the query if one fits, otherwise in angle brackets."""
        return abbreviated(iri.value, self.prefixes)


def abbreviated(iri: str, prefixes: tuple[tuple[str, str], ...]) -> str:
    """Write an IRI with the longest namespace that fits, otherwise in angle brackets.

    Args:
        iri: the full IRI.
        prefixes: pairs of a prefix and its namespace.
    """
    fitting = [
        (len(namespace), f"{prefix}:{iri[len(namespace) :]}")
        for prefix, namespace in prefixes
        if iri.startswith(namespace) and _LOCAL.fullmatch(iri, len(namespace))
    ]
    return max(fitting)[1] if fitting else f"<{iri}>"
