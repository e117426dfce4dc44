"""Where SPARQL leaves the solutions of a query open: the reasons, as they are told.

The evaluators find out for themselves whether one of these is met; ``Relation.undetermined`` holds
the reasons. docs/sparql.md and docs/decisions.md (points 24, 37, 40, 41 and 43) tell more.

An engine may know more than SPARQL's operators do (17.3.1): "SPARQL language extensions may provide
additional associations between operators and operator functions", and "no additional operator may
yield a result that replaces any result other than a type error". Of all type errors those on dates,
times of day and durations are the ones that engines do replace: XPath defines the operators, and
W3C's own suites have tests of them (``mf:XsdDateOperations``). So a type error on them leaves the
solutions open; others stay errors.
"""

from __future__ import annotations

from collections.abc import Sequence

from rsp_conformance.model.terms import XSD, XSD_DATETIME, Literal, Term

OPEN = "an operator on dates, times or durations, which engines may have beyond SPARQL's"
MINUS_OF_GIVEN = "MINUS inside EXISTS whose sides share variables of the tested solution only"
ASSIGNED_GIVEN = "an assignment inside EXISTS to a variable of the tested solution"
GRAPH_OF_WINDOW = "GRAPH inside EXISTS of a variable that the tested solution binds to a window"
HIDDEN_GIVEN = (
    "a subquery inside EXISTS with a variable of the tested solution that it does not project"
)
SEVERAL_PROPERTIES = "a negated property set between two nodes with several properties"
CUT = "LIMIT or OFFSET cuts through rows that no order tells apart"
REDUCED = "REDUCED, which may drop duplicates"
SAMPLED = "SAMPLE of different values"
CONCATENATED = "GROUP_CONCAT of different values, in any order"
MEAN_OF_ERRORS = "AVG over nothing but errors, which engines take for an error"
MAX_OF_ERROR = "MAX over an error, which engines take for an error"
UNORDERED = "{name} of values that < does not order"
TIED = "{name} of values that ORDER BY leaves tied"

TEMPORAL = frozenset(
    XSD + name
    for name in (
        "date time gYear gYearMonth gMonth gMonthDay gDay "
        "duration dayTimeDuration yearMonthDuration dateTimeStamp"
    ).split()
)
"""Datatypes that XPath has operators for and SPARQL has not."""

_ARITHMETIC = frozenset("+-*/")
_OPERATORS = _ARITHMETIC | frozenset(
    "= != < > <= >= YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ".split()
)


def may_be_defined(operator: str, operands: Sequence[Term]) -> bool:
    """Whether engines may have OPERATOR on OPERANDS, where SPARQL has a type error."""
    if operator not in _OPERATORS:
        return False
    datatypes = [o.datatype for o in operands if isinstance(o, Literal)]
    if operator in _ARITHMETIC and XSD_DATETIME in datatypes:
        return True  # XPath subtracts dateTimes, and adds durations to them
    return len(datatypes) == len(operands) and not TEMPORAL.isdisjoint(datatypes)
