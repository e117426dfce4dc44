"""The readings of ``substitute(P, μ)``, by which SPARQL 1.1 (18.6) defines EXISTS.

At four places its result is not defined, or few engines follow the definition, so readings differ:

- VALUES with a variable of μ, which no term can replace. Either the rows that agree with μ stay
  (the kit's reading), or VALUES binds a new variable that nothing else uses, or VALUES is left as
  it is, so that expressions see the terms that it binds;
- BOUND of a variable of μ. Either it is true of the term (the kit's reading), or it says whether
  the pattern inside binds the variable by itself;
- a blank node of μ in a triple pattern. Either it is the node itself (the kit's reading), or, by
  the letter, it becomes a blank node of the pattern, which any node matches;
- a path of length zero between two variables, one of which is in μ. By the letter (the kit's
  reading) it starts or ends at a term, and so joins the term with itself even if the term is not in
  the graph (18.4). If the path is joined with μ instead, as SEP-0007 has it for SPARQL 1.2, it
  joins nodes of the graph only.

Evaluators try all readings; if they decide differently, the solutions are left open. The readings
of VALUES, BOUND and paths are expressed as rewritten patterns. For each variable ?x of a VALUES or
BOUND, a rewritten pattern has a second variable, which no query can name: it holds the term that
the pattern inside binds to ?x. If μ binds no such variable, the rewritten pattern means the same as
the original.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any
from typing import Literal as OneOf

from rsp_conformance.model.algebra import (
    BGP,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Pattern,
    SubSelect,
    TriplePattern,
    Union,
    Values,
    Window,
)
from rsp_conformance.model.expressions import Exists, Expression, Operation, Variable
from rsp_conformance.model.paths import RepeatedPath
from rsp_conformance.model.query import Projection, Query
from rsp_conformance.model.quoted_triples import quotes
from rsp_conformance.model.terms import BlankNode, Term
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.walk import (
    conditions,
    mentioned,
    rewritten,
    rewritten_pattern,
    subexpressions,
    subpatterns,
    within,
)

PATTERNS = 256
"""The number of patterns whose readings are cached; an evaluator asks for the same few for each
solution."""


@dataclass(frozen=True, slots=True)
class Substitutions:
    """The readings of the pattern of an EXISTS.

    Attributes:
        patterns: The pattern itself, then its rewritten forms.
        names: The rewritten forms differ from the pattern if the solution binds one of these.
        nodes: If the solution binds one of these to a blank node, any node may match it.
    """

    patterns: tuple[Pattern, ...]
    names: tuple[str, ...]
    nodes: tuple[str, ...]

    def others(self, given: Mapping[str, Term]) -> list[tuple[int, bool]]:
        """The readings that may differ from the first one for a solution.

        Args:
            given: The solution that EXISTS tests.

        Returns:
            Pairs of an index into `patterns` and whether blank nodes of the solution match any
            node.
        """
        end = len(self.patterns) if any(name in given for name in self.names) else 1
        is_node = any(isinstance(given.get(name), BlankNode) for name in self.nodes)
        return [
            (number, loose)
            for loose in (False, True)[: 1 + is_node]
            for number in range(end)
            if number or loose
        ]


@lru_cache(maxsize=PATTERNS)
def substitutions(pattern: Pattern) -> Substitutions:
    """The readings of the pattern of an EXISTS."""
    inline, bound = _inline_names(pattern), _names_in_bound(pattern)
    names = inline | bound
    readings: list[_Reading] = []
    if inline:
        readings += [_Reading(names, "new"), _Reading(names, "as it is")]
    if bound:
        readings.append(_Reading(names, "agreeing", inside=True))
    if inline and bound:
        readings.append(_Reading(names, "as it is", inside=True))
    nodes = {
        name
        for part in subpatterns(pattern)
        if isinstance(part, BGP)
        for triple in part.triples
        for name in node_variables(triple)
    }
    changes = [each.of_operator for each in readings]
    ends = {name for part in subpatterns(pattern) for name in _ends_of_paths(part)}
    if ends:
        changes.append(_between_nodes)
    patterns = (pattern, *[rewritten_pattern(pattern, change) for change in changes])
    return Substitutions(patterns, tuple(sorted(names | ends)), tuple(sorted(nodes)))


def node_variables(triple: TriplePattern) -> Iterator[str]:
    """Yield the variables that are subjects or objects, also of triple patterns quoted in it."""
    ends = (end for own in quotes(triple) for end in (own.subject, own.object))
    return (end.name for end in ends if isinstance(end, Variable))


def _ends_of_paths(pattern: Pattern) -> list[str]:
    """The variables at the ends of paths that may have length zero, if both ends may be any node.

    A path from or to a term of the query joins this term with itself in any reading.
    """
    triples = pattern.triples if isinstance(pattern, BGP) else ()
    ends = [
        end
        for triple in triples
        if any(isinstance(p, RepeatedPath) and p.modifier != "+" for p in within(triple.predicate))
        and all(isinstance(e, Variable | BlankNode) for e in (triple.subject, triple.object))
        for end in (triple.subject, triple.object)
    ]
    return [*dict.fromkeys(end.name for end in ends if isinstance(end, Variable))]


def _between_nodes(pattern: Pattern) -> Pattern:
    """A basic graph pattern whose paths of length zero join nodes of the graph only."""
    found = pattern
    for name in _ends_of_paths(pattern):
        term, predicate, other = Variable(name), Variable("predicate "), Variable("node ")
        ways = [TriplePattern(term, predicate, other), TriplePattern(other, predicate, term)]
        found = Filter(Exists(Union(*[BGP((way,)) for way in ways])), found)
    return found


def _inline_names(pattern: Pattern) -> frozenset[str]:
    return frozenset(
        variable.name
        for part in within(pattern, whole=Exists)
        if isinstance(part, Values)
        for variable in part.variables
    )


def _names_in_bound(pattern: Pattern) -> frozenset[str]:
    """The variables that a BOUND in the pattern tests, in FILTER, OPTIONAL and BIND."""
    return frozenset(
        argument.name
        for part in within(pattern, whole=Exists)
        if isinstance(part, Pattern)
        for condition in conditions(part)
        for expression in subexpressions(condition)
        if isinstance(expression, Operation) and expression.name == "BOUND"
        for argument in expression.arguments
        if isinstance(argument, Variable)
    )


def _own(name: str) -> Variable:
    """The second variable of `name`; the space at its end keeps it apart from all variables."""
    return Variable(f"{name} ")


@dataclass(frozen=True, slots=True)
class _Reading:
    """How VALUES of the variables ``names`` is read, and whether BOUND looks only ``inside``."""

    names: frozenset[str]
    values: OneOf["agreeing", "new", "as it is"]
    inside: bool = False

    def of_operator(self, pattern: Pattern) -> Pattern:
        """Rewrite a pattern whose operands are already rewritten."""
        match pattern:
            case BGP(triples):
                return self._marked(pattern, [n for t in triples for n in mentioned(t)])
            case Values():
                return self._values(pattern)
            case Graph(Variable(name), _) | Window(Variable(name), _):
                return self._marked(pattern, [name])
            case Filter(condition, inner):
                return Filter(self._expression(condition), inner)
            case LeftJoin(left, right, condition) if condition is not None:
                return LeftJoin(left, right, self._expression(condition))
            case Extend(inner, variable, expression):
                expression = self._expression(expression)
                if variable.name not in self.names or self.values == "new":
                    return Extend(inner, variable, expression)
                own = _own(variable.name)
                return Extend(Extend(inner, own, expression), variable, own)
            case SubSelect(query):
                return self._subquery(query)
            case _:
                return pattern

    def _marked(self, pattern: Pattern, names: list[str]) -> Pattern:
        """A pattern that binds `names` by itself, with their second variables bound as well."""
        if self.values == "new":
            return pattern
        marked = [name for name in dict.fromkeys(names) if name in self.names]
        return reduce(lambda p, name: Extend(p, _own(name), Variable(name)), marked, pattern)

    def _values(self, pattern: Values) -> Pattern:
        if self.values == "agreeing":
            places = [p for p, v in enumerate(pattern.variables) if v.name in self.names]
            own = tuple([_own(pattern.variables[place].name) for place in places])
            rows = [(*row, *[row[place] for place in places]) for row in pattern.rows]
            return Values((*pattern.variables, *own), tuple(rows))
        renamed: Pattern = Values(tuple([_own(v.name) for v in pattern.variables]), pattern.rows)
        for variable in pattern.variables:
            either = Operation("COALESCE", (variable, _own(variable.name)))
            renamed = Extend(renamed, variable, either)
        return renamed

    def _subquery(self, query: Query) -> Pattern:
        if is_grouped(query):  # a group binds the variables that it projects
            shown = [p.variable.name for p in query.projection or ()]
            return self._marked(SubSelect(query), shown)
        if query.values is not None:
            joined = Join(query.pattern, self._values(query.values))
            query = replace(query, pattern=joined, values=None)
        if query.projection is None or self.values == "new":
            return SubSelect(query)
        shown = [p.variable.name for p in query.projection if p.variable.name in self.names]
        defined = [p.variable.name for p in query.projection if p.expression is not None]
        own = [Projection(_own(name)) for name in shown if name not in defined]
        return self._marked(
            SubSelect(replace(query, projection=(*query.projection, *own))), defined
        )

    def _expression(self, expression: Expression) -> Expression:
        return rewritten(expression, self._of_part, (Exists, TriplePattern))

    def _of_part(self, part: Any) -> Any:
        match part:
            case Variable(name) if name in self.names and self.values == "as it is":
                return Operation("COALESCE", (_own(name), part))
            case Operation("BOUND", (argument,)):
                asked = argument.arguments[1] if isinstance(argument, Operation) else argument
                if self.inside and isinstance(asked, Variable) and asked.name in self.names:
                    asked = _own(asked.name)
                return Operation("BOUND", (asked,))
        return part
