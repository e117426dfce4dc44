"""JSON from dataclasses: one description of a value, from which reading, writing and schema come.

A value of the kit is a frozen dataclass, and its documents differ from it here and there: an IRI is
a text in a case file and an object in an answer, ``background`` is written ``static``, a member is
left out if it has its default. A `Format` holds these differences as rules and takes everything
else from the dataclass: which members an object has, their types, defaults and descriptions.

    CASES = Format({IRI: Text(str, IRI, "an IRI"), Stamp: Keys("predicate datatype")})
    CASES.read(Stamp, document, "stamp")     # a Stamp, or FieldError: stamp.predicate: expected …
    CASES.write(Stamp, stamp)
    CASES.schema(Stamp)

A document that is not like any value of the model (an answer has its content beside ``t``) has a
class of its own, whose name ends in ``Json``, and the rule `Via` says how to come from one to the
other.

**How it works.** For each type that a format meets it makes a `Codec` once: two closures and the
facts that others need about it. A rule makes it, or else the type: dataclass, union, enumeration,
tuple, mapping, plain value. A type that contains itself meets a codec that is completed later. So
reading is a chain of calls without any look at annotations.

**Unions** differ by the kind of JSON (a text, a number, an object …) and objects by their
tag, never by trying one member after another: an error is about the member that was meant.

**Errors.** A reader that meets a wrong value raises `Mismatch`, and each object and array around it
adds its part of the path as the exception passes, so a good document pays nothing for paths. The
border turns it into one `FieldError`: ``elements[3].t: expected an integer, found "x"``. It is
about the first wrong member, in the order of the keys.

**Guarantees.** `read` returns a value or raises `FieldError`, for any JSON value and for any Python
value that an engine in this process hands over, cycles included. What `write` writes `read` reads
as an equal value. The schema refuses nothing that `read` accepts; it may accept more, because rules
in Python (the order of a case's elements) have no schema.

**Cost.** On a slice of four documents it read and wrote as fast as the hand-written functions in
its place, and as cattrs and adaptix; an answer of 60,000 terms takes a quarter longer than with
pydantic, which is a dependency of 10 MB. No library gives reader, writer, schema and message from
one object if formats differ from their classes as these do.
"""

from __future__ import annotations

from rsp_conformance.files.codec.base import DIALECT, Codec, Definitions, Rule, Schema, raw
from rsp_conformance.files.codec.checks import Check, at_least, at_most, matching, one_of
from rsp_conformance.files.codec.classes import descriptions
from rsp_conformance.files.codec.format import Format
from rsp_conformance.files.codec.plain import ANY_TEXT
from rsp_conformance.files.codec.rules import Keys, Table, Text, Via

__all__ = [
    "ANY_TEXT",
    "DIALECT",
    "Check",
    "Codec",
    "Definitions",
    "Format",
    "Keys",
    "Rule",
    "Schema",
    "Table",
    "Text",
    "Via",
    "at_least",
    "at_most",
    "descriptions",
    "matching",
    "one_of",
    "raw",
]
