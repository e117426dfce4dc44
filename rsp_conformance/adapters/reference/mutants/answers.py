"""Mutants of aggregates, solution modifiers, streaming operators, forms and terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pyoxigraph as ox

from rsp_conformance.adapters.reference.mutant import (
    ANSWERS,
    BURST,
    PARSED,
    QUERY,
    SOLUTIONS,
    STREAMED,
    TERM,
    MutatedRun,
    mutant,
)
from rsp_conformance.adapters.reference.oxigraph.terms import StoredTerm
from rsp_conformance.adapters.reference.r2s import Row
from rsp_conformance.model.algebra import Extend, Join, Pattern, SubSelect, Union
from rsp_conformance.model.expressions import Aggregate, Expression, Operation, Variable
from rsp_conformance.model.query import Form, Projection, Query, StreamOperator
from rsp_conformance.model.terms import XSD_INTEGER, XSD_STRING, Literal
from rsp_conformance.model.variables import (
    group_aggregates,
    group_variables,
    is_grouped,
    outside_aggregates,
    selected,
)
from rsp_conformance.model.walk import mentioned, rewritten, subexpressions

_ZERO = Literal("0", XSD_INTEGER)


@mutant(
    PARSED,
    "Kolibrie: rows have all variables, and ISTREAM and DSTREAM compare them so",
    where="a SELECT without groups that leaves a variable of its pattern out",
)
def projection_ignored(query: Query, run: MutatedRun) -> Query:
    """SELECT shows all variables of its pattern, also those that it does not name."""
    if query.form is not Form.SELECT or query.projection is None or is_grouped(query):
        return query
    # The expressions of SELECT may read what VALUES binds behind WHERE.
    pattern: Pattern = query.pattern if query.values is None else Join(query.pattern, query.values)
    for column in query.projection:
        if column.expression is not None:
            pattern = Extend(pattern, column.variable, column.expression)
    shown = replace(query, pattern=pattern, values=None, projection=None)
    return query if {*selected(shown)} <= {*selected(query)} else shown


@mutant(
    QUERY,
    "SPARQLstream: null for an average of nothing (CSRBench Q4)",
    needs="aggregates",
    where="an evaluation without solutions, and no GROUP BY",
)
def null_aggregate(query: Query, run: MutatedRun) -> Query:
    """An aggregate of nothing is unbound in place of 0."""
    if query.projection is None or query.group_by:
        return query
    columns = [replace(c, expression=null_if_empty(c.expression)) for c in query.projection]
    return replace(query, projection=tuple(columns))


@mutant(
    QUERY,
    "C-SPARQL: Jena 2.13 gives the empty input of GROUP BY a row",
    needs="group-by",
    where="an evaluation without solutions",
)
def group_over_nothing(query: Query, run: MutatedRun) -> Query:
    """GROUP BY over no solutions gives a row without its keys, as aggregates alone do."""
    return rewritten(query, _with_group_of_nothing)


@mutant(QUERY, "engines that parse more than they run", needs="having")
def having_ignored(query: Query, run: MutatedRun) -> Query:
    """HAVING is parsed and never applied."""
    return replace(query, having=())


@mutant(QUERY, "engines that parse more than they run", needs="limit")
def limit_ignored(query: Query, run: MutatedRun) -> Query:
    """LIMIT and OFFSET are parsed and never applied."""
    return replace(query, limit=None, offset=None)


@mutant(QUERY, "engines that parse more than they run", needs="distinct")
def distinct_ignored(query: Query, run: MutatedRun) -> Query:
    """DISTINCT is parsed and never applied, in subqueries neither."""
    return rewritten(
        query, lambda part: replace(part, distinct=False) if isinstance(part, Query) else part
    )


@mutant(
    SOLUTIONS,
    "Kolibrie, with the policy Steal: rows of a window's earlier firing stay in its list",
    where="two evaluations, the first of which has rows",
)
def earlier_rows_stay(rows: Sequence[Row], run: MutatedRun) -> Sequence[Row]:
    """The rows of all earlier evaluations stay beside those of the new one."""
    stayed: tuple[Row, ...] = (*run.memory.get("rows", ()), *rows)
    run.memory["rows"] = stayed
    return stayed


@mutant(STREAMED, "CQELS 2: DISTINCT lasts the query's lifetime", needs="distinct")
def distinct_forever(rows: Sequence[Row], run: MutatedRun) -> Sequence[Row]:
    """DISTINCT lasts the query's lifetime: a row that was answered once never comes again."""
    if not run.query.distinct:
        return rows
    seen: set[Row] = run.memory.setdefault("seen", set())
    new = [row for row in rows if row not in seen]
    seen.update(new)
    return new


@mutant(STREAMED, "engines that hand out single rows", needs="order")
def order_lost(rows: Sequence[Row], run: MutatedRun) -> Sequence[Row]:
    """The rows of an ordered answer come in another order."""
    return rows[::-1] if run.query.order_by else rows


@mutant(QUERY, "rsp-js, rsp-rs: parsed and never applied", needs="istream")
def istream_ignored(query: Query, run: MutatedRun) -> Query:
    """ISTREAM is parsed and answers as RSTREAM does."""
    return _answering_all(query, StreamOperator.ISTREAM)


@mutant(QUERY, "rsp-js, rsp-rs: parsed and never applied", needs="dstream")
def dstream_ignored(query: Query, run: MutatedRun) -> Query:
    """DSTREAM is parsed and answers as RSTREAM does."""
    return _answering_all(query, StreamOperator.DSTREAM)


@mutant(
    BURST,
    "rsp-js: evaluations that a burst sets off run side by side",
    dials={"answer_time": "none"},
    where="two different answers, and nothing that says of which instants",
    unordered=True,
)
def answers_overtake(answers: list[dict[str, Any]], run: MutatedRun) -> list[dict[str, Any]]:
    """Answers of a burst come in whatever order their evaluations end in."""
    return answers[::-1]


@mutant(
    ANSWERS,
    "drivers that listen to no result: nothing that the engine says reaches the kit",
    mute=True,
)
def always_silent(answers: list[dict[str, Any]], run: MutatedRun) -> list[dict[str, Any]]:
    """No answer ever comes."""
    return []


@mutant(STREAMED, "drivers that look for rows by other names than the engine gives them", mute=True)
def always_empty(rows: Sequence[Row], run: MutatedRun) -> Sequence[Row]:
    """Every answer comes without rows."""
    return ()


@mutant(ANSWERS, "C-SPARQL: CONSTRUCT delivers nothing", needs="construct")
def construct_silent(answers: list[dict[str, Any]], run: MutatedRun) -> list[dict[str, Any]]:
    """CONSTRUCT delivers nothing."""
    return [] if run.query.form is Form.CONSTRUCT else answers


@mutant(TERM, "engines that lose labels between streams", needs="blank-nodes")
def blank_nodes_merged(term: StoredTerm, run: MutatedRun) -> StoredTerm:
    """All blank nodes of an answer are one."""
    return ox.BlankNode("b") if isinstance(term, ox.BlankNode) else term


@mutant(TERM, "engines whose literals are strings", needs="language-tags")
def language_lost(term: StoredTerm, run: MutatedRun) -> StoredTerm:
    """Literals lose their language tag."""
    return ox.Literal(term.value) if isinstance(term, ox.Literal) and term.language else term


@mutant(
    TERM,
    "C-SPARQL: literals without a type become resources",
    where="a plain string in the data",
)
def strings_as_resources(term: StoredTerm, run: MutatedRun) -> StoredTerm:
    """Literals without a datatype become resources."""
    if isinstance(term, ox.Literal) and term.datatype.value == XSD_STRING:
        return ox.NamedNode(f"urn:resource:{quote(term.value)}")
    return term


def null_if_empty(expression: Expression | None) -> Expression | None:
    """`expression`, with aggregates in it, as an error over nothing; any other as it is."""
    if expression is None or not any(
        isinstance(part, Aggregate) for part in subexpressions(expression)
    ):
        return expression
    empty = Operation("=", (Aggregate("COUNT", None), _ZERO))
    error = Operation("/", (_ZERO, _ZERO))
    return Operation("IF", (empty, error, expression))


def _answering_all(query: Query, ignored: StreamOperator) -> Query:
    if query.operator is not ignored:
        return query
    return replace(query, operator=StreamOperator.RSTREAM)


def _with_group_of_nothing(part: Any) -> Any:
    if not isinstance(part, Query) or part.group_by is None or not group_aggregates(part):
        return part
    keys = {*mentioned(part.group_by), *group_variables(part)}
    shown = part.projection or ()
    alone = [c for c in shown if c.expression and keys.isdisjoint(_ungrouped(c.expression))]
    empty = Operation("=", (Aggregate("COUNT", None), _ZERO))
    inner = replace(part, form=Form.SELECT, operator=None, windows=(), name=None, template=())
    nothing = replace(
        inner, projection=tuple(alone), group_by=None, having=(empty, *part.having), order_by=()
    )
    return replace(
        part,
        pattern=Union(SubSelect(inner), SubSelect(nothing)),
        projection=tuple(Projection(column.variable) for column in shown),
        distinct=False,
        group_by=None,
        having=(),
        order_by=(),
        limit=None,
        offset=None,
        values=None,
    )


def _ungrouped(expression: Expression) -> set[str]:
    return {part.name for part in outside_aggregates(expression) if isinstance(part, Variable)}
