"""The answer stream of a program at an instant, by clingo (LARS; SEMANTICS 10).

A set I of atoms, which contains the input, is an answer stream at t iff it is a minimal model of
the rules whose bodies hold in I at t. This module requires that there is exactly one: it asks the
solver for two models, and refuses a program that has none or several.
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
    """Return the answer stream of a program for a stream at `t`: the input and its derived atoms.

    Args:
        program: the program with its background data.
        stream: the input stream.
        t: the instant at which the program is evaluated.

    Raises:
        NoAnswerStream: there is no answer stream.
        Unsupported: there are several.
        BadInput: clingo is not installed, or the input has atoms that rules derive.
    """
    return replace(stream, atoms=stream.atoms | derived(program, stream, t))


def derived(
    program: Program, stream: Stream, t: int, only: Signature | None = None
) -> frozenset[tuple[int, Atom]]:
    """Return the atoms that a program derives at `t`, each with the instant at which it holds.

    Args:
        program: the program.
        stream: the input.
        t: the instant.
        only: the one predicate to return; None returns all.

    Raises:
        NoAnswerStream, Unsupported, BadInput: as ``answer_stream`` does.
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
    """Return the derived atoms of at most two stable models.

    While clingo grounds, it receives no signal: `ending.watched` then ends the process, some time
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
