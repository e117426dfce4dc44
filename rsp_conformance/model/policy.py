"""Report policies: boolean combinations of report strategies (RSP-QL Definition 23; SEMANTICS 3).

Examples: ``WC & NC``, ``WC[w2] & NC[w2]``, ``CC | P(3)``, ``!NC``, ``COMPUTED EVERY`` (with the
period of the query) and ``COMPUTED EVERY 5``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias, get_args

from rsp_conformance.model.errors import excerpt
from rsp_conformance.model.instants import LATEST

StrategyKind: TypeAlias = Literal["WC", "CC", "NC", "P", "COMPUTED EVERY"]
STRATEGIES: tuple[StrategyKind, ...] = get_args(StrategyKind)
"""WC: a window closes. CC: its content changes. NC: it is not empty. P: periodic from the window's
start. COMPUTED EVERY: periodic from the registration."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """One report strategy.

    Attributes:
        kind: one of STRATEGIES.
        period: the period of ``P`` or ``COMPUTED EVERY`` in instants. For ``COMPUTED EVERY``, None
            means the period of the query's own clause.
        window: the name of the window, as written; None if the strategy names no window.
    """

    kind: StrategyKind
    period: int | None = None
    window: str | None = None

    def __str__(self) -> str:
        if self.kind == "COMPUTED EVERY":
            return self.kind if self.period is None else f"{self.kind} {self.period}"
        text = self.kind if self.period is None else f"{self.kind}({self.period})"
        return text if self.window is None else f"{text}[{self.window}]"


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Policy

    def __str__(self) -> str:
        return f"!{_inner(self.operand)}"


@dataclass(frozen=True, slots=True)
class And:
    """Conjunction."""

    left: Policy
    right: Policy

    def __str__(self) -> str:
        return f"{_inner(self.left, And)} & {_inner(self.right)}"


@dataclass(frozen=True, slots=True)
class Or:
    """Disjunction."""

    left: Policy
    right: Policy

    def __str__(self) -> str:
        return f"{_inner(self.left, And, Or)} | {_inner(self.right, And)}"


Policy: TypeAlias = Strategy | Not | And | Or


def _inner(policy: Policy, *bare: type) -> str:
    plain = isinstance(policy, (Strategy, Not, *bare))
    return str(policy) if plain else f"({policy})"


def _parts(policy: Policy) -> Iterator[Policy]:
    """A policy and all policies within it, from left to right."""
    yield policy
    match policy:
        case And(left, right) | Or(left, right):
            yield from _parts(left)
            yield from _parts(right)
        case Not(operand):
            yield from _parts(operand)


@lru_cache(maxsize=256)
def strategies(policy: Policy) -> tuple[Strategy, ...]:
    """All strategies of a policy, from left to right."""
    return tuple(part for part in _parts(policy) if isinstance(part, Strategy))


def mentions(policy: Policy, *kinds: StrategyKind) -> bool:
    """Whether a strategy of one of these kinds occurs in a policy."""
    return any(s.kind in kinds for s in strategies(policy))


def implies(policy: Policy, kind: StrategyKind) -> bool:
    """Whether a policy can hold only if a strategy of this kind holds.

    Negations are not examined: they count as implying nothing.
    """
    match policy:
        case Strategy():
            return policy.kind == kind
        case And(left, right):
            return implies(left, kind) or implies(right, kind)
        case Or(left, right):
            return implies(left, kind) and implies(right, kind)
        case Not():
            return False


def negates(policy: Policy) -> bool:
    """Whether a negation occurs in a policy."""
    return any(isinstance(part, Not) for part in _parts(policy))


def mixes_closing(policy: Policy) -> bool:
    """Whether a policy mentions WC and can hold when no window closes, as ``WC | CC`` can."""
    return mentions(policy, "WC") and not implies(policy, "WC")


def is_bound(policy: Policy) -> bool:
    """Whether the strategies of a policy name their windows.

    ``COMPUTED EVERY`` never names a window, and may be combined with both kinds.

    Raises:
        ValueError: some strategies name a window and some do not (SEMANTICS 3).
    """
    named = {s.window is not None for s in strategies(policy) if s.kind != "COMPUTED EVERY"}
    if len(named) > 1:
        raise ValueError(
            f"report policy {excerpt(str(policy))}: name the window in every strategy or in none"
        )
    return True in named


_TOKEN = re.compile(
    r"\s*(?:(?P<every>COMPUTED\s+EVERY(?:\s+(?P<n>\d+))?)"
    r"|(?P<strategy>(?P<kind>WC|CC|NC|P(?=\s*\())\s*(?:\(\s*(?P<period>\d+)\s*\))?"
    r"\s*(?:\[\s*(?P<window>[^\]\s]+)\s*\])?)"
    r"|(?P<and>&&?|∧|AND\b)|(?P<or>\|\|?|∨|OR\b)|(?P<not>!|¬|NOT\b)|(?P<open>\()|(?P<close>\)))",
    re.IGNORECASE,
)
_LEVELS = (("or", Or), ("and", And))
"""The connectives; the first binds loosest."""


def parse_policy(text: str) -> Policy:
    """Parse a report policy such as ``WC & NC``.

    Raises:
        ValueError: the text is no policy; the message says what was expected, and in which column.
    """
    tokens: list[re.Match[str]] = []
    position = 0
    while position < len(text.rstrip()):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(
                f"report policy {excerpt(text)}, column {position + 1}: expected WC, CC, NC, P(n), "
                "COMPUTED EVERY n, &, |, ! or a parenthesis"
            )
        tokens.append(match)
        position = match.end()
    tokens.reverse()
    policy = _joined(tokens, text)
    if tokens:
        column = tokens[-1].start() + 1
        raise ValueError(f"report policy {excerpt(text)}, column {column}: expected & or |")
    is_bound(policy)
    return policy


def _joined(tokens: list[re.Match[str]], text: str, level: int = 0) -> Policy:
    """Parse from the end of ``tokens`` what is joined by connectives of ``level`` and above."""
    if level == len(_LEVELS):
        return _atom(tokens, text)
    name, connective = _LEVELS[level]
    left = _joined(tokens, text, level + 1)
    while tokens and tokens[-1].lastgroup == name:
        tokens.pop()
        left = connective(left, _joined(tokens, text, level + 1))
    return left


def _atom(tokens: list[re.Match[str]], text: str) -> Policy:
    if not tokens:
        raise ValueError(f"report policy {excerpt(text)} ends where a strategy was expected")
    match = tokens.pop()
    if match["not"]:
        return Not(_atom(tokens, text))
    if match["open"]:
        inner = _joined(tokens, text)
        if not tokens or not tokens.pop()["close"]:
            raise ValueError(f"report policy {excerpt(text)}: a parenthesis is not closed")
        return inner
    if not match["every"] and not match["strategy"]:
        column = match.start() + 1
        raise ValueError(f"report policy {excerpt(text)}, column {column}: expected a strategy")
    word = "COMPUTED EVERY" if match["every"] else match["kind"].upper()
    kind = next(kind for kind in STRATEGIES if kind == word)
    written = match["n"] or match["period"]
    if not match["every"] and (kind == "P") != (written is not None):
        raise ValueError(
            f"report policy {excerpt(text)}: P takes a period, as in P(5), and only P does"
        )
    period = int(written) if written else None
    if period is not None and not 1 <= period <= LATEST:
        raise ValueError(f"report policy {excerpt(text)}: a period has 1 to {LATEST} instants")
    return Strategy(kind, period, match["window"])
