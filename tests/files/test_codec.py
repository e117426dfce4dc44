"""One description gives reading, writing, schema and message, shown on small classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rsp_conformance.files.codec import (
    Check,
    Format,
    Keys,
    Table,
    Text,
    Via,
    at_least,
    descriptions,
    matching,
)
from rsp_conformance.files.fields import FieldError


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Leaf:
    """A leaf.

    Attributes:
        colour: its colour.
        sizes: its sizes, in two
            dimensions.
    """

    colour: Colour
    sizes: tuple[int, int] = (1, 1)


@dataclass(frozen=True)
class Branch:
    """A branch.

    It has more below it.
    """

    below: tuple[Tree, ...]
    """What grows on it."""
    label: str | None = None
    """Its name."""
    weight: Annotated[int, at_least(0)] = 0
    notes: Mapping[str, float | bool] = field(default_factory=dict)
    kind: Literal["oak", "elm"] = "oak"


Tree = Leaf | Branch
TREES = Format({Branch: Keys(omit="weight", absent="label")}, tag="type", named=True)

leaves = st.builds(Leaf, st.sampled_from(Colour), st.tuples(st.integers(), st.integers()))
trees = st.recursive(
    leaves,
    lambda below: st.builds(
        Branch,
        st.lists(below, max_size=3).map(tuple),
        st.none() | st.text(),
        st.integers(0, 9),
        st.dictionaries(
            st.text(), st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
        ),
        st.sampled_from(["oak", "elm"]),
    ),
    max_leaves=6,
)
LEAF = {"type": "Leaf", "colour": "red", "sizes": [1, 2]}
BRANCH: dict[str, Any] = {"type": "Branch", "below": [LEAF], "notes": {}, "kind": "elm"}


def is_valid(form: Format, kind: Any, document: object) -> bool:
    schema = form.schema(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema).is_valid(document)


@settings(deadline=None)
@given(trees)
def test_values_come_back_and_fit_the_schema(tree: Tree) -> None:
    document = json.loads(json.dumps(TREES.write(Tree, tree)))
    assert TREES.read(Tree, document) == tree
    assert is_valid(TREES, Tree, document)


def test_objects_and_schemas_say_what_the_class_says() -> None:
    tree = Branch((Leaf(Colour.RED),), notes={"a": 1.5})
    assert json.dumps(TREES.write(Tree, tree)) == (
        '{"type": "Branch", "below": [{"type": "Leaf", "colour": "red", "sizes": [1, 1]}], '
        '"notes": {"a": 1.5}, "kind": "oak"}'
    )
    assert descriptions(Leaf) == {"colour": "its colour.", "sizes": "its sizes, in two dimensions."}
    defs = TREES.schema(Tree)["$defs"]
    assert defs["Branch"]["description"] == "A branch."
    assert defs["Branch"]["properties"]["below"]["description"] == "What grows on it."
    assert defs["Branch"]["required"] == ["type", "below"]
    assert defs["Leaf"]["properties"]["sizes"]["description"] == "its sizes, in two dimensions."


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"below": 5}, "tree.below: expected an array, found 5"),
        (
            {"below": [{"type": "Leaf"}]},
            "tree.below[0].colour: expected one of red, blue, found noth",
        ),
        ({"below": [LEAF, {}]}, "tree.below[1].type: expected one of Leaf, Branch, found nothing"),
        ({"below": [LEAF | {"sizes": [1]}]}, "tree.below[0].sizes: expected an array of 2 items"),
        ({"below": [LEAF | {"sizes": [1, True]}]}, "sizes[1]: expected an integer, found true"),
        ({"label": "\ud800"}, "tree.label: expected a string without lone surrogates"),
        ({"weight": -1}, "tree.weight: expected an integer of at least 0, found -1"),
        ({"notes": {"a": "b"}}, 'tree.notes.a: expected a number or true or false, found "b"'),
        ({"notes": {"a": Decimal("1e999")}}, "tree.notes.a: expected a number that a double holds"),
        ({"kind": "ash"}, 'tree.kind: expected one of oak, elm, found "ash"'),
        ({"wieght": 1}, "expected one of the fields below, label, .*found \"wieght\".*'weight'"),
    ],
)
def test_the_first_wrong_member_is_told(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(FieldError) as caught:
        TREES.read(Tree, BRANCH | changes, "tree")
    message = str(caught.value)
    if "*" in said:
        assert all(part in message for part in said.split(".*"))
    else:
        assert said in message
    if "surrogates" not in said and "a double" not in said:
        assert not is_valid(TREES, Tree, BRANCH | changes)


@dataclass(frozen=True)
class Point:
    x: int
    y: int

    def __post_init__(self) -> None:
        if self.x > self.y:
            raise ValueError("x is greater than y")


def point_of(text: str) -> Point:
    x, _, y = text.partition(";")
    return Point(int(x), int(y))


def test_rules_of_a_class_and_values_without_end_are_told_at_their_place() -> None:
    with pytest.raises(FieldError) as caught:
        Format({}).read(tuple[Point, ...], [{"x": 2, "y": 1}], "points")
    assert str(caught.value) == "points[0]: x is greater than y"
    endless = {**BRANCH, "below": []}
    endless["below"].append(endless)
    with pytest.raises(FieldError, match="a value without cycles, nested less deeply"):
        TREES.read(Tree, endless)


def test_texts_and_other_shapes_stand_for_values() -> None:
    by_text = Format({Point: Text(lambda p: f"{p.x};{p.y}", point_of, "two numbers")})
    assert by_text.read(Point, by_text.write(Point, Point(1, 2))) == Point(1, 2)
    with pytest.raises(FieldError, match="p: expected two numbers, found 5"):
        by_text.read(Point, 5, "p")
    with pytest.raises(FieldError, match="p: x is greater than y"):
        by_text.read(Point, "2;1", "p")
    pair = Format({Point: Via(tuple[int, int], lambda xy: Point(*xy), lambda p: (p.x, p.y))})
    assert pair.write(Point, Point(1, 2)) == [1, 2]
    with pytest.raises(FieldError, match="p: x is greater than y"):
        pair.read(Point, [2, 1], "p")


def test_keys_may_have_other_names_constants_beside_them_and_tables_other_members() -> None:
    form = Format({Point: Keys("version left=x right=y", fixed={"version": (1, int)})}, open=True)
    assert form.write(Point, Point(1, 2)) == {"version": 1, "left": 1, "right": 2}
    assert form.read(Point, {"left": 1, "right": 2, "more": 3}) == Point(1, 2)
    with pytest.raises(FieldError, match="version: expected an integer"):
        form.read(Point, {"version": "1", "left": 1, "right": 2})
    form = Format({Mapping[str, Any]: Table({"name": str}, int)}, open=True)
    assert form.read(Mapping[str, Any], {"name": "a", "b": 1}) == {"name": "a", "b": 1}
    for document, place in (({"name": 1}, "name"), ({"b": "x"}, "b")):
        with pytest.raises(FieldError, match=f"^{place}: expected"):
            form.read(Mapping[str, Any], document)
        assert not is_valid(form, Mapping[str, Any], document)


Code = Annotated[
    str, matching("[a-z]+", "a code"), Check(lambda code: len(code) < 4, "a short code")
]


@pytest.mark.parametrize(
    ("code", "said"), [(5, "a code"), ("A", "a code"), ("ab\n", "a code"), ("abcd", "a short code")]
)
def test_each_condition_is_told_in_its_words(code: object, said: str) -> None:
    with pytest.raises(FieldError, match=f"expected {said}, found"):
        Format({}).read(Code, code)


def test_texts_may_have_a_greatest_length() -> None:
    form = Format({}, longest=3)
    assert form.read(str, "abc") == "abc" and is_valid(form, str, "abc")
    with pytest.raises(FieldError, match="a string of at most 3 characters"):
        form.read(str, "abcd")
    assert not is_valid(form, str, "abcd")


def test_what_has_no_json_or_no_schema_is_refused() -> None:
    @dataclass(frozen=True)
    class LeafJson:
        """Another leaf."""

    with pytest.raises(TypeError, match="two classes are called Leaf in one schema"):
        Format({}).schema(Leaf, LeafJson)
    with pytest.raises(TypeError, match="no JSON for"):
        Format({}).codec(complex)
