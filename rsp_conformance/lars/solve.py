"""The answer stream of a program at an instant, by clingo (LARS; SEMANTICS 10).

A set I of atoms, which holds the input, is an answer stream at t iff it is a minimal model of the
rules whose bodies hold in I at t. It must be the only one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rsp_conformance.lars.asp import Encoding
from rsp_conformance.lars.program import Atom, Program, Signature
from rsp_conformance.lars.streams import Stream
from rsp_conformance.model.errors import KitError, Unsupported, require

if TYPE_CHECKING:
    from clingo import Symbol as Value


class NoAnswerStream(KitError):
    """A program has no answer stream at an instant."""


def answer_stream(program: Program, stream: Stream, t: int) -> Stream:
    """The answer stream of PROGRAM for STREAM at T: the input and what is derived from it.

    NoAnswerStream where there is none, Unsupported where there are several; BadInput where clingo
    is not installed, or the input has atoms that rules derive.
    """
    return replace(stream, atoms=stream.atoms | derived(program, stream, t))


def derived(
    program: Program, stream: Stream, t: int, only: Signature | None = None
) -> frozenset[tuple[int, Atom]]:
    """What PROGRAM derives at T, perhaps of one predicate, with the instants at which it holds.

    Raises as answer_stream.
    """
    require("clingo")
    encoding = Encoding(program, stream, t, only)
    found = _models(encoding)
    if not found:
        raise NoAnswerStream(f"the LARS program has no answer stream at {t}")
    if len(found) > 1:
        raise Unsupported(f"a LARS program with several answer streams, as at {t}")
    return frozenset(_atom(value, encoding) for value in found[0])


def _models(encoding: Encoding) -> list[list[Value]]:
    """At most two stable models: the derived atoms of each.

    While clingo grounds it hears of no signal: `ending.watched` then ends the process, a while
    after a limit or Ctrl-C.
    """
    import clingo

    control = clingo.Control(["2"], logger=lambda code, message: None)
    control.add(encoding.text())
    found: list[list[Value]] = []
    try:
        control.ground(context=encoding)
        control.solve(on_model=lambda model: found.append(list(model.symbols(shown=True))))
    except RuntimeError as error:
        if "bad_alloc" in str(error):
            raise MemoryError from error
        raise
    return found


def _atom(value: Value, encoding: Encoding) -> tuple[int, Atom]:
    *terms, t = value.arguments
    given = tuple(encoding.constant(str(term)) for term in terms)
    return t.number, Atom(value.name.removeprefix("i_"), given)
