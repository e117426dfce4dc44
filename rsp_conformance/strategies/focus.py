"""A focus: the aspect that a property wants its cases to be about.

A focus only weighs clauses. Each clause is missing from some cases, so shrinking can drop a clause
that does not matter to a failure. The property keeps a case's ``about`` part if it can.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES, MissingFeatures
from rsp_conformance.model.profiles import Profile
from rsp_conformance.model.query import StreamOperator
from rsp_conformance.model.tables import read_table
from rsp_conformance.strategies import clause_weights
from rsp_conformance.strategies.clock import CLOCKS, Clock
from rsp_conformance.strategies.limits import limits


@dataclass(frozen=True, slots=True)
class Focus:
    """An aspect that cases exercise often.

    Attributes:
        description: the aspect in words.
        main: the clauses of which each case draws one entry.
        extra: further clauses, of which each case draws one entry.
        heads: the forms and modifiers of the query.
        about: a case is about the aspect if it has one of these features or shapes; empty if every
            case is.
        needs: the features without which the aspect cannot show.
        any_of: features of which at least one is needed.
        operators: letters of streaming operators. The engine must have one of them, and most
            queries use one.
        named: whether the aspect needs NAMED WINDOWs.
        rhythms: the gaps between elements (``clause_weights``).
        slides: the slides of windows; None is RANGE without STEP.
        extras: what a window's width exceeds its slide by.
        gaps: further ``extras`` below 0, for engines that take windows with gaps.
        counts: the numbers of units of windows by count; empty if there are none.
        steps: the slides of windows by count; None for no slide of their own.
        lags: the lags of windows in the past, which the first window and half of the others are;
            empty if none is.
        reach: the size of the first window, and of half of the others, if it is NOW or UNBOUNDED.
        others: whether windows by count, NOW, UNBOUNDED and in the past take the place of others in
            some cases (``other_windows``).
        sizes: the least numbers of elements.
        most: the greatest number of drawn elements.
        spreads: how many different triples at most match each triple pattern.
        constants: which end of the first triple pattern is a constant; empty for none.
        clocks: the clocks of cases; None is one of ``clock.LARGE``.
    """

    description: str
    main: clause_weights.Mix = clause_weights.mix("")
    extra: clause_weights.Mix = clause_weights.RARELY
    heads: tuple[str, ...] = clause_weights.PLAIN
    about: frozenset[str] = frozenset()
    needs: frozenset[str] = frozenset()
    any_of: frozenset[str] = frozenset()
    operators: str = ""
    named: bool = False
    rhythms: tuple[tuple[int, ...], ...] = clause_weights.RHYTHMS
    slides: tuple[int | None, ...] = clause_weights.SLIDES
    extras: tuple[int, ...] = clause_weights.EXTRAS
    gaps: tuple[int, ...] = ()
    counts: tuple[int, ...] = ()
    steps: tuple[int | None, ...] = ()
    lags: tuple[int, ...] = ()
    reach: str = ""
    others: bool = False
    sizes: tuple[int, ...] = clause_weights.SIZES
    most: int = 12
    spreads: tuple[int, ...] = (3, 4, 6, 12)
    constants: tuple[str, ...] = (*("",) * 6, "object", "subject")
    clocks: tuple[Clock | None, ...] = CLOCKS


_RHYTHMS = {
    "steady": clause_weights.STEADY,
    "slow": clause_weights.SLOW,
    "bursts": clause_weights.BURSTS,
    "silent": clause_weights.SILENT,
}
_WORDS: dict[str, Any] = {
    "any": clause_weights.ANY,
    "rarely any": (*clause_weights.RARELY, *clause_weights.ANY),
    "dense": (clause_weights.STEADY, clause_weights.STEADY, clause_weights.BURSTS),
    "wide": clause_weights.WIDE,
    "many": (0, 4, 5, 6, 8, 6, 8),
}
_READ: dict[str, Callable[[str], Any]] = {
    "main": clause_weights.mix,
    "extra": clause_weights.mix,
    "heads": lambda text: tuple(head for entry in clause_weights.mix(text) for head in entry),
    "rhythms": lambda text: tuple(_RHYTHMS[word] for word in text.split()),
}


def _value(field: str, value: Any) -> Any:
    """Translate a value of the table for a field of ``Focus``."""
    if isinstance(value, list):
        numbers = tuple(None if item == "none" else item for item in value)
        return frozenset(value) if field in ("about", "needs", "any_of") else numbers
    if not isinstance(value, str) or field in ("description", "operators", "reach"):
        return value
    return _WORDS[value] if value in _WORDS else _READ[field](value)


def _foci() -> dict[str, Focus]:
    """Read the foci; a focus that is named after a feature needs the feature, and is about it."""
    known: dict[str, Focus] = {}
    for name, fields in read_table(__name__, "foci.toml").items():
        like = known.get(fields.pop("like", ""))
        if like is None:
            like = Focus("")
            fields["needs"] = [*fields.get("needs", []), *({name} & FEATURES.keys())]
        if name in FEATURES:
            fields.setdefault("about", [name])
        values = {field: _value(field, value) for field, value in fields.items()}
        known[name] = replace(like, **values)
    return known


FOCUSES = _foci()
"""The foci of ``foci.toml`` by name."""


def focus_named(name: str | None) -> Focus:
    """Return the focus of this name, and the focus ``any`` for None.

    Raises:
        ValueError: no focus has this name.
    """
    key = name or "any"
    if key not in FOCUSES:
        raise ValueError(f"unknown focus {key!r} (the foci are {', '.join(FOCUSES)})")
    return FOCUSES[key]


def applicable(focus: str, features: frozenset[str], profile: Profile | Dials) -> bool | str:
    """Return True, or the reason why a focus means nothing for this engine and profile.

    Args:
        focus: the name of the focus.
        features: the features that the engine declares.
        profile: the engine's profile, or a single setting of the dials.
    """
    wanted = focus_named(focus)
    permitted = limits(features, profile)
    if missing := sorted(wanted.needs - permitted.features):
        return MissingFeatures(*missing)
    if wanted.any_of and not wanted.any_of & permitted.features:
        return f"the engine declares none of the features {', '.join(sorted(wanted.any_of))}"
    if not any(permitted.features >= clause_weights.REQUIRED[head] for head in wanted.heads):
        return f"the engine declares no form of query that {focus} is about"
    letters = {operator.letter for operator in permitted.operators}
    if wanted.operators and not letters & set(wanted.operators):
        names = [o.value for o in StreamOperator if o.letter in wanted.operators]
        only = f"neither {' nor '.join(names)}" if len(names) > 1 else f"no {names[0]}"
        return f"engine and profile allow {only}"
    if wanted.named and permitted.default_windows:
        return "the profile merges every window into the default graph"
    return True
