"""The points that the texts leave open: their ids, and the table that describes them.

At an open point engines may answer in different ways and all be right, so no engine is called wrong
because of it (`readings` explains how). The evaluators notice when they meet a point. The code
names a point by its id; ``open_points.toml`` has its description, the section that leaves it open,
and how the kit treats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal as OneOf

from rsp_conformance.model.algebra import SubSelect
from rsp_conformance.model.paths import NegatedPropertySet
from rsp_conformance.model.query import Query
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import XSD, XSD_DATETIME, Literal, Term
from rsp_conformance.model.variables import (
    aggregates_key_names,
    counts_nodes_between,
    is_grouped,
    makes_of_samples,
    reads_own_names,
    tests_sampled_names,
)
from rsp_conformance.model.walk import within
from rsp_conformance.sparql.readings import Readings

# The ids of all points; ``open_points.toml`` describes each under its id.
ELEMENT_SCOPE = "element-scope"
UNEQUAL = "number-not-equal-text"
TIMEZONE = "datetime-implicit-timezone"
TAG_CASE = "lang-lower-case"
TAGGED_CAST = "tagged-text-cast"
DIGITS = "division-digits"
ROUNDING = "float-rounding"
FORM = "computed-form"
TEMPORAL_OPERATORS = "temporal-operators"
MINUS_OF_GIVEN = "minus-of-given"
HIDDEN_GIVEN = "hidden-given"
ASSIGNED_GIVEN = "assigned-given"
SUBSTITUTED = "substituted-given"
GRAPH_OF_WINDOW = "graph-of-window"
SEVERAL_PROPERTIES = "several-properties"
CUT = "cut-ties"
REDUCED = "reduced"
SAMPLED = "sample-of-several"
CONCATENATED = "concatenated"
MEAN_OF_ERRORS = "mean-of-errors"
MAX_OF_ERROR = "max-of-error"
UNORDERED = "extreme-unordered"
TIED = "extreme-tied"
LIMITS = "value-limits"
OPERATORS = "operators-beyond"
NOTHING = "error-in-nothing"
JOINED_NUMBERS = "concatenated-numbers"
INVALID_IRI = "invalid-iri"
DOTS = "dots-of-iris"
ILL_FORMED_TAG = "ill-formed-tag"
EXTENDED_RANGE = "extended-range"
REGEX_EDITION = "regex-edition"
SHOWN_ZONE = "shown-zone"
NO_BASE = "iri-without-base"
SIGMA = "lower-case-sigma"
EXTREME_NUMBERS = "extreme-numbers"
EMPTY_GRAPHS = "empty-graphs"
TAG_SPELLINGS = "tag-spellings"
HAVING_ALONE = "having-alone"
GROUP_NAMES = "group-names"
KEY_NAMES = "key-names"
BOUND_OF_GROUPS = "bound-of-groups"
EMPTY_SET = "empty-property-set"
NODES_BETWEEN = "nodes-between"
TEMPLATE_OF_GROUPS = "template-of-groups"
CAST_FORM = "cast-form"
FLOAT_RANGE = "float-range"
NEGATIVE_ZERO = "negative-zero"
CUT_INSTANT = "cut-instant"

QUERIES = 256
"""The number of queries whose points are cached; an evaluator asks for the same few at each
instant."""


_ILLEGAL = "no legal query"
"""How a reading begins that takes the query for illegal."""


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A point that the texts leave open; ``open_points.toml`` explains the fields."""

    id: str
    point: str
    section: str
    readings: tuple[str, ...]
    kit: OneOf["accepted", "sampled", "not judged"]
    told: str


@cache
def open_points() -> dict[str, OpenPoint]:
    """All points by id, in the order of the table."""
    table = read_table(__name__, "open_points.toml")
    return {
        name: OpenPoint(name, **{**row, "readings": tuple(row["readings"])})
        for name, row in table.items()
    }


def told(point: str) -> str:
    """A point in words for the user, with its id."""
    return f"{open_points()[point].told} [{point}]"


@lru_cache(maxsize=QUERIES)
def open_by_itself(query: Query) -> tuple[str, ...]:
    """The points that a query leaves open on any data; those of subqueries are not included."""
    met = {
        HAVING_ALONE: bool(query.having) and not is_grouped(query),
        GROUP_NAMES: is_grouped(query) and reads_own_names(query),
        KEY_NAMES: aggregates_key_names(query),
        BOUND_OF_GROUPS: tests_sampled_names(query),
        TEMPLATE_OF_GROUPS: makes_of_samples(query),
        NODES_BETWEEN: counts_nodes_between(query),
        EMPTY_SET: NegatedPropertySet(()) in within(query, whole=SubSelect),
    }
    return tuple(point for point, is_met in met.items() if is_met)


def may_be_refused(query: Query) -> bool:
    """Whether by some reading a query, or a subquery of it, is no legal query."""
    levels = (query, *(part.query for part in within(query) if isinstance(part, SubSelect)))
    met = (open_points()[point] for level in levels for point in open_by_itself(level))
    return any(reading.startswith(_ILLEGAL) for point in met for reading in point.readings)


def taken(readings: Readings) -> tuple[str, ...]:
    """Readings in words for the user."""
    return tuple(f"{told(choice.point)}: {option}" for choice, option in sorted(readings))


def is_sampled(point: str) -> bool:
    """Whether a point has more readings than the kit tries."""
    return open_points()[point].kit == "sampled"


# An engine may know more than SPARQL's operators do (17.3.1): "SPARQL language extensions may
# provide additional associations between operators and operator functions", and "no additional
# operator may yield a result that replaces any result other than a type error". Engines do replace
# type errors on dates, times of day and durations: XPath defines the operators, and W3C's own test
# suites have tests of them (``mf:XsdDateOperations``). So a type error on them leaves the solutions
# open. `extensions` has the other type errors that engines replace.

TEMPORAL = frozenset(
    XSD + name
    for name in (
        "date time gYear gYearMonth gMonth gMonthDay gDay "
        "duration dayTimeDuration yearMonthDuration dateTimeStamp"
    ).split()
)
"""Datatypes for which XPath has operators and SPARQL does not."""

_ARITHMETIC = frozenset("+-*/")
_OPERATORS = _ARITHMETIC | frozenset(
    "= != < > <= >= YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ".split()
)


def may_be_defined(operator: str, operands: Sequence[Term]) -> bool:
    """Whether engines may define an operator on these operands, for which SPARQL has an error."""
    if operator not in _OPERATORS:
        return False
    datatypes = [o.datatype for o in operands if isinstance(o, Literal)]
    if operator in _ARITHMETIC and XSD_DATETIME in datatypes:
        return True  # XPath subtracts dateTimes, and adds durations to them
    return len(datatypes) == len(operands) and not TEMPORAL.isdisjoint(datatypes)
