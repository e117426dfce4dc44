"""What the kit knows: its version, the bundled profiles, the features."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError

from rsp_conformance.cli.options import Format, FormatOption
from rsp_conformance.cli.tables import show_json, show_table
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.profiles import Profile, bundled_profile, profile_names


def version_line() -> str:
    """The name and the version of the kit."""
    import rsp_conformance

    try:
        return f"rsp-conformance {rsp_conformance.__version__}"
    except PackageNotFoundError:
        return "rsp-conformance, a checkout that is not installed"


def profiles(format: FormatOption = Format.table) -> None:
    """List the bundled profiles with their dials."""
    found = [bundled_profile(name) for name in profile_names()]
    if format is Format.json:
        show_json({"profiles": [profile.to_json() for profile in found]})
        return
    show_table(
        ("profile", "dials that differ from plain RSP-QL"),
        [(profile.name, _differences(profile)) for profile in found],
    )


def _differences(profile: Profile) -> str:
    plain = Dials()
    parts = [
        f"{dial}={profile.base.text(dial)}"
        for dial in DIALS
        if profile.base.text(dial) != plain.text(dial)
    ]
    parts += [
        f"with {' '.join(sorted(override.when))}: "
        + ", ".join(f"{dial}={value}" for dial, value in override.dials)
        for override in profile.overrides
    ]
    return "\n".join(parts) or "none"


def features(format: FormatOption = Format.table) -> None:
    """List the features that an engine can declare."""
    texts = {name: feature.text for name, feature in FEATURES.items()}
    if format is Format.json:
        show_json({"features": texts})
        return
    show_table(("feature", "the query or the case may use"), texts.items())
