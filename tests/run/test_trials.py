"""Trials are drawn from bytes of their own: any process draws any of them."""

from __future__ import annotations

from rsp_conformance.run.properties import property_named
from rsp_conformance.run.trials import by_seed, from_bytes
from tests.builders.command_line import python
from tests.generators.profiles import subject

DIGESTS = """
from rsp_conformance.run.properties import property_named
from rsp_conformance.run.trials import by_seed
from tests.generators.profiles import subject
for name in {names}:
    drawn = by_seed(property_named(name), subject({{}}), 3, [17, 4])
    print(*[own.trial.digest for own in drawn])
"""


def test_a_trial_depends_on_its_place_alone() -> None:
    names, engine = ("windows", "law[FWPush]"), subject({})
    script, env = DIGESTS.format(names=names), {"PYTHONHASHSEED": "7"}
    lines = python("-c", script, env=env).well.splitlines()
    for name, said in zip(names, lines, strict=True):
        property = property_named(name)
        whole = {own.place: own for own in by_seed(property, engine, 3, range(18))}
        some = {own.place: own for own in by_seed(property, engine, 3, [17, 4])}
        assert all(own.trial == whole[place].trial for place, own in some.items())
        assert set(some) <= {4, 17}
        assert said.split() == [own.trial.digest for own in some.values()]


def test_the_bytes_that_are_kept_draw_it_again() -> None:
    property, engine = property_named("filter"), subject({})
    for own in by_seed(property, engine, 1, range(10)):
        found = from_bytes(property, engine)(own.data)
        assert found == (own.trial, own.data) and len(own.data) < 500


def test_another_seed_draws_others() -> None:
    property, engine = property_named("windows"), subject({})
    one, other = (
        {own.trial.digest for own in by_seed(property, engine, seed, range(20))} for seed in (1, 2)
    )
    assert len(one & other) < 5
