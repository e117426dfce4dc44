"""The format of a kind of document, and the walk over its classes that makes codecs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from functools import reduce
from operator import or_
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

from rsp_conformance.files.codec.base import (
    DIALECT,
    SUFFIX,
    Codec,
    Definitions,
    Mismatch,
    Rule,
    Schema,
    mismatch,
    of_rule,
)
from rsp_conformance.files.codec.checks import Check, checked, described
from rsp_conformance.files.codec.classes import (
    classes_of,
    default_of,
    descriptions,
    hints_of,
    pairs,
)
from rsp_conformance.files.codec.plain import PLAIN, choice, kind_of, many, mapping, or_null, string
from rsp_conformance.files.codec.rules import BESIDE, Keys, Table, Text, Via
from rsp_conformance.files.fields import MISSING, FieldError, shown
from rsp_conformance.model.errors import did_you_mean


class _Member(NamedTuple):
    """A key of an object: its field, codec, default, and when it is needed and left out."""

    key: str
    name: str
    codec: Codec
    default: Any
    needed: bool
    omit: bool
    constant: Any


def _apart(members: list[_Member]) -> tuple[list[_Member], _Member | None]:
    """Return the members with a key of their own, and the one whose members are beside them."""
    beside = [own for own in members if own.key.startswith(BESIDE)]
    return [own for own in members if own not in beside], next(iter(beside), None)


class Format:
    """The format of a kind of document.

    Args:
        rules: how values of some types are written.
        tag: the key of objects that says what they are; empty for none.
        named: whether objects whose rule has no tag have the name of their class.
        open: whether unknown keys of objects are ignored.
        omit: whether all members are left out that have their default.
        longest: the greatest number of characters of a text; None for any.
        names: returns the names that annotations use and their modules do not import.
    """

    def __init__(
        self,
        rules: Mapping[Any, Rule],
        *,
        tag: str = "",
        named: bool = False,
        open: bool = False,
        omit: bool = False,
        longest: int | None = None,
        names: Callable[[], Mapping[str, Any]] = dict,
    ) -> None:
        self.rules, self.tag, self.open, self.omit = rules, tag, open, omit
        self.longest, self._named, self._names = longest, named, names
        self._known: dict[Any, Codec] = {}
        self._classes: dict[str, Any] = {}

    def read(self, hint: Any, value: object, where: str = "") -> Any:
        """Return the value of a type that a JSON value writes.

        Args:
            hint: the type.
            value: the JSON value.
            where: the value's place, for errors.

        Raises:
            FieldError: there is none.
        """
        try:
            return self.codec(hint).read(value)
        except Mismatch as error:
            raise error.error(where) from None
        except RecursionError:
            deeper = "a value without cycles, nested less deeply"
            raise FieldError(where, deeper, "a deeper one") from None

    def write(self, hint: Any, value: Any) -> Any:
        """Return a value of the type as JSON."""
        return self.codec(hint).write(value)

    def schema(self, *hints: Any) -> Schema:
        """Return the JSON Schema of a document that is of one of the types."""
        definitions: Definitions = {}
        found = [self.codec(hint).schema(definitions) for hint in hints]
        own = found[0] if len(found) == 1 else {"anyOf": found}
        return {"$schema": DIALECT, **own, "$defs": definitions}

    def codec(self, hint: Rule) -> Codec:
        """Return the codec of a type or rule, made once."""
        if isinstance(hint, Codec):
            return hint
        if isinstance(hint, Text | Via | Table):
            return hint.codec(self)
        if hint not in self._known:
            self._known[hint] = self._later(hint)
            self._known[hint] = self._made(hint)
        return self._known[hint]

    def _later(self, hint: Any) -> Codec:
        """Return what a type that contains itself meets: it asks for the real codec when used."""

        def read(value: Any) -> Any:
            return self._known[hint].read(value)

        def write(value: Any) -> Any:
            return self._known[hint].write(value)

        def schema(definitions: Definitions) -> Schema:
            return self._known[hint].schema(definitions)

        return Codec(read, write, schema, "an object", (dict,), self._tag(hint))

    def _tag(self, hint: Any) -> str:
        """Return the value of the tag in the objects of a type; empty if there is none."""
        rule = self.rules.get(hint)
        if not self.tag or isinstance(rule, Text | Table | Format | Codec):
            return ""
        if isinstance(rule, Via):
            return self._tag(rule.other)
        if isinstance(rule, Keys) and rule.tag is not None:
            return rule.tag
        has_name = self._named and isinstance(hint, type) and is_dataclass(hint)
        return hint.__name__ if has_name else ""

    def _made(self, hint: Any) -> Codec:
        rule = self.rules.get(hint)
        if isinstance(rule, Format):
            return rule.codec(hint)
        if isinstance(rule, Keys) or (rule is None and is_dataclass(hint)):
            return self._object(hint, rule or Keys())
        if rule is not None:
            return self.codec(rule)
        if hint is str:
            return string(self.longest)
        if hint in PLAIN:
            return PLAIN[hint]
        origin, args = get_origin(hint), get_args(hint)
        if origin is Annotated:
            return checked(self.codec(args[0]), args[1:])
        if origin is Literal:
            return choice({value: value for value in args}, lambda value: value)
        if isinstance(hint, type) and issubclass(hint, Enum):
            return choice({member.value: member for member in hint}, lambda member: member.value)
        if origin in (Union, UnionType):
            return self._union(args)
        if origin is tuple and Ellipsis not in args:
            size = len(args)
            limits = {"minItems": size, "maxItems": size}
            fits = Check(lambda items: len(items) == size, f"an array of {size} items", limits)
            return checked(many(self.codec(args[0]), tuple), (fits,))
        if origin in (tuple, list, frozenset):
            return many(self.codec(args[0]), origin)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return mapping(self.codec(args[0]), self.codec(args[1]))
        raise TypeError(f"no JSON for {hint}")

    def _union(self, args: tuple[Any, ...]) -> Codec:
        """Return the codec of a union: JSON values by kind, objects by tag, values by class."""
        parts = {arg: self.codec(arg) for arg in args}
        by_kind = {kind: own for own in parts.values() if not own.tag for kind in own.kinds}
        by_tag = {own.tag: own for own in parts.values() if own.tag}
        by_class: dict[type, Codec] = {}
        for arg, own in parts.items():
            for kind in classes_of(arg):
                by_class.setdefault(kind, own)
        tag, tags = self.tag, "one of " + ", ".join(by_tag)
        expected = " or ".join(dict.fromkeys(own.expected for own in parts.values()))

        def read(value: Any) -> Any:
            kind = kind_of(value)
            if kind is dict and by_tag:
                found = value.get(tag, MISSING)
                if not isinstance(found, str) or found not in by_tag:
                    raise mismatch(tags, found, tag)
                return by_tag[found].read(value)
            if kind not in by_kind:
                raise mismatch(expected, value)
            own = by_kind[kind]
            return described(own.read, own.expected, expected, value)

        def write(value: Any) -> Any:
            kind = type(value)
            if kind not in by_class:
                by_class[kind] = next(
                    own for known, own in [*by_class.items()] if isinstance(value, known)
                )
            return by_class[kind].write(value)

        def schema(definitions: Definitions) -> Schema:
            return {"anyOf": [own.schema(definitions) for own in parts.values()]}

        kinds = tuple(dict.fromkeys(kind for own in parts.values() for kind in own.kinds))
        return Codec(read, write, schema, expected, kinds)

    # --- objects -----------------------------------------------------------------------------

    def _object(self, kind: Any, rule: Keys) -> Codec:
        members = self._members(kind, rule)
        tag = self._tag(kind)
        read = self._reader(members, rule, rule.make or kind, tag)
        write = self._writer(members, tag)

        def schema(definitions: Definitions) -> Schema:
            name = kind.__name__.removesuffix(SUFFIX)
            if self._classes.setdefault(name, kind) is not kind:
                raise TypeError(f"two classes are called {name} in one schema")
            if name not in definitions:
                definitions[name] = {}  # A class that contains itself finds its name.
                definitions[name] = self._schema(kind, members, rule, tag, definitions)
            return {"$ref": f"#/$defs/{name}"}

        return Codec(read, write, schema, "an object", (dict,), tag)

    def _members(self, kind: Any, rule: Keys) -> list[_Member]:
        """Return the members of the objects of a class, in order."""
        own: dict[str, Field[Any]] = {f.name: f for f in fields(kind)} if is_dataclass(kind) else {}
        types = hints_of(kind, self._names) if own else {}
        found = []
        for key, written in pairs(rule.keys) or [(name, name) for name in own]:
            name = written.removeprefix(BESIDE)
            if key in rule.fixed:
                constant, hint = rule.fixed[key]
                codec = self.codec(hint)
                found.append(_Member(key, "", codec, MISSING, False, False, constant))
                continue
            default = default_of(own[name]) if name in own else MISSING
            named, absent = rule.omit.split(), rule.absent.split()
            is_absent = default is None and (name in absent or "*" in absent)
            omit = is_absent or name in named or "*" in named or self.omit
            codec = self._member(rule.members.get(name), types.get(name), is_absent)
            needed = default is MISSING or key in rule.required.split()
            omit = omit and default is not MISSING
            found.append(_Member(key, name, codec, default, needed, omit, MISSING))
        return found

    def _member(self, rule: Rule, hint: Any, is_absent: bool) -> Codec:
        """Return the codec of a field that has this type, and perhaps a rule of its own."""
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        if rule is not None:
            codec = self.codec(rule)
            return or_null(codec) if NoneType in parts and not is_absent else codec
        if is_absent:
            return self.codec(reduce(or_, (part for part in parts if part is not NoneType)))
        return self.codec(hint)

    def _reader(
        self, members: list[_Member], rule: Keys, make: Callable[..., Any], tag: str
    ) -> Callable[[Any], Any]:
        own, beside = _apart(members)
        reading = [(m.key, m.name, m.codec.read, m.needed, m.codec.expected) for m in own]
        keys = [m.key for m in own]
        allowed = {*keys, self.tag} if tag else {*keys}
        is_open = self.open if rule.open is None else rule.open
        listed = "one of the fields " + ", ".join(keys)

        def read(value: Any) -> Any:
            if not isinstance(value, dict):
                raise mismatch("an object", value)
            if tag and value.get(self.tag) != tag:
                raise mismatch(shown(tag), value.get(self.tag, MISSING), self.tag)
            found = {}
            key = ""
            try:
                for key, name, reader, needed, expected in reading:
                    if key in value:
                        found[name] = reader(value[key])
                    elif needed:
                        raise mismatch(expected, MISSING)
            except Mismatch as error:
                error.path.append(key)
                raise
            if beside is not None:
                others = {key: inner for key, inner in value.items() if key not in allowed}
                found[beside.name] = beside.codec.read(others)
            elif not is_open:
                for key in value:
                    if key not in allowed:
                        hint = did_you_mean(str(key), keys)
                        raise Mismatch(listed, shown(key) + hint)
            found.pop("", None)
            try:
                return make(**found)
            except ValueError as error:
                raise of_rule(error, value) from None

        return read

    def _writer(self, members: list[_Member], tag: str) -> Callable[[Any], Any]:
        tagged = {self.tag: tag} if tag else {}

        def write(value: Any) -> Any:
            found = dict(tagged)
            for key, name, codec, default, _, omit, constant in members:
                if constant is not MISSING:
                    found[key] = constant
                elif key.startswith(BESIDE):
                    found |= codec.write(getattr(value, name))
                else:
                    inner = getattr(value, name)
                    if not (omit and inner == default):
                        found[key] = codec.write(inner)
            return found

        return write

    def _schema(
        self, kind: Any, members: list[_Member], rule: Keys, tag: str, definitions: Definitions
    ) -> Schema:
        said = descriptions(kind)
        fixed, beside = _apart(members)
        properties: Schema = {self.tag: {"const": tag}} if tag else {}
        for own in fixed:
            found = own.codec.schema(definitions)
            if own.name in said:
                found = {**found, "description": said[own.name]}
            properties[own.key] = found
        is_open = self.open if rule.open is None else rule.open
        others: Schema = {} if is_open else {"additionalProperties": False}
        if beside is not None:
            others = beside.codec.schema(definitions)
            properties |= others.pop("properties", {})
            if names := others.pop("propertyNames", None):
                others["propertyNames"] = {"anyOf": [{"enum": [*properties]}, names]}
        return {
            "description": " ".join((kind.__doc__ or "").partition("\n\n")[0].split()),
            "type": "object",
            "properties": properties,
            "required": [*([self.tag] if tag else []), *(m.key for m in fixed if m.needed)],
            **others,
            **rule.schema,
        }
