"""Limits: what generated cases may contain, given an engine's features and its profile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import get_args

from rsp_conformance.model.dials import Dials, Tolerance
from rsp_conformance.model.features import TAKEN_UNLESS_SAID, with_implied
from rsp_conformance.model.policy import is_bound, strategies
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.windows import Unit
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.clock import not_scalable


@dataclass(frozen=True, slots=True)
class Limits:
    """What a case may use, settled before anything is drawn.

    Attributes:
        features: the declared features, those that they imply, and those that every engine has
            unless it declares a restriction (``model.features``).
        operators: the streaming operators that both features and dials allow.
        default_windows: whether the profile merges all windows into the default graph.
        exact: whether numbers compare as terms. Then no query may compute a number whose lexical
            form SPARQL leaves open.
        tolerant: whether numbers compare up to a tolerance.
        bystanders: whether there may be a stream that the query does not read. If answers are
            stamped by arrivals, they would depend on whether the engine learns the time from that
            stream.
        computed_every: whether the query must state its own period.
        window_names: the windows that the report policy names.
        fixed_starts: whether the profile leaves no window a choice of t0.
        numbered_starts: whether the profile gives t0 as a number.
        scalable: whether all times may be multiplied (``clock.not_scalable``).
        bags: whether windows count equal triples.
    """

    features: frozenset[str]
    operators: tuple[StreamOperator, ...] = ()
    default_windows: bool = False
    exact: bool = True
    tolerant: bool = False
    bystanders: bool = True
    computed_every: bool = False
    window_names: tuple[IRI, ...] = ()
    fixed_starts: bool = False
    numbered_starts: bool = False
    scalable: bool = True
    bags: bool = False

    def allow(self, *features: str) -> bool:
        """Return whether all of ``features`` may be used."""
        return self.features.issuperset(features)

    @property
    def countable(self) -> tuple[Unit, ...]:
        """What windows by count may count, the simplest first."""
        units: tuple[Unit, ...] = get_args(Unit)
        return tuple(unit for unit in units if self.allow(f"{unit.removesuffix('s')}-windows"))


def limits(features: Iterable[str], profile: Profile | Dials) -> Limits:
    """Combine an engine's features and profile into limits.

    A profile's overrides depend on the query, which is not drawn yet. So a case never contains
    anything that one of them forbids.

    Raises:
        ValueError: a feature is unknown, or the features allow no form of query.
    """
    known = with_implied(features)
    if not known & {"select", "ask", "construct"}:
        raise ValueError("no query can be generated without the feature select, ask or construct")
    settings = (profile,) if isinstance(profile, Dials) else profile.settings()
    operators = tuple(
        operator
        for operator in StreamOperator
        if operator.value.lower() in known
        and all(operator.letter in dials.stream_operators for dials in settings)
    )
    reports = [strategy for dials in settings for strategy in strategies(dials.report)]
    return Limits(
        features=known.union(
            taken for restriction, taken in TAKEN_UNLESS_SAID.items() if restriction not in known
        ),
        operators=operators,
        default_windows=any(dials.windows_in == "default" for dials in settings),
        exact=any(dials.numbers == "term" for dials in settings),
        tolerant=all(isinstance(dials.numbers, Tolerance) for dials in settings),
        bystanders=all(dials.answer_time != "arrival" for dials in settings),
        computed_every=any(s.kind == "COMPUTED EVERY" and s.period is None for s in reports),
        window_names=tuple(
            dict.fromkeys(
                _window_name(strategy.window)
                for dials in settings
                if is_bound(dials.report)
                for strategy in strategies(dials.report)
                if strategy.window is not None
            )
        ),
        fixed_starts=all(dials.t0 != "any" for dials in settings),
        numbered_starts=any(isinstance(dials.t0, int) for dials in settings),
        scalable=not any(map(not_scalable, settings)),
        bags=any(dials.window_content == "bag" for dials in settings),
    )


def _window_name(text: str) -> IRI:
    """The window of this name in a policy: a full IRI, a prefixed or a local name."""
    bare = text.removeprefix("<").removesuffix(">")
    if bare != text or "//" in bare:
        return IRI(bare)
    return vocabulary.name(bare.partition(":")[2] if ":" in bare else bare)
