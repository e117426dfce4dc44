"""The properties of the suite, as data: what each asserts, and which definition says so.

Every one of PROPERTIES asserts Definition 26 on cases that exercise one aspect, so that a failure
says where to look; ``check`` says what is done with a case besides judging its answer. RELATIONAL
are those that assert a relation between the answers to several cases. A test of a suite of cases is
a property of one case (`of_suite`), which the answers that the suite records judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any

from rsp_conformance.judge.vacuity import Need
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.policy import StrategyKind
from rsp_conformance.model.tables import read_table
from rsp_conformance.relations.against import against
from rsp_conformance.relations.registry import RELATIONS
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.run.outcome import BURN_IN
from rsp_conformance.strategies.focus import FOCUSES
from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.manifest import CaseSuite


@dataclass(frozen=True, slots=True)
class Property:
    """One test of the suite.

    ``name`` is stable: the test id is ``rsp::test_<name>``. ``focus`` is the strategies' focus.
    ``check``: ``answer`` judges a burst run, ``settled`` a settled one, ``repeat`` two runs;
    ``relation`` holds what ``relation`` says between the answers to several cases; ``recorded``
    holds what an engine answers against the answers that a suite records.
    ``needs`` is what a case must have, else its answer is no test (``judge.vacuity``);
    ``policies`` are report strategies of which the profile's policy must use one.
    ``entry`` is the test of a suite of cases that it is, ``definition`` then where its files are.
    ``group`` is the kind of property, ``asserts`` what an engine does that has it: the end of a
    sentence that begins with "a correct engine".
    """

    name: str
    aspect: str
    definition: str
    focus: str
    check: str = "answer"
    needs: Need = "answers"
    policies: tuple[StrategyKind, ...] = ()
    relation: MetamorphicRelation | None = None
    entry: SuiteCase | None = None
    group: str = ""
    asserts: str = ""


def _read(name: str, fields: dict[str, Any]) -> Property:
    """The property NAME with FIELDS of the table."""
    focus = fields.pop("focus", name.replace("_", "-"))
    policies = tuple(fields.pop("policies", ()))
    return Property(name, focus=focus, policies=policies, **fields)


PROPERTIES: tuple[Property, ...] = tuple(
    starmap(_read, read_table(__name__, "properties.toml").items())
)

_LAWS = ("Laws", "gives the same answers to a query and its rewriting: {}")
_TESTS = ("Metamorphic tests", "gives answers that fit together: {}")


def _relational(relation: MetamorphicRelation) -> Property:
    group, asserts = _LAWS if relation.property_name.startswith("law[") else _TESTS
    return Property(
        relation.property_name,
        relation.title,
        relation.source,
        "",
        "relation",
        relation=relation,
        group=group,
        asserts=asserts.format(relation.title),
    )


RELATIONAL: tuple[Property, ...] = tuple(map(_relational, RELATIONS))
"""The laws and the relations, which hold between an engine's own answers."""

AGAINST: tuple[Property, ...] = tuple(
    Property(r.property_name, r.title, r.source, "", "relation", relation=r)
    for r in (
        against(p.focus, p.name, p.aspect)
        for p in PROPERTIES
        if p.check == "answer" and p.needs == "answers"
    )
)
"""What holds between the answers of two engines, one a property of a single one."""

LONG_STREAM = Property(BURN_IN, "One long stream", "RSP-QL Def. 26", "any")
"""What a burn-in asserts. Its trials are stretches of its stream: none is drawn."""

SUITE = PROPERTIES + RELATIONAL
"""All of the suite, in the order in which it runs."""


def of_suite(suite: CaseSuite) -> tuple[Property, ...]:
    """Return the tests of a suite of cases as properties, in its order."""
    return tuple(
        Property(own.name, own.title, suite.files_of(own.name), "", "recorded", entry=own)
        for own in suite.tests
    )


_OF_FOCI: Mapping[str, Property] = {
    **{focus: Property(focus, focus, "RSP-QL Def. 26", focus) for focus in FOCUSES},
    **{
        p.focus: p
        for p in reversed(PROPERTIES)
        if p.check == "answer" and p.needs == "answers" and not p.policies
    },
}


def property_of(focus: str) -> Property:
    """Return the property that asserts Definition 26, and nothing else, on the cases of a focus."""
    return _OF_FOCI[focus]


def in_order(names: Iterable[str]) -> list[str]:
    """NAMES of properties in the order of the suite, any others last."""
    return sorted(names, key=lambda name: _PLACES.get(name, len(_PLACES)))


Named = Callable[[str], Property]
"""Returns the property of a name; ValueError if there is none."""
_PLACES = {property.name: place for place, property in enumerate(SUITE + AGAINST)}


def property_named(name: str, among: Iterable[Property] = ()) -> Property:
    """The property NAME, of the kit or AMONG others; ValueError where there is none."""
    for property in (*among, *SUITE, *AGAINST, *_OF_FOCI.values(), LONG_STREAM):
        if property.name == name:
            return property
    hint = did_you_mean(name, [property.name for property in SUITE])
    raise ValueError(f"unknown property {name!r}{hint}")
