"""Every operator and built-in that is evaluated, by name (SPARQL 1.1, 17.3 and 17.4).

Functions map terms to a term, comparisons to a truth value; None is an error.
"""

from __future__ import annotations

from collections.abc import Callable

from rsp_conformance.model.terms import Term
from rsp_conformance.sparql.comparison import equal, less, less_or_equal
from rsp_conformance.sparql.functions.dates import DATE_FUNCTIONS
from rsp_conformance.sparql.functions.numbers import NUMBER_FUNCTIONS
from rsp_conformance.sparql.functions.strings import STRING_FUNCTIONS
from rsp_conformance.sparql.functions.terms import TERM_FUNCTIONS


def _unequal(left: Term, right: Term) -> bool | None:
    same = equal(left, right)
    return None if same is None else not same


FUNCTIONS = {**TERM_FUNCTIONS, **STRING_FUNCTIONS, **NUMBER_FUNCTIONS, **DATE_FUNCTIONS}
"""Functions and operators that an error in any argument makes an error."""

COMPARISONS: dict[str, Callable[[Term, Term], bool | None]] = {
    "=": equal,
    "!=": _unequal,
    "<": less,
    ">": lambda a, b: less(b, a),
    "<=": less_or_equal,
    ">=": lambda a, b: less_or_equal(b, a),
}
LOGICAL = frozenset(("||", "&&", "!", "IN", "NOT IN", "BOUND"))
"""What yields a truth value and treats errors in its own way."""
OPERATIONS = frozenset((*FUNCTIONS, *COMPARISONS, *LOGICAL, "IF", "COALESCE", "IRI", "URI"))
"""Every operator and built-in that is evaluated."""
