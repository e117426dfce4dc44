"""The values that a shell completes; what they take to find is imported when it asks for them."""

from __future__ import annotations

from collections.abc import Iterable


def engines(incomplete: str) -> list[str]:
    """Return the engines whose names begin so, without importing them."""
    from rsp_conformance.protocol import registry

    return _beginning(incomplete, registry.names())


def profiles(incomplete: str) -> list[str]:
    """Return the bundled profiles whose names begin so."""
    from rsp_conformance.files.profiles import profile_names

    return _beginning(incomplete, profile_names())


def properties(incomplete: str) -> list[str]:
    """Return the properties whose names begin so."""
    from rsp_conformance.run.properties import SUITE

    return _beginning(incomplete, (one.name for one in SUITE))


def languages(incomplete: str) -> list[str]:
    """Return the languages of queries whose names begin so."""
    from rsp_conformance.text.languages import LANGUAGES

    return _beginning(incomplete, LANGUAGES)


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
