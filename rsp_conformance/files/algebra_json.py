"""A query's algebra as JSON (docs/protocol.md), by one walk over the model's classes.

An object of the model becomes a JSON object whose ``type`` is the name of its class, with all
fields that differ from their defaults. Terms are written as in SPARQL's results, plus quoted
triples. Prefixes are left out, because they only abbreviate the text.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from rsp_conformance.files.results_json import TermForm, term_to_json
from rsp_conformance.model import algebra, expressions, paths, query, terms, windows
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode, Literal, Triple

_TERMS: Final[dict[type, str]] = {
    IRI: "UriForm",
    BlankNode: "BlankNodeForm",
    Literal: "LiteralForm",
    Triple: "TripleForm",
}
"""The classes of RDF terms, and the names of their forms in the protocol."""
_TERM: Final[TypeAdapter[Any]] = TypeAdapter(TermForm)
_MODULES: Final = (terms, paths, expressions, windows, algebra, query)


def algebra_to_json(value: Any) -> Any:
    """Return a query, or a part of a query, as JSON."""
    if isinstance(value, IRI | BlankNode | Literal | Triple):
        return term_to_json(value)
    if isinstance(value, tuple):
        return [algebra_to_json(member) for member in value]
    if isinstance(value, Enum):
        return value.value
    if not is_dataclass(value):
        return value
    written: Any = type(value)
    kind = _class_of(written)
    document: dict[str, Any] = {"type": kind.__name__}
    for field in _fields(kind):
        member = getattr(value, field.name)
        if member != field.default:
            document[field.name] = algebra_to_json(member)
    return document


def algebra_from_json(document: Any) -> Any:
    """Return the query, or the part of a query, of a document; the inverse of ``algebra_to_json``.

    Unknown fields are ignored.

    Raises:
        ValueError, TypeError, KeyError: the document is not the algebra of a query.
    """
    if isinstance(document, list):
        return tuple(map(algebra_from_json, document))
    if not isinstance(document, dict):
        return document
    kind = _classes().get(document["type"])
    if kind is None:
        return _TERM.validate_python(document)
    read = {}
    for key, hint in _hints(kind).items():
        if key in document:
            member = algebra_from_json(document[key])
            enum = next((k for k in _kinds(hint) if issubclass(k, Enum)), None)
            read[key] = member if enum is None else enum(member)
    return kind(**read)


def algebra_schema() -> dict[str, Any]:
    """Return the JSON Schema of each class, by its name; terms refer to the protocol's forms."""
    return {name: _schema_of(kind) for name, kind in _classes().items()}


def _schema_of(kind: type) -> dict[str, Any]:
    members = {field.name: _schema(_hints(kind)[field.name]) for field in _fields(kind)}
    required = [field.name for field in _fields(kind) if field.default is MISSING]
    return {
        "description": (kind.__doc__ or "").partition("\n\n")[0],
        "type": "object",
        "properties": {"type": {"const": kind.__name__}, **members},
        "required": ["type", *required],
    }


def _schema(hint: Any) -> dict[str, Any]:
    """Return the JSON Schema of a field of type `hint`."""
    if get_origin(hint) in (Union, UnionType):
        return {"anyOf": [_schema(part) for part in get_args(hint)]}
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _schema(get_args(hint)[0])}
    if issubclass(hint, Enum):
        return {"enum": [member.value for member in hint]}
    plain = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}.get(hint)
    if plain is not None:
        return {"type": plain}
    return {"$ref": f"#/$defs/{_TERMS.get(hint, hint.__name__)}"}


@cache
def _classes() -> dict[str, type]:
    """Return the classes of the algebra, by name."""
    reached: dict[str, type] = {}
    waiting: list[type] = [Query]
    while waiting:
        kind = waiting.pop()
        if is_dataclass(kind) and kind.__name__ not in reached:
            reached[kind.__name__] = kind
            waiting += [part for hint in _hints(kind).values() for part in _kinds(hint)]
    return reached


@cache
def _class_of(kind: type) -> type:
    """Return `kind`, or the class of the algebra from which it is derived."""
    return next(base for base in kind.__mro__ if base.__name__ in _classes())


@cache
def _fields(kind: type) -> tuple[Field[Any], ...]:
    return tuple(field for field in fields(kind) if field.name != "prefixes")


@cache
def _hints(kind: type) -> dict[str, Any]:
    """Return the types of the fields of `kind`; the model's modules name each other's classes."""
    names: dict[str, Any] = {}
    for module in _MODULES:
        names |= vars(module)
    # Unions of classes that a module does not import are strings.
    for alias in ("Expression", "PatternTerm", "PathElement", "Subject", "Term"):
        if isinstance(names[alias], str):
            holder = type(alias, (), {"__annotations__": {alias: names[alias]}})
            names |= get_type_hints(holder, localns=names)
    return get_type_hints(kind, localns=names)


def _kinds(hint: Any) -> list[type]:
    """Return the classes of the values of type `hint`, and of their members."""
    parts = get_args(hint)
    if not parts:
        return [hint] if isinstance(hint, type) else []
    return [kind for part in parts for kind in _kinds(part)]
