"""Whether a type error was met that an engine may have an operator for (SPARQL 1.1, 17.3.1)."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from rsp_conformance.model.terms import Term
from rsp_conformance.sparql.undetermined import may_be_defined


class _Met(threading.local):
    """Whether such an error was met in the evaluation under way in this thread."""

    error = False


_met = _Met()


def begin() -> None:
    """An evaluation begins: nothing was met."""
    _met.error = False


def met() -> bool:
    """Whether an operator was asked that an engine may have, since ``begin``."""
    return _met.error


def note(operator: str, operands: Sequence[Term]) -> None:
    """OPERATOR on OPERANDS was an error."""
    if may_be_defined(operator, operands):
        _met.error = True
