"""What a seeded fault is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from rsp_conformance.adapters.reference.behaviour import Behaviour
from rsp_conformance.model.features import check_features


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault.

    Attributes:
        name: what users write in ``fault=NAME``.
        imitates: where it was seen.
        behaviour: the engine with the fault; its docstring says what is wrong.
        features: what a case must use for the fault to show.
        dials: dials to turn from plain RSP-QL's, so that it can show.
        where: what else a case needs for it, in words.
        count: the engine's option that says how late a ``Counted`` fault shows; empty for others.
        fatal: whether it ends the process that it runs in.
        relation: the relation or law that is made to show it, by name; empty for other faults.
    """

    name: str
    imitates: str
    behaviour: type[Behaviour]
    features: frozenset[str] = frozenset()
    dials: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    count: str = ""
    fatal: bool = False
    relation: str = ""

    @property
    def summary(self) -> str:
        """What the engine does wrong, in one sentence."""
        return " ".join((self.behaviour.__doc__ or "").split())


def seeded(
    name: str,
    behaviour: type[Behaviour],
    imitates: str,
    *,
    needs: str = "",
    dials: Mapping[str, str] | None = None,
    where: str = "",
    relation: str = "",
) -> Fault:
    """A fault that a small case shows; NEEDS are the features that the case uses."""
    features, turned = check_features(needs.split()), MappingProxyType(dict(dials or {}))
    return Fault(name, imitates, behaviour, features, turned, where, relation=relation)
