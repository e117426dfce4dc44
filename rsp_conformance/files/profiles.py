"""Engine profiles as JSON: in files, in a driver's hello, in crash files; and the bundled ones.

    PROFILES.read(Profile, document)
    PROFILES.write(Profile, profile)

A document names what differs from the profile in ``base``; what is written names every dial
but for younger ones that are not turned (`dials.ADDED`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import resources
from types import MappingProxyType
from typing import Annotated, Any, Final, get_type_hints

from rsp_conformance.files.codec import Codec, Format, Keys, Rule, Table, Text, Via, matching, raw
from rsp_conformance.files.codec.classes import classes_of
from rsp_conformance.files.fields import fail, whole
from rsp_conformance.model.dials import DIALS, VALUES, Dials, dial_value, known_dial, write_dial
from rsp_conformance.model.errors import did_you_mean, excerpt
from rsp_conformance.model.features import check_shapes
from rsp_conformance.model.profiles import Override, Profile

ProfileName = Annotated[
    str, matching(r"[^\x00-\x1f\x7f-\x9f]{0,200}", "a name of at most 200 characters")
]
DialTexts = Annotated[Mapping[str, str], "dials by name"]
_KINDS: Final = {int: "integer", bool: "boolean", frozenset: "array"}
"""The kinds of JSON that a dial takes besides texts, by the classes of its values."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ProfileJson:
    """A profile as a document has it: the dials that differ from those of another profile."""

    name: ProfileName = ""
    base: ProfileName | None = None
    """The bundled profile that is changed; without it, `rsp-ql`."""
    dials: DialTexts = field(default_factory=dict)
    overrides: tuple[Override, ...] = ()
    """What is different for queries of some shapes; later ones win."""
    description: str = ""

    @classmethod
    def of(cls, profile: Profile, *, name: str = "", description: str = "") -> ProfileJson:
        """Return a profile with every dial (`Dials.written`).

        Args:
            profile: the profile.
            name: another name for it.
            description: a description of it.
        """
        return cls(
            name=name or profile.name,
            dials=profile.base.written(),
            overrides=profile.overrides,
            description=description,
        )

    def profile(self, name: str = "") -> Profile:
        """Return the profile.

        Args:
            name: its name if the document has none.

        Raises:
            ValueError: there is no such base.
        """
        title = self.name or name or self.base or "own"
        start = Profile("rsp-ql") if self.base is None else bundled_profile(self.base)
        base, overrides = start.base.with_dials(self.dials), (*start.overrides, *self.overrides)
        return Profile(title, base, overrides)


def dial_text(dial: str, value: Any) -> str:
    """Return a value of a dial as it is written.

    Args:
        dial: the name of a dial.
        value: text, or a value from JSON.

    Raises:
        ValueError: the dial has no such value.
    """
    value = whole(value)
    try:
        return write_dial(dial_value(dial, value))
    except ValueError as error:
        expected = str(error).removeprefix("expected ")
        if expected == str(error):
            raise
        fail("", expected, value)


def _dial(dial: str) -> Codec:
    """Return the codec of the values of a dial, each as text."""
    kinds = dict.fromkeys(_KINDS[own] for own in classes_of(_TYPES[dial]) if own in _KINDS)
    schema: dict[str, Any] = {"type": ["string", *kinds]}
    if dial in VALUES:
        schema["examples"] = [*VALUES[dial]]
    return raw(
        partial(dial_text, dial), str, schema, f"a value of the dial {dial}", str, int, bool, list
    )


_TYPES: Final = get_type_hints(Dials)
DIAL_NAME: Final = Text(str, known_dial, "a dial", {"enum": [*DIALS]})
"""The rule for the names of dials."""
PROFILE_RULES: Final[Mapping[Any, Rule]] = MappingProxyType(
    {
        DialTexts: Table({dial: _dial(dial) for dial in DIALS}, Any, DIAL_NAME),
        Override: Keys(
            members={
                "when": Via(list[str], check_shapes, sorted),
                "dials": Via(DialTexts, lambda dials: tuple(dials.items()), dict),
            }
        ),
        ProfileJson: Keys("name base *dials overrides description", absent="base", omit="*"),
        Profile: Via(ProfileJson, ProfileJson.profile, ProfileJson.of),
    }
)
"""How profiles are written, and dials by themselves."""
PROFILES: Final = Format(PROFILE_RULES)
"""Profiles in files."""


def named_profile(said: str | ProfileJson, name: str = "") -> Profile:
    """Return the profile that a driver or an option names or describes.

    Args:
        said: the name of a bundled profile, or what a document says.
        name: the profile's name if the document has none.

    Raises:
        ValueError: there is no such profile.
    """
    return bundled_profile(said) if isinstance(said, str) else said.profile(name)


def profile_names() -> tuple[str, ...]:
    """The names of the bundled profiles."""
    folder = resources.files("rsp_conformance") / "profiles"
    return tuple(sorted(f.name[:-5] for f in folder.iterdir() if f.name.endswith(".json")))


@cache
def bundled_profile(name: str) -> Profile:
    """The bundled profile with this name; case, dashes and underscores do not matter.

    A star is read as ``-star``.

    Raises:
        ValueError: no profile has this name; the message lists the names.
    """

    def key(text: str) -> str:
        return text.lower().replace("*", "-star").replace("-", "").replace("_", "")

    names = profile_names()
    for known in names:
        if key(known) == key(name):
            path = resources.files("rsp_conformance") / "profiles" / f"{known}.json"
            document: ProfileJson = PROFILES.read(ProfileJson, json.loads(path.read_text("utf-8")))
            return document.profile(known)
    hint = did_you_mean(name, names)
    raise ValueError(f"unknown profile {excerpt(name)}{hint} (the profiles are {', '.join(names)})")
