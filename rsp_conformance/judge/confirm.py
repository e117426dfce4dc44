"""Before an engine is accused by a library's answers, another evaluator has to give the same.

Where the definitions' evaluator covers the query, so that the library was taken for the size of the
data alone, it is the other one; else rdflib is. A difference is "SPARQL engines disagree here": a
matter between the two evaluators, never the engine's fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rsp_conformance.compare.contents import difference
from rsp_conformance.evaluation import by_rdflib
from rsp_conformance.evaluation.ways import AUTO, defined
from rsp_conformance.model.answers import Observed, Rows, Truth
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials, Numbers
from rsp_conformance.model.errors import EnginesDisagree, Unsupported
from rsp_conformance.model.query import Form, Query
from rsp_conformance.model.verdict import Verdict
from rsp_conformance.r2r.evaluator import DEFINITIONS, Evaluator
from rsp_conformance.sparql.dataset import Dataset
from rsp_conformance.sparql.relation import Relation
from rsp_conformance.spec import correctness

SHOWN = 2
"""So many rows of each evaluator are told where they differ."""

Solutions: TypeAlias = Callable[[Query, Dataset], Relation]


@dataclass(frozen=True, slots=True)
class Opinions:
    """Who evaluates for users, and who confirms: beside the definitions, for what they lack."""

    first: Evaluator = AUTO
    definitions: Solutions = DEFINITIONS.solutions
    second: Solutions = by_rdflib.solutions


OPINIONS = Opinions()


def confirmed_verdict(
    case: Case, dials: Dials, observed: Sequence[Observed], opinions: Opinions | None = None
) -> Verdict:
    """Definition 26's verdict; one that says wrong does not rest on one library's word.

    OPINIONS are those of this module by default. Raises EnginesDisagree where the evaluators of a
    wrong answer's expectation differ, and what ``spec.correctness.judge`` raises.
    """
    opinions = opinions or OPINIONS
    verdict = correctness.judge(case, dials, observed, opinions.first)
    if verdict.correct or "library" not in verdict.ways:
        return verdict
    return correctness.judge(case, dials, observed, confirming(dials.numbers, opinions))


def confirming(numbers: Numbers, opinions: Opinions) -> Evaluator:
    """The evaluator that raises EnginesDisagree where a library's solutions are not confirmed."""

    def solutions(query: Query, dataset: Dataset) -> Relation:
        found = opinions.first.solutions(query, dataset)
        if found.way == "library":
            _confirm(query, dataset, found, numbers, opinions)
        return found

    return Evaluator(opinions.first.refuse, solutions)


def _confirm(
    query: Query, dataset: Dataset, found: Relation, numbers: Numbers, opinions: Opinions
) -> None:
    covered = defined(query)
    name = "the definitions' evaluator" if covered else "rdflib"
    try:
        other = (opinions.definitions if covered else opinions.second)(query, dataset)
    except Unsupported as refusal:
        raise EnginesDisagree(f"{name} gives no second opinion: {refusal.what}") from refusal
    if query.form is Form.ASK and query.operator is None:
        same = Truth(bool(found.rows)) == Truth(bool(other.rows))
    else:
        same = difference(_rows(found), _rows(other), numbers) is None
    if not same:
        raise EnginesDisagree(_told(found, other, name))


def _rows(relation: Relation) -> Rows:
    return Rows(relation.variables, tuple(relation.rows), relation.ties, relation.determined)


def _told(found: Relation, other: Relation, name: str) -> str:
    ours, theirs = Counter(found.rows), Counter(other.rows)
    parts = [f"of one window pyoxigraph makes {len(found.rows)} rows and {name} {len(other.rows)}"]
    for who, rows in (("pyoxigraph", ours - theirs), (name, theirs - ours)):
        texts = [" ".join("-" if t is None else repr(t) for t in row) for row in rows]
        if texts:
            more = ", …" if len(texts) > SHOWN else ""
            parts.append(f"only {who}: {', '.join(f'({t})' for t in texts[:SHOWN])}{more}")
    if len(parts) == 1:
        parts.append("in another order")
    return "; ".join(parts)
