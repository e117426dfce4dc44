"""The cells that are heard while a case is evaluated: kinds of arguments, groups and order.

``Heard`` is a listener of the reference model's evaluator (``spec.listener``), and imports nothing
of it. What belongs to an evaluation that the texts leave open is kept apart: there no answer is
judged.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TypeAlias

from rsp_conformance.cells.functions import FLAGGED, FLAGS, PAIRED, has_cell, place, size
from rsp_conformance.cells.kinds import KINDS, kind_of_value
from rsp_conformance.cells.labels import everything
from rsp_conformance.model.expressions import Aggregate, FunctionCall, Operation, Variable
from rsp_conformance.model.query import OrderKey, Query
from rsp_conformance.model.terms import XSD, Literal, Term
from rsp_conformance.sparql.relation import Relation

FUNCTIONS, PAIRS, MODIFIERS = "3 functions", "3 pairs of kinds", "4 modifiers"
"""The tables whose cells are heard."""
Cell: TypeAlias = tuple[str, str]
"""A table and a cell of it."""
Values: TypeAlias = Sequence[tuple[int, Term | None]]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class Heard:
    """Listens to the evaluations of QUERY.

    ``judged`` are the cells that were met where the answer is determined, ``met`` all of them.
    """

    def __init__(self, query: Query) -> None:
        self.judged: set[Cell] = set()
        self.met: set[Cell] = set()
        self.is_judged = False
        """Whether there was an evaluation whose answer is determined."""
        self.has_rows = False
        self.left_open: dict[str, set[Cell]] = {}
        """By the points that left an evaluation open, the cells that were met there."""
        self._written = {part for part in everything(query) if isinstance(part, Aggregate)}
        self._now: set[Cell] = set()
        self._known: set[tuple[object, ...]] = set()

    def evaluated(self, relation: Relation) -> None:
        """Note that what was heard belongs to the evaluation of a relation."""
        self.met |= self._now
        for point in relation.undetermined:
            self.left_open.setdefault(point, set()).update(self._now)
        if relation.determined:
            self.is_judged = True
            self.judged |= self._now
            self.has_rows |= bool(relation.rows)
        self._now = set()
        self._known.clear()

    def applied(self, expression: Operation | FunctionCall, values: Values) -> None:
        """Note that an expression is applied to values, each with its place."""
        name = name_of(expression)
        arguments = expression.arguments
        kinds = [kind_of_value(value, arguments[number]) for number, value in values]
        key = name, len(arguments), *kinds
        if key not in self._known:
            self._known.add(key)
            self._hear_kinds(name, len(arguments), [number for number, _ in values], kinds)
        if name in FLAGGED or name in ("IRI", "URI"):
            self._functions(_of_text(name, values))

    def _hear_kinds(self, name: str, count: int, places: list[int], kinds: list[str]) -> None:
        placed = zip(places, kinds, strict=True)
        self._functions(
            [f"{name}({place(name, n)}: {kind})" for n, kind in placed if has_cell(name, kind)]
        )
        own = size(name, count)
        if own is not None:
            self._functions([own])
        if FLAGGED.get(name) == count:
            self._functions([f"{name} flag none"])
        if name in PAIRED and {*kinds} <= {*KINDS}:
            self._now.add((PAIRS, f"{kinds[0]} {name} {kinds[1]}"))

    def aggregated(self, aggregate: Aggregate, values: Collection[Term | None]) -> None:
        """Note that an aggregate that somebody wrote is taken over different values."""
        argument, name = aggregate.argument, aggregate.name
        if aggregate not in self._written or argument is None:
            return
        kinds = {kind_of_value(value, argument) for value in values}
        failed = kinds & {"unbound", "error"}
        variable = isinstance(argument, Variable)
        traits = {
            f"{name} {'DISTINCT' if aggregate.distinct else 'ALL'}": True,
            f"{name} of {'a variable' if variable else 'an expression'}": True,
            f"{name} of nothing": not kinds,
            f"{name} of several kinds": len(kinds - failed) > 1,
            f"{name} of an error and values": failed and kinds - failed,
        }
        self._functions([f"{name}({kind})" for kind in kinds if has_cell(name, kind)])
        self._functions([trait for trait, has in traits.items() if has])
        if name == "GROUP_CONCAT":
            separator = aggregate.separator
            given = "absent" if separator is None else "given" if separator else "empty"
            self._functions([f"GROUP_CONCAT separator {given}"])

    def ordered(self, key: OrderKey, values: Collection[Term | None]) -> None:
        """Note that solutions which have different values under a key are put in order."""
        kinds = {kind_of_value(value, key.expression) for value in values}
        traits = {
            "values of several kinds": len(kinds - {"unbound", "error"}) > 1,
            "unbound and values": "unbound" in kinds and len(kinds) > 1,
            "errors and values": "error" in kinds and len(kinds) > 1,
            "IRIs": "IRI" in kinds,
            "blank nodes": "blank node" in kinds,
            "tagged texts": "tagged" in kinds,
            "dateTimes": any(kind.startswith("dateTime") for kind in kinds),
            "booleans": "boolean" in kinds,
        }
        self._now.update((MODIFIERS, f"ORDER BY {what}") for what, has in traits.items() if has)

    def _functions(self, cells: Collection[str]) -> None:
        self._now.update([(FUNCTIONS, cell) for cell in cells])


def name_of(expression: Operation | FunctionCall) -> str:
    """Return what an expression's function is called in cells."""
    if isinstance(expression, Operation):
        return expression.name
    return f"xsd:{expression.function.value.removeprefix(XSD)}"


def _of_text(name: str, values: Values) -> list[str]:
    """The cells of flags and references, which depend on texts and not on kinds."""
    number, value = values[-1]
    if not isinstance(value, Literal):
        return []
    if name in ("IRI", "URI"):
        absolute = _SCHEME.match(value.lexical)
        return [f"IRI of {'an absolute' if absolute else 'a relative'} reference"]
    if number != FLAGGED[name]:
        return []
    flags = value.lexical
    found = [f"{name} flag {flag if flag in FLAGS else 'unknown'}" for flag in flags]
    return [*found, f"{name} flag several"] if len(flags) > 1 else found
