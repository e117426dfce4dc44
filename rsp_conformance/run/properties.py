"""The properties of the suite, as data: what each asserts, and which definition says so.

Each of PROPERTIES asserts Definition 26 on cases that exercise one aspect, so that a failure says
where to look; ``check`` says what is done with a case besides judging its answer. RELATIONAL assert
a relation between the answers to several cases. A test of a case suite is a property of one case
(`of_suite`), judged by the answers that the suite records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import starmap
from typing import Any, Final

from rsp_conformance.judge.vacuity import Need
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.policy import StrategyKind
from rsp_conformance.model.tables import read_table
from rsp_conformance.relations.registry import RELATIONS, between_engines
from rsp_conformance.relations.relation import MetamorphicRelation
from rsp_conformance.run.outcome import BURN_IN
from rsp_conformance.strategies.focus import FOCUSES
from rsp_conformance.test_suite.entry import SuiteCase
from rsp_conformance.test_suite.manifest import CaseSuite


@dataclass(frozen=True, slots=True)
class Property:
    """One test of the suite.

    Attributes:
        name: its name, which is stable: the test id is ``rsp::test_<name>``.
        aspect: the aspect that its cases exercise.
        definition: the definition that says so; for a test of a case suite, the place of its files.
        focus: the strategies' focus.
        check: ``answer`` judges a burst run, ``settled`` a settled one, ``repeat`` two runs;
            ``relation`` compares the answers to several cases as ``relation`` says; ``recorded``
            compares the engine's answers with those that a suite records.
        needs: what a case must have, else its answer is no test (``judge.vacuity``).
        policies: report strategies of which the profile's policy must use one.
        relation: the relation, if it asserts one.
        entry: the test of a case suite, if it is one.
        group: the kind of property.
        asserts: what an engine with this property does: the end of a sentence that begins with "a
            correct engine".
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
    """The property of a name, with the fields of the table."""
    focus = fields.pop("focus", name.replace("_", "-"))
    policies = tuple(fields.pop("policies", ()))
    return Property(name, focus=focus, policies=policies, **fields)


PROPERTIES: tuple[Property, ...] = tuple(
    starmap(_read, read_table(__name__, "properties.toml").items())
)

_FAMILIES: Final = {
    "law": ("Laws", "gives the same answers to a query and its rewriting: {}"),
    "relation": ("Metamorphic tests", "gives answers that fit together: {}"),
    "against": ("", ""),
}
"""The group of each family of relations, and what its properties assert."""


def _relational(relation: MetamorphicRelation) -> Property:
    group, asserts = _FAMILIES[relation.family]
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
    map(
        _relational,
        between_engines(
            (p.focus, p.name, p.aspect)
            for p in PROPERTIES
            if p.check == "answer" and p.needs == "answers"
        ),
    )
)
"""The properties of the answers of two engines, one for each property of a single engine."""

LONG_STREAM = Property(BURN_IN, "One long stream", "RSP-QL Def. 26", "any")
"""The property of a burn-in. Its trials are stretches of its stream; none is drawn."""

SUITE = PROPERTIES + RELATIONAL
"""All of the suite, in the order in which it runs."""


def of_suite(
    suite: CaseSuite, dials_of: Callable[[Case], Dials], features: Collection[str] | None = None
) -> tuple[Property, ...]:
    """Return the tests of a suite of cases as properties of an engine, in the suite's order.

    Args:
        suite: the suite.
        dials_of: the engine's dials for a case, which choose the answers that count, ...
        features: ... and its features, which choose the form of the query.
    """
    return tuple(
        Property(
            own.name,
            own.title,
            suite.files_of(own.name),
            "",
            "recorded",
            entry=own.under(dials_of, features),
        )
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
    """Names of properties in the order of the suite, any others last."""
    return sorted(names, key=lambda name: _PLACES.get(name, len(_PLACES)))


Named = Callable[[str], Property]
"""Returns the property of a name; ValueError if there is none."""
_PLACES = {property.name: place for place, property in enumerate(SUITE + AGAINST)}


def property_named(name: str, among: Iterable[Property] = ()) -> Property:
    """Find a property by its name.

    Args:
        name: the name.
        among: properties that are looked at before those of the kit.

    Raises:
        ValueError: there is none.
    """
    for property in (*among, *SUITE, *AGAINST, *_OF_FOCI.values(), LONG_STREAM):
        if property.name == name:
            return property
    hint = did_you_mean(name, [property.name for property in SUITE])
    raise ValueError(f"unknown property {name!r}{hint}")
