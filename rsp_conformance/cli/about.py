"""``profiles``, ``features``, ``mutants`` and ``protocol``: look up what the kit knows."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from rsp_conformance.cli.options import Format, FormatOption
from rsp_conformance.cli.tables import show_json, show_table
from rsp_conformance.files.profiles import PROFILES, bundled_profile, profile_names
from rsp_conformance.model.dials import DIALS, Dials, write_dials
from rsp_conformance.model.errors import reading
from rsp_conformance.model.features import FEATURES, RESTRICTIONS
from rsp_conformance.model.profiles import Profile

if TYPE_CHECKING:
    from rsp_conformance.adapters.reference.mutant import Mutant


def profiles(format: FormatOption = Format.table) -> None:
    """List the bundled engine profiles with their dials.

    Examples:
        rsp-conformance profiles
        rsp-conformance profiles --format json
    """
    found = [bundled_profile(name) for name in profile_names()]
    if format is Format.json:
        show_json({"profiles": PROFILES.write(tuple[Profile, ...], found)})
    else:
        rows = [(profile.name, _differences(profile)) for profile in found]
        show_table(("profile", "dials that differ from plain RSP-QL"), rows)


def _differences(profile: Profile) -> str:
    base, plain = profile.base, Dials()
    parts = [f"{dial}={base.text(dial)}" for dial in DIALS if base.text(dial) != plain.text(dial)]
    parts += [
        f"with {' '.join(sorted(override.when))}: "
        + ", ".join(f"{dial}={value}" for dial, value in override.dials)
        for override in profile.overrides
    ]
    return "\n".join(parts) or "none"


def features(format: FormatOption = Format.table) -> None:
    """List the features that an engine can declare.

    Examples:
        rsp-conformance features
        rsp-conformance features --format json
    """
    declared = FEATURES | RESTRICTIONS
    if format is Format.json:
        show_json({"features": declared})
    else:
        show_table(("feature", "the query or the case may use"), declared.items())


def mutants(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Only these.")] = None,
    *,
    format: FormatOption = Format.table,
) -> None:
    """List the mutants: the bugs that the kit knows.

    Examples:
        rsp-conformance mutants
        rsp-conformance mutants newest-only stale-join
        rsp-conformance mutants --format json
    """
    # The import takes a tenth of a second, which the other commands of this module do not need.
    from rsp_conformance.adapters.reference.mutants import all_mutants, mutant_named

    with reading("NAME"):
        found = [mutant_named(name) for name in names or all_mutants()]
    if format is Format.json:
        rows = {
            own.name: {
                "summary": own.summary,
                "imitates": own.imitates,
                "dials": dict(own.dials),
                "relation": own.relation,
            }
            for own in found
        }
        show_json({"mutants": rows})
        return
    show_table(("mutant", "what is wrong, and where it was seen"), map(_described, found))


def _described(mutant: Mutant) -> tuple[str, str]:
    lines = [mutant.summary, f"Seen in {mutant.imitates}."]
    if mutant.dials:
        lines.append(f"Shows only with {write_dials(mutant.dials)}.")
    return mutant.name, "\n".join(lines)


def protocol(
    schema: Annotated[
        bool,
        typer.Option("--schema", help="Print the JSON Schema (draft 2020-12) of all messages."),
    ] = False,
) -> None:
    """Show the messages between kit and driver, or their JSON Schema.

    Examples:
        rsp-conformance protocol
        rsp-conformance protocol --schema > protocol.json
    """
    # The import takes a tenth of a second, which the other commands of this module do not need.
    from rsp_conformance.protocol import forms

    found = forms.schema()
    if schema:
        print(json.dumps(found, indent=2))  # in ASCII, for the patterns hold odd characters
        return
    rows = []
    for form in (*forms.REQUESTS, *forms.REPLIES):
        message = found["$defs"][form.__name__]
        needed = message.get("required", [])
        fields = [name if name in needed else f"[{name}]" for name in message["properties"]]
        sender = "→ driver" if form in forms.REQUESTS else "← driver"
        rows.append((sender, message["description"], " ".join(fields)))
    show_table(("", "message", "fields; those in brackets are optional"), rows)
    print("\nThe page is docs/protocol.md; --schema prints the JSON Schema of all messages.")
