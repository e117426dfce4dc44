"""The plan of a case: which clauses it has. It is small, and is drawn before the query."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from rsp_conformance.model.query import StreamOperator
from rsp_conformance.strategies.clause_weights import NAMED_ONLY, REQUIRED, WIDE, Mix
from rsp_conformance.strategies.clock import Clocks
from rsp_conformance.strategies.draws import pick
from rsp_conformance.strategies.focus import Focus
from rsp_conformance.strategies.limits import Limits

# Clauses with patterns that have to match together.
_JOINING = frozenset(
    "join window again more optional minus exists subquery paths quoted said nested".split()
)
# Further clauses that do not go with aggregates if an engine cannot join these.
_BESIDE = frozenset({"static", "varying", "graph", "graph-varying", "window-graph", "union"})

_PROJECTED = ("all", "all", "all", "all", "first", "last")
_PROJECTED_DISTINCT = ("all", "first", "last", "first")


@dataclass(frozen=True, slots=True)
class Plan:
    """The clauses and the head of a query, and the traits of its streams.

    Attributes:
        clauses: the clauses that the query has.
        head: the query's form and modifiers.
        operator: the streaming operator, if any.
        rhythm: the gaps between elements.
        least: the least number of elements.
        spread: how many triples at most match each triple pattern.
        projection: which variables SELECT shows: all, the first or the last.
        constant: which end of the first triple pattern is a constant; empty for none.
    """

    clauses: frozenset[str] = frozenset()
    head: str = "select"
    operator: StreamOperator | None = None
    rhythm: tuple[int, ...] = (1,)
    least: int = 0
    spread: int = 3
    projection: str = "all"
    constant: str = ""

    def has(self, *clauses: str) -> bool:
        """Return whether any of ``clauses`` is planned."""
        return not self.clauses.isdisjoint(clauses)

    @property
    def ordered(self) -> bool:
        """Whether the query may have ORDER BY."""
        return self.head in ("order", "limit", "modified")


@dataclass(frozen=True, slots=True)
class FocusWithinLimits:
    """The tables of a focus, without entries that an engine's features and profile exclude."""

    limits: Limits
    focus: Focus
    main: Mix
    extra: Mix
    heads: tuple[str, ...]
    operators: tuple[StreamOperator | None, ...]
    gaps: bool
    clocks: Clocks

    def plan(self, draw: st.DrawFn) -> Plan:
        """Draw a plan."""
        # First draw what makes otherwise simplest cases differ: Hypothesis begins with the
        # simplest, and does not vary draws that came before.
        plain = 4 * self.heads.count(self.heads[0]) > len(self.heads)
        least = pick(draw, self.focus.sizes) if plain else 0
        head = pick(draw, self.heads)
        least = least if plain else pick(draw, self.focus.sizes)
        clauses = {*pick(draw, self.main), *pick(draw, self.extra)}
        if not self.limits.allow("compound-window-joins") and clauses & {"window", "again"}:
            clauses, head = {"window" if "window" in clauses else "again"}, "select"
        if not self.limits.allow("joined-aggregates") and head in ("aggregate", "having"):
            clauses -= _JOINING | _BESIDE
        if not self.limits.allow("single-patterns") and head not in ("aggregate", "having"):
            clauses.add("join")
        if not self.limits.allow("select") and head == "select":
            head = next(h for h in ("ask", "construct") if self.limits.allow(h))
        if least:
            # More elements if more patterns have to match together.
            least += 2 * len(clauses & _JOINING)
        return Plan(
            clauses=frozenset(clauses),
            head=head,
            operator=pick(draw, self.operators_for(head, clauses)),
            rhythm=pick(draw, self.focus.rhythms),
            least=least,
            spread=pick(draw, self.focus.spreads),
            # Drawn even if unused: shrinking takes a case with fewer draws for simpler.
            projection=pick(draw, _PROJECTED_DISTINCT if head == "distinct" else _PROJECTED),
            constant=pick(draw, self.focus.constants),
        )

    def operators_for(
        self, head: str, clauses: AbstractSet[str] = frozenset()
    ) -> tuple[StreamOperator | None, ...]:
        """Return the streaming operators that go with a head and clauses; None is no operator.

        ORDER BY and LIMIT go with None and Rstream only, because the other operators keep no order.
        Heads and clauses that combine freely are combined with each operator equally often.
        """
        if head in ("order", "limit"):
            return tuple(o for o in self.operators if o in (None, StreamOperator.RSTREAM))
        if head == "modified" or "nested" in clauses:
            return tuple(dict.fromkeys(self.operators))
        return self.operators

    def extras(self, plan: Plan) -> tuple[int, ...]:
        """Return what a window of the plan may be wider than its slide by."""
        extras = self.focus.extras
        if plan.clauses & _JOINING and extras != self.focus.gaps:
            extras = tuple(max(pair) for pair in zip(extras, WIDE, strict=False))
        return (*extras, *self.focus.gaps) if self.gaps else extras


def focus_within(limits: Limits, focus: Focus) -> FocusWithinLimits:
    """Return a focus without entries that the limits exclude."""
    if not limits.allow("steps"):
        focus = replace(focus, slides=(None,))
    heads = tuple(head for head in focus.heads if limits.allow(*REQUIRED[head]))
    if not heads:
        heads = next((h,) for h in ("select", "ask", "construct") if limits.allow(h))
    if focus.operators:
        wanted = tuple(o for o in limits.operators if o.letter in focus.operators)
        operators = (None, *wanted * 3) if wanted else (None,)
    else:
        # Istream and Dstream are often silent: a focus of their own is enough for them.
        again = tuple(o for o in limits.operators if o is StreamOperator.RSTREAM)
        operators = (None,) * 8 + limits.operators + again
    if not limits.allow("plain-queries"):
        operators = tuple(filter(None, operators)) or limits.operators or (None,)
    return FocusWithinLimits(
        limits=limits,
        focus=focus,
        main=_permitted(focus.main, limits),
        extra=_permitted(focus.extra, limits),
        heads=heads,
        operators=operators,
        gaps=limits.allow("gap-windows"),
        clocks=Clocks(
            options=focus.clocks,
            fixed_starts=limits.fixed_starts,
            numbered_starts=limits.numbered_starts,
            scalable=limits.scalable and limits.allow("steps"),
            long_windows=limits.allow("long-windows"),
            bags=limits.bags,
        ),
    )


def _permitted(table: Iterable[tuple[str, ...]], limits: Limits) -> Mix:
    """The table without excluded clauses; an entry keeps its other clauses.

    If an engine takes a clause over background data only, background data are added to the entry.
    """
    kept = [
        tuple(
            clause
            for clause in entry
            if limits.allow(*REQUIRED[clause])
            and not (limits.default_windows and clause in NAMED_ONLY)
            and (limits.bystanders or clause != "bystander")
        )
        for entry in table
    ]
    beside = {c for c in ("optional", "union", "exists") if not limits.allow(f"{c}-stream")}
    if beside and limits.allow("static-data"):
        kept = [entry if beside.isdisjoint(entry) else (*entry, "static") for entry in kept]
    return tuple(kept)
