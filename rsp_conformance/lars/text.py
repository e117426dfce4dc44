"""LARS programs ⇄ text, in the papers' notation: ``near(X) ← ⊞^5 ◇ seen(X), not far(X).``.

``parse_program(print_program(p)) == p`` for every program. The reader also accepts ``:-`` for ←,
``<>`` for ◇, ``[]`` for □, and ``[5]``, ``[30,0,5]``, ``[#3]``, ``[now]``, ``[inf]`` for ⊞.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, VisitError

from rsp_conformance.lars.program import (
    NOW,
    Arithmetic,
    Atom,
    BodyPart,
    Comparison,
    Condition,
    Extended,
    Not,
    Program,
    Rule,
    Symbol,
    Term,
    TimeWindow,
    TupleWindow,
    WindowFunction,
)
from rsp_conformance.lars.translation import refuse_beyond_fragment
from rsp_conformance.model import terms
from rsp_conformance.model.algebra import Filter
from rsp_conformance.model.errors import BadInput, excerpt, printable
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.query import abbreviated
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.walk import rewritten
from rsp_conformance.text.errors import QuerySyntaxError
from rsp_conformance.text.escapes import unescape
from rsp_conformance.text.ntriples import LETTER, parse_term, write_term
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import QueryPrinter

Prefixes = Sequence[tuple[str, str]]
_PREFIX = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*)?")
_BARE = re.compile(r"[A-Z][A-Za-z0-9_']*")
_NAME = rf"[{LETTER}0-9\u00b7\u0300-\u036f\u203f-\u2040']+"
_IRI = r'<[^\x00-\x20<>"{}|^`]+>'
_STRING = r'"(?:[^"\\\n\r]|\\.)*"'
_WHOLE = re.compile(rf"{_STRING}|'(?:[^'\\\n]|\\.)*'|{_IRI}|\?{_NAME}")
"""The parts of a condition in which an apostrophe may stand."""
_TERMINALS = rf"""
IRI: /{_IRI}/
VARIABLE: /\?{_NAME}|[A-Z][A-Za-z0-9_']*/
BLANK_NODE.1: /_:[^\s,()<>"]*[^\s,()<>".]/
LITERAL: /{_STRING}(@[a-zA-Z0-9-]+|\^\^{_IRI})?/
CONDITION.1: /(holds|fails)\{{(?:\?{_NAME}|{_STRING}|'(?:[^'\\\n]|\\.)*'|{_IRI}|[^{{}}"'\n])*\}}/
"""
LONGEST = 1_000_000
"""The greatest number of characters of a program's text: thousands of rules. It bounds the time of
the parser."""


@cache
def _parser() -> Lark:
    grammar = (resources.files("rsp_conformance.lars") / "program.lark").read_text("utf-8")
    return Lark(grammar + _TERMINALS, parser="lalr", start="program", maybe_placeholders=False)


def parse_program(text: str) -> Program:
    """Return the program of a text.

    Raises:
        BadInput: the text is not a program; the message has the place.
    """
    if len(text) > LONGEST:
        raise BadInput(f"a LARS program of {len(text)} characters; {LONGEST} are the most")
    try:
        tree = _parser().parse(text)
        made: Program = _Reader().transform(tree)
    except UnexpectedInput as error:
        if getattr(getattr(error, "token", None), "type", "") == "$END":
            raise BadInput("the LARS program ends within a statement") from None
        found = printable(text[error.pos_in_stream or 0 :].partition("\n")[0], 40)
        place = f"line {error.line}, column {error.column}"
        raise BadInput(f"{place}: no LARS program goes on so: '{found}'") from None
    except VisitError as error:
        raise BadInput(str(error.orig_exc)) from error
    except RecursionError:
        raise BadInput("the program is nested too deeply") from None
    return made


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """Makes values from a parse tree, from the leaves up; prefixes come before their uses."""

    negation, comparison, arithmetic, quoted, symbol = Not, Comparison, Arithmetic, Triple, Symbol
    tuples, INT, NAME, COMPARATOR, OPERATOR = TupleWindow, int, str, str, str
    BLANK_NODE = LITERAL = staticmethod(parse_term)

    def __init__(self) -> None:
        super().__init__()
        self.prefixes: dict[str, str] = {}

    def program(self, *found: Any) -> Program:
        rules = tuple(part for part in found if isinstance(part, Rule))
        return Program(rules, frozenset(part for part in found if isinstance(part, Atom)))

    def prefix(self, name: Token, iri: terms.IRI) -> None:
        self.prefixes[name[:-1]] = iri.value

    def rule(self, head: Extended, body: tuple[BodyPart, ...] = ()) -> Rule:
        return Rule(head, body)

    def body(self, *parts: BodyPart) -> tuple[BodyPart, ...]:
        return parts

    def formula(self, *found: Any) -> Extended:
        *marks, atom = found
        window = marks.pop(0) if marks and isinstance(marks[0], WindowFunction) else None
        if marks and isinstance(marks[0], Token):
            return Extended(atom, "◇" if marks[0].type == "SOME" else "□", None, window)
        if marks:
            return Extended(atom, "@", marks[0], window)
        return Extended(atom, window=window)

    head = formula

    def condition(self, token: Token) -> Condition:
        word, _, written = token.partition("{")
        # Names that a translation makes have an apostrophe, which SPARQL's names do not have.
        mark = next((own for own in "\u00b7\u203f\u2040" if own not in token), "'")
        written = _WHOLE.sub(
            lambda own: own[0].replace("'", mark) if own[0][0] == "?" else own[0], written[:-1]
        )
        prologue = "".join(f"PREFIX {p}: <{iri}>\n" for p, iri in self.prefixes.items())
        try:
            query = parse_query(f"{prologue}SELECT * {{ FILTER({written}) }}")
            refuse_beyond_fragment(query)
        except QuerySyntaxError as error:
            raise BadInput(f"the condition {excerpt(written)}: {error.message}") from None
        found = query.pattern
        if not isinstance(found, Filter) or isinstance(found.pattern, Filter):
            raise BadInput(f"the condition {excerpt(written)}: expected exactly one")
        condition = rewritten(
            found.condition,
            lambda p: Variable(p.name.replace(mark, "'")) if isinstance(p, Variable) else p,
        )
        return Condition(condition, word == "holds")

    def length(self, written: Any) -> TimeWindow:
        if isinstance(written, int):
            return TimeWindow(written)
        return NOW if written.type == "NOW" else TimeWindow(None)

    def sliding(self, window: TimeWindow, ahead: int, slide: int) -> TimeWindow:
        if ahead:
            raise BadInput(f"a window looks ahead by {ahead}: only 0 is read here")
        return replace(window, slide=slide)

    def atom(self, name: str, *given: Term) -> Atom:
        return Atom(name, given)

    def IRI(self, token: Token) -> terms.IRI:
        # An IRI of a query may be relative.
        return terms.IRI(unescape(token[1:-1]))

    def VARIABLE(self, token: Token) -> Variable:
        return Variable(token.removeprefix("?"))

    def PREFIXED(self, token: Token) -> terms.IRI:
        prefix, _, local = token.partition(":")
        if prefix not in self.prefixes:
            raise BadInput(f"the prefix {prefix}: is not declared before {excerpt(str(token))}")
        return terms.IRI(self.prefixes[prefix] + local)


def print_program(program: Program, prefixes: Prefixes = ()) -> str:
    """Return a program as text, a statement per line.

    Args:
        program: the program.
        prefixes: prefixes and their IRIs; a prefix of other than ASCII letters is left out.

    Raises:
        ValueError: an IRI of a condition cannot be written in a SPARQL query.
    """
    prefixes = [(prefix, iri) for prefix, iri in prefixes if _PREFIX.fullmatch(prefix)]
    write = _Writer(prefixes)
    lines = [f"PREFIX {prefix}: <{iri}>" for prefix, iri in prefixes]
    lines += [write.rule(rule) for rule in program.rules]
    lines += sorted(f"background {write.atom(atom)}." for atom in program.background)
    return "".join(f"{line}\n" for line in lines)


class _Writer:
    """Writes the parts of a program."""

    def __init__(self, prefixes: Prefixes) -> None:
        self.prefixes = tuple(prefixes)
        self.conditions = QueryPrinter(self.prefixes)

    def rule(self, rule: Rule) -> str:
        body = f" ← {', '.join(map(self.part, rule.body))}" if rule.body else ""
        return f"{self.part(rule.head)}{body}."

    def part(self, part: BodyPart) -> str:
        match part:
            case Extended(atom, modality, time, window):
                marks = [] if window is None else [_window(window)]
                if modality:
                    marks.append(modality if time is None else f"@{self.term(time)}")
                return " ".join((*marks, self.atom(atom)))
            case Not(formula):
                return f"not {self.part(formula)}"
            case Comparison(left, comparator, right):
                return f"{self.sum(left)} {comparator} {self.sum(right)}"
            case Condition(expression, truth):
                written = self.conditions.expression(expression)
                return f"{'holds' if truth else 'fails'}{{{written}}}"

    def sum(self, part: Term | Arithmetic) -> str:
        if isinstance(part, Arithmetic):
            return f"{self.term(part.left)} {part.operator} {self.term(part.right)}"
        return self.term(part)

    def atom(self, atom: Atom) -> str:
        terms = ", ".join(map(self.term, atom.arguments))
        return f"{atom.predicate}({terms})" if terms else atom.predicate

    def term(self, term: Term) -> str:
        match term:
            case Variable(name):
                return name if _BARE.fullmatch(name) else f"?{name}"
            case Symbol(name):
                return name
            case int():
                return str(term)
            case terms.IRI():
                short = abbreviated(term.value, self.prefixes)
                return write_term(term) if short.startswith("<") else short
            case _:
                return write_term(term)


def _window(window: WindowFunction) -> str:
    if isinstance(window, TupleWindow):
        return f"⊞^{{#{window.count}{f' {window.predicate}' if window.predicate else ''}}}"
    if window == NOW:
        return "⊞^NOW"
    length = "∞" if window.length is None else str(window.length)
    return f"⊞^{length}" if window.slide == 1 else f"⊞^{{{length},0,{window.slide}}}"
