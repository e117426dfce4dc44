"""A program grounded at an instant, as text for an answer-set solver (SEMANTICS 10).

An answer-set solver knows neither time nor windows, so both are removed before it runs:

- Windows over the input can be computed beforehand, because the input is fixed. Extensional
  predicates and background data become facts about the snapshots: for each window atom of the
  program, the atoms that hold in its window.
- Derived (intensional) predicates get the instant as a last argument, ``i_p(x, t)``, and windows,
  ◇, □ and @ over them become rules about this argument.

All of it is positive except ``not``, so the stable models of the text are the minimal models of
LARS' reduct, which are the answer streams. Each instant is a program of its own: there is no
incremental solving, because the aim is to be simple enough to be trusted. The cost is a grounding
per instant, whose size depends on the contents of the windows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rsp_conformance.lars.expressions import truth
from rsp_conformance.lars.program import (
    GREATEST,
    TRUE,
    Arithmetic,
    Atom,
    BodyPart,
    Comparison,
    Condition,
    Constant,
    Extended,
    Not,
    Program,
    Rule,
    Signature,
    Symbol,
    Term,
    WindowFunction,
)
from rsp_conformance.lars.streams import Snapshot, Stream, snapshot
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.walk import mentioned

if TYPE_CHECKING:
    from clingo import Symbol as Value

_VIEWS = {"": "here", "◇": "some", "□": "all", "@": "at"}


@dataclass(slots=True)
class Encoding:
    """The text of a program over a stream at an instant, and the meaning of the solver's answer.

    Args:
        program: the program.
        stream: the input.
        t: the instant.
        only: the predicate whose atoms the solver returns; None returns all that rules derive.
    """

    program: Program
    stream: Stream
    t: int
    only: Signature | None = None
    _conditions: list[tuple[Condition, tuple[str, ...]]] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)
    _texts: dict[Constant, str] = field(default_factory=dict)
    _constants: dict[str, Constant] = field(default_factory=dict)
    _snapshots: dict[WindowFunction | None, Snapshot] = field(default_factory=dict)
    _views: dict[tuple[WindowFunction | None, str, Signature], str] = field(default_factory=dict)
    _derived: frozenset[Signature] = frozenset()
    _variables: dict[str, str] = field(default_factory=dict)
    """The variables of the rule that is being written, by name."""

    def text(self) -> str:
        """Return the program of the solver; ``#show`` names the atoms to return.

        Raises:
            BadInput: the input has atoms that rules derive, or `t` is not on the timeline.
        """
        if not self.stream.first <= self.t <= self.stream.last:
            raise BadInput(f"{self.t} is no instant of the stream's timeline")
        self._derived = self.program.derived()
        input_ = {*self.stream.signatures, *(atom.signature for atom in self.program.background)}
        for taken, of in sorted(input_ & (self._derived | {TRUE.signature})):
            raise BadInput(f"{taken}/{of} is derived by rules, and is in the input as well")
        timed = {r.head.atom.signature for r in self.program.rules if r.head.modality == "@"}
        self._lines.append("#show.")
        for name, arity in sorted(self._derived):
            if self.only in (None, (name, arity)):
                self._lines.append(f"#show i_{name}/{arity + 1}.")
            if (name, arity) in timed:
                # A model has no atom outside the timeline, so a head there excludes it.
                given = ",".join(["_"] * arity + ["T"])
                for beyond in (f"T<{self.stream.first}", f"T>{self.stream.last}"):
                    self._lines.append(f":- i_{name}({given}), {beyond}.")
        for rule in self.program.rules:
            self._rule(rule)
        return "\n".join(self._lines)

    # Rules

    def _rule(self, rule: Rule) -> None:
        self._variables = {}
        head = rule.head
        time = self.t if head.time is None else head.time
        arguments = [self._term(term) for term in (*head.atom.arguments, time)]
        body = [self._part(part, rule) for part in rule.body]
        made = f"i_{head.atom.predicate}({','.join(arguments)})"
        self._lines.append(f"{made} :- {', '.join(body)}." if body else f"{made}.")

    def _part(self, part: BodyPart, rule: Rule) -> str:
        match part:
            case Extended():
                return self._formula(part)
            case Not(formula):
                return f"not {self._formula(formula)}"
            case Comparison(left, comparator, right):
                if comparator in ("=", "!="):
                    return f"{self._sum(left)} {comparator} {self._sum(right)}"
                # The sum with 0 leaves out terms that are not integers.
                return f"{self._sum(left)}+0 {comparator} {self._sum(right)}+0"
            case Condition(expression):
                bound = rule.bound()
                names = tuple(n for n in dict.fromkeys(mentioned(expression)) if n in bound)
                self._conditions.append((part, names))
                given = [str(len(self._conditions) - 1)]
                given += (self._term(Variable(name)) for name in names)
                return f"@holds({','.join(given)})=1"

    def _formula(self, formula: Extended) -> str:
        of, given = formula.atom.signature, [self._term(term) for term in formula.atom.arguments]
        if formula.window is None and not formula.modality and of in self._derived:
            return f"i_{of[0]}({','.join([*given, str(self.t)])})"
        name = self._view(formula.window, formula.modality, of)
        if formula.modality == "@":
            assert formula.time is not None
            given.append(self._term(formula.time))
        return f"{name}({','.join(given)})" if given else name

    def _sum(self, part: Term | Arithmetic) -> str:
        if not isinstance(part, Arithmetic):
            return self._term(part)
        left, right = self._term(part.left), self._term(part.right)
        if part.operator == "mod":
            # The solver's remainder has the sign of the dividend.
            return f"((({left}\\{right})+{right})\\{right})"
        return f"({left}{part.operator}{right})"

    # Windows and modalities

    def _view(self, window: WindowFunction | None, modality: str, of: Signature) -> str:
        """Return the predicate for a predicate's atoms that hold in a window under a modality."""
        key = window, modality, of
        if key not in self._views:
            self._views[key] = f"{_VIEWS[modality]}{len(self._views)}_{of[0]}"
            if window not in self._snapshots:
                self._snapshots[window] = snapshot(self.stream, window, self.t)
            seen = self._snapshots[window]
            view = self._derived_view if of in self._derived else self._facts
            self._lines += view(self._views[key], seen, modality, of)
        return self._views[key]

    def _facts(self, name: str, seen: Snapshot, modality: str, of: Signature) -> Iterator[str]:
        """Yield the facts of the input in a window; background data holds at every instant."""
        when: dict[Atom, list[int] | range] = {
            atom: seen.timeline for atom in (*self.program.background, TRUE) if atom.signature == of
        }
        arrivals: defaultdict[Atom, list[int]] = defaultdict(list)
        for t, atom in seen.atoms:
            if atom.signature == of and atom not in when:
                arrivals[atom].append(t)
        when.update(arrivals)
        for atom, instants in when.items():
            if modality == "@":
                for t in instants:
                    yield f"{self._fact(name, (*atom.arguments, t))}."
            elif instants and (
                modality == "◇"
                or (len(instants) == len(seen.timeline) if modality else self.t in instants)
            ):
                yield f"{self._fact(name, atom.arguments)}."

    def _derived_view(
        self, name: str, seen: Snapshot, modality: str, of: Signature
    ) -> Iterator[str]:
        """Yield the rules for derived atoms in a window."""
        if not seen.timeline:
            return
        first, last = seen.timeline[0], seen.timeline[-1]
        given = [f"X{i}" for i in range(of[1])]
        head = f"{name}({','.join(given)})" if given else name

        def at(t: object) -> str:
            return f"i_{of[0]}({','.join([*given, str(t)])})"

        within = f"{first}<=T, T<={last}"
        if modality == "@":
            yield f"{name}({','.join([*given, 'T'])}) :- {at('T')}, {within}."
        elif modality == "◇":
            yield f"{head} :- {at('T')}, {within}."
        elif modality == "□":
            yield f"{head} :- {at(first)}, {at('T')} : T={first}..{last}."
        elif self.t in seen.timeline:
            yield f"{head} :- {at(self.t)}."

    # Terms

    def _term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self._variables.setdefault(term.name, f"V{len(self._variables)}")
        if term not in self._texts:
            text = f"r{len(self._texts)}"
            if isinstance(term, Symbol):
                text = f"s_{term.name}"
            elif isinstance(term, int):
                if abs(term) > GREATEST:
                    raise BadInput(f"the integer {term} is beyond {GREATEST}")
                text = str(term) if term >= 0 else f"({term})"
            self._texts[term], self._constants[text] = text, term
        return self._texts[term]

    def _fact(self, name: str, arguments: Iterable[Term]) -> str:
        given = ",".join(map(self._term, arguments))
        return f"{name}({given})" if given else name

    def holds(self, number: Value, *terms: Value) -> Value:
        """Return whether a condition has its truth value, 1 or 0.

        Clingo calls it while it grounds.
        """
        import clingo

        condition, names = self._conditions[number.number]
        given = [self.constant(str(term)) for term in terms]
        row = {n: g for n, g in zip(names, given, strict=True) if not isinstance(g, int | Symbol)}
        return clingo.Number(int(truth(condition.expression, row) is condition.truth))

    def constant(self, written: str) -> Constant:
        """Return the constant that the solver writes as `written`."""
        return self._constants[written] if written in self._constants else int(written)
