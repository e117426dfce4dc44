"""Print RSP-QL, one clause per line, with no more parentheses than precedence requires.

The printer is the inverse of the parser: ``parse_query(print_query(query)) == query`` for every
query that ``parse_query`` can return. A tree that no text can yield (a join with the empty pattern,
a blank node shared by two basic graph patterns, ``&&`` of three) is printed as a text that means
the same, if there is one.

A group is printed as a list of lines. Every pattern begins a line, since line-based readers of
RSP-QL look for ``WINDOW`` there; only a group of one short triple shares the line of its braces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rsp_conformance.model import algebra
from rsp_conformance.model.expressions import (
    Variable,
)
from rsp_conformance.model.layout import PLAIN, Layout
from rsp_conformance.model.query import Form, GroupKey, OrderKey, Projection, Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import Count, Reach, Span, WindowDeclaration
from rsp_conformance.text.durations import write_span
from rsp_conformance.text.errors import NotExpressible
from rsp_conformance.text.printer.expressions import ExpressionPrinter, is_call
from rsp_conformance.text.printer.layout import base_for, relaid
from rsp_conformance.text.printer.terms import TermPrinter
from rsp_conformance.text.printer.triples import Statements

_NAMELESS = IRI("urn:rsp:answers")
"""The name under which a query without a name is registered, if every query is registered."""
_SHORT = 76
"""The greatest length of a group, UNION or VALUES on one line: 80 columns less an indentation."""


def print_query(
    query: Query,
    *,
    duration: str | None = None,
    unit: int = 1,
    one_clause_a_line: bool = True,
    explicit_step: bool = False,
    triple_terms: bool = False,
    bare_stream: bool = False,
    explicit_register: bool = False,
    capital_operators: bool = False,
    full_iris: bool = False,
    star: bool = False,
    layout: Layout | None = None,
) -> str:
    """Return a query as RSP-QL, with its own prefixes, and IRIs in full if no prefix fits.

    Args:
        query: the query.
        duration: how RANGE, STEP and COMPUTED EVERY are written, one of the ``STYLES`` of
            ``text.durations``; None keeps the form that the query has.
        unit: milliseconds per instant.
        one_clause_a_line: whether clauses have lines of their own; if not, all is on one line.
        explicit_step: writes the STEP of one instant that a RANGE without STEP means.
        triple_terms: writes quoted triples as ``<<( s p o )>>``.
        bare_stream: writes ``ON :s``, without STREAM.
        explicit_register: registers every query, one without an operator under RStream, with the
            name in full.
        capital_operators: writes ``RSTREAM``.
        full_iris: writes no prefixes.
        star: keeps to the grammar of RSP-QL* (its prototype's): every query is registered as a
            stream, ``ON`` takes only the stream's IRI, and every window has its STEP.
        layout: writes the same algebra differently (``model.layout``); blank nodes may then have
            other labels.

    Raises:
        NotExpressible: the dialect cannot express the query.
        ValueError: a length does not fit the unit, or a term cannot be written in a query.
    """
    layout = layout or PLAIN
    base = base_for(query) if layout.relative else None
    lines = QueryPrinter(
        () if full_iris else query.prefixes,
        triple_terms,
        layout,
        duration,
        unit,
        explicit_step=explicit_step or star,
        bare_stream=bare_stream or star,
        explicit_register=explicit_register,
        capital_operators=capital_operators,
        star=star,
    ).query_lines(query)
    if base is not None:
        lines.insert(len(query.prefixes) * (layout.prologue and not full_iris), f"BASE <{base}>")
    if one_clause_a_line:
        return relaid("\n".join(lines) + "\n", layout, base)
    return relaid(" ".join(line.strip() for line in lines), layout, base)


def _indented(lines: list[str]) -> list[str]:
    return ["  " + line for line in lines]


def _braced(head: str, lines: list[str]) -> list[str]:
    """Return `head` and `lines` in braces, on one line if they are one short triple."""
    space = " " if head else ""
    if not lines:
        return [f"{head}{space}{{ }}"]
    if len(lines) == 1 and lines[0].endswith(" .") and len(head) + len(lines[0]) < _SHORT:
        return [f"{head}{space}{{ {lines[0][:-2]} }}"]
    return [f"{head}{space}{{", *_indented(lines), "}"]


@dataclass(frozen=True, slots=True)
class QueryPrinter(ExpressionPrinter):
    """Writes queries and their parts; the options are those of ``print_query``."""

    duration: str | None = None
    unit: int = 1
    explicit_step: bool = False
    bare_stream: bool = False
    explicit_register: bool = False
    capital_operators: bool = False
    star: bool = False

    # Patterns

    def _statements(self, triples: Sequence[algebra.TriplePattern]) -> list[str]:
        return Statements(triples, self.layout, self.term, self.verb).lines()

    def _ended(self, lines: list[str]) -> list[str]:
        """Return the lines of a pattern that is not triples, with the dot that may follow it."""
        bare = self.layout.dots < 2 or not lines or lines[-1].endswith(" .")
        return lines if bare else [*lines[:-1], f"{lines[-1]} ."]

    def group(self, head: str, pattern: algebra.Pattern) -> list[str]:
        """Return `head` and the group that `pattern` is."""
        return _braced(head, self.group_lines(pattern))

    def group_lines(self, pattern: algebra.Pattern) -> list[str]:
        """Return the lines between the braces of the group that `pattern` is."""
        if isinstance(pattern, algebra.SubSelect):
            return self._form_lines(pattern.query)
        if isinstance(pattern, algebra.Filter):
            condition, inner = self.constraint(pattern.condition), pattern.pattern
            lines = (self.group_lines if isinstance(inner, algebra.Filter) else self._elements)(
                inner
            )
            space = "" if condition.startswith("(") else " "
            return [*lines, *f"FILTER{space}{condition}".split("\n")]
        return self._elements(pattern)

    def _elements(self, pattern: algebra.Pattern) -> list[str]:
        """Return the patterns of the group whose translation `pattern` is."""
        match pattern:
            case algebra.BGP(triples):
                return self._statements(triples)
            case algebra.Join(left, right):
                # Triples after triples would be one basic graph pattern.
                last = left.right if isinstance(left, algebra.Join) else left
                apart = isinstance(right, algebra.BGP) and isinstance(last, algebra.BGP)
                element = self.group("", right) if apart else self._element(right)
                return self._elements(left) + self._ended(element)
            case algebra.LeftJoin(left, right, condition):
                # The filters of OPTIONAL's own group are its condition.
                if isinstance(right, algebra.Filter) or (
                    condition is not None and isinstance(right, algebra.SubSelect)
                ):
                    inner = self.group("", right)
                else:
                    inner = self.group_lines(right)
                if condition is not None:
                    inner += self.group_lines(algebra.Filter(condition, algebra.BGP()))
                return self._elements(left) + self._ended(_braced("OPTIONAL", inner))
            case algebra.Minus(left, right):
                return self._elements(left) + self._ended(self.group("MINUS", right))
            case algebra.Extend(inner_pattern, variable, expression):
                text = f"BIND({self.expression(expression)} AS ?{variable.name})"
                return self._elements(inner_pattern) + self._ended(text.split("\n"))
            case _:
                return self._element(pattern)

    def _element(self, pattern: algebra.Pattern) -> list[str]:
        """Return one pattern of a group, which is joined with those before it."""
        match pattern:
            case algebra.BGP(triples) if triples:
                return self._elements(pattern)
            case algebra.Graph(name, inner):
                return self.group(f"GRAPH {self.term(name)}", inner)
            case algebra.Window(name, inner):
                return self.group(f"WINDOW {self.term(name)}", inner)
            case algebra.Service(name, inner, silent):
                word = "SERVICE SILENT" if silent else "SERVICE"
                return self.group(f"{word} {self.term(name)}", inner)
            case algebra.Union():
                return self._union(pattern)
            case algebra.Values():
                return self._values(pattern)
            case _:
                return self.group("", pattern)

    def _union(self, pattern: algebra.Union) -> list[str]:
        sides: list[algebra.Pattern] = [pattern.right]
        left = pattern.left
        while isinstance(left, algebra.Union):
            sides.append(left.right)
            left = left.left
        groups = [self.group("", side) for side in (left, *reversed(sides))]
        if all(len(lines) == 1 for lines in groups):
            line = " UNION ".join(lines[0] for lines in groups)
            if len(line) <= _SHORT:
                return [line]
        lines = groups[0]
        for following in groups[1:]:
            lines[-1] += f" UNION {following[0]}"
            lines += following[1:]
        return lines

    def _values(self, values: algebra.Values) -> list[str]:
        """Return ``VALUES`` with its rows, on one line if they fit."""
        names = [self.term(variable) for variable in values.variables]
        rows = [["UNDEF" if t is None else self.term(t) for t in row] for row in values.rows]
        # A single variable and its terms need no parentheses.
        head, *texts = [
            row[0] if len(names) == 1 else f"({' '.join(row)})" for row in (names, *rows)
        ]
        line = f"VALUES {head} {{ {' '.join((*texts, '}'))}"
        return [line] if len(line) <= _SHORT else [f"VALUES {head} {{", *_indented(texts), "}"]

    # Queries

    def query_lines(self, query: Query) -> list[str]:
        """Return the lines of a query."""
        # No IRI printed is relative; but IRI("a") is resolved against the base when it is evaluated
        prologue = [] if query.base is None else [f"BASE <{query.base}>"]
        prologue += [f"PREFIX {prefix}: <{namespace}>" for prefix, namespace in self.prefixes]
        if self.layout.prologue:
            prologue.reverse()
        return [*prologue, *self._registration(query), *self._form_lines(query)]

    def _registration(self, query: Query) -> list[str]:
        operator, name = query.operator, query.name
        if self.star:
            if operator is not None:
                raise NotExpressible(f"RSP-QL* has no {operator.value}")
            words = ["REGISTER STREAM", self.iri((name or _NAMELESS).value)]
        elif self.explicit_register:
            output = TermPrinter().iri((name or _NAMELESS).value)
            words = ["REGISTER", self._operator(operator or StreamOperator.RSTREAM), output]
        elif operator or name or query.computed_every is not None:
            words = ["REGISTER"]
            if operator is not None:
                words.append(self._operator(operator))
            elif name is not None:
                words.append("QUERY")
            if name is not None:
                words.append(self.iri(name.value))
        else:
            return []
        if query.computed_every is not None:
            words.append(f"COMPUTED EVERY {self._span(query.computed_every)}")
        return [" ".join((*words, "AS"))]

    def _operator(self, operator: StreamOperator) -> str:
        return operator.value if self.capital_operators else f"{operator.letter}Stream"

    def _form_lines(self, query: Query) -> list[str]:
        """Return a query, or a subquery, without prologue and registration."""
        with_pattern = True
        match query.form:
            case Form.SELECT:
                head = self._select(query).split("\n")
            case Form.ASK:
                head = ["ASK"]
            case Form.CONSTRUCT:
                template = _indented(self._statements(query.template))
                same = self._is_its_own_template(query)
                head = ["CONSTRUCT"] if same else ["CONSTRUCT {", *template, "}"]
            case Form.DESCRIBE:
                head = [f"DESCRIBE {' '.join(map(self.term, query.described)) or '*'}"]
                with_pattern = query.pattern != algebra.BGP()
        return [*head, *self._rest(query, with_pattern)]

    def _is_its_own_template(self, query: Query) -> bool:
        """Return whether the query is written as CONSTRUCT WHERE."""
        return query.is_its_own_template and self.layout.where

    def _select(self, query: Query) -> str:
        words = ["SELECT"]
        if query.distinct or query.reduced:
            words.append("DISTINCT" if query.distinct else "REDUCED")
        if query.projection == ():
            raise ValueError("a SELECT query without variables cannot be written")
        shown = ["*"] if query.projection is None else map(self._projection, query.projection)
        return " ".join((*words, *shown))

    def _projection(self, item: Projection) -> str:
        name = self.term(item.variable)
        return (
            name if item.expression is None else f"({self.expression(item.expression)} AS {name})"
        )

    def _rest(self, query: Query, with_pattern: bool) -> list[str]:
        """Return what the forms share: dataset, pattern and solution modifiers."""
        lines = [f"FROM {self.iri(graph.value)}" for graph in query.default_graphs]
        lines += (f"FROM NAMED {self.iri(graph.value)}" for graph in query.named_graphs)
        lines += map(self._window, query.windows)
        if with_pattern:
            short = self.layout.where and not self._is_its_own_template(query)
            lines += ("{" if short else "WHERE {", *_indented(self.group_lines(query.pattern)), "}")
        for head, keys in (
            ("GROUP BY", map(self._group_key, query.group_by or ())),
            ("HAVING", map(self.constraint, query.having)),
            ("ORDER BY", map(self._order_key, query.order_by)),
        ):
            if written := " ".join(keys):
                lines += f"{head} {written}".split("\n")
        slices = [
            f"{word} {number}"
            for word, number in (("LIMIT", query.limit), ("OFFSET", query.offset))
            if number is not None
        ]
        lines += reversed(slices) if self.layout.modifiers else slices
        return lines if query.values is None else lines + self._values(query.values)

    def _window(self, window: WindowDeclaration) -> str:
        return (
            f"FROM {'NAMED ' if window.named else ''}WINDOW {self.iri(window.name.value)} "
            f"ON {'' if self.bare_stream else 'STREAM '}{self.iri(window.stream.value)} "
            f"[{self._size(window)}]"
        )

    def _size(self, window: WindowDeclaration) -> str:
        if isinstance(window.width, Reach):
            return "NOW" if window.width is Reach.NOW else "RANGE UNBOUNDED"
        if isinstance(window.width, Count):
            return str(window.width) + ("" if window.slide is None else f" STEP {window.slide}")
        size = f"RANGE {self._span(window.width)}"
        if window.lag is not None:
            size = f"FROM NOW-{self._span(window.back)} TO NOW-{self._span(window.lag)}"
        if window.slide is not None or self.explicit_step:
            size += f" STEP {self._span(1 if window.slide is None else window.slide)}"
        return size

    def _span(self, span: Span) -> str:
        return write_span(span, self.duration, self.unit)

    def _group_key(self, key: GroupKey) -> str:
        text = self.expression(key.expression)
        if key.variable is not None:
            return f"({text} AS {self.term(key.variable)})"
        bare = isinstance(key.expression, Variable) or is_call(key.expression)
        return text if bare else f"({text})"

    def _order_key(self, key: OrderKey) -> str:
        if key.descending:
            return f"DESC({self.expression(key.expression)})"
        if self.layout.modifiers:
            return f"ASC({self.expression(key.expression)})"
        if isinstance(key.expression, Variable):
            return self.term(key.expression)
        return self.constraint(key.expression)
