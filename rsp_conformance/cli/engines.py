"""``engines`` and ``engines install``: which engines there are, and getting one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rsp_conformance.cli.options import Format
from rsp_conformance.cli.tables import WIDTH, note, one_line, show_json
from rsp_conformance.explain.render.layout import wrap
from rsp_conformance.model.errors import BadInput
from rsp_conformance.protocol import EngineError, Hello, registry
from rsp_conformance.protocol.registry import EngineEntry


@dataclass(frozen=True, slots=True)
class Listed:
    """An engine with what it said of itself, or why it said nothing."""

    entry: EngineEntry
    installed: bool
    hello: Hello | None = None
    problem: str = ""


def show_engines(format: Format) -> None:
    """Print all engines; the installed ones are asked for their hello."""
    entries, faults = registry.registered()
    listed = [_look_at(entry) for entry in entries]
    if format is Format.json:
        show_json({"engines": [_to_json(one) for one in listed], "faults": faults})
    else:
        for one in listed:
            print("\n".join(_lines(one)))
        print("Install one:     rsp-conformance engines install NAME")
        print("Your own driver: stdio:COMMAND LINE wherever an engine is named")
    for fault in faults:
        note(fault)


def install_engine(name: str) -> None:
    """Install one engine and print where."""
    if name.startswith(registry.STDIO):
        raise BadInput(f"{name!r} is a driver of your own: there is nothing to install")
    entry = registry.find(name)
    if entry.install is None:
        print(f"{name} needs no installing")
        return
    if not entry.installed():
        print(f"Installing {name} …", flush=True)
    print(entry.install())


def _look_at(entry: EngineEntry) -> Listed:
    try:
        installed = entry.installed()
        if not installed:
            return Listed(entry, False)
        with entry.connect({}, registry.TIME_LIMIT, None) as engine:
            return Listed(entry, True, engine.hello())
    except EngineError as error:
        return Listed(entry, error.kind != "unavailable", problem=error.message)
    except Exception as error:  # another package's code, which must not hide the other engines
        return Listed(entry, True, problem=f"{type(error).__name__}: {error}")


def _lines(one: Listed) -> list[str]:
    """One engine as text: what it is, and what it says of itself."""
    entry, hello = one.entry, one.hello
    state = "installed" if one.installed else "not installed"
    facts = {"": entry.summary}
    if hello is not None:
        facts |= {
            "version": hello.version,
            "language": hello.language,
            "profile": _profile_name(hello),
            "features": " ".join(sorted(hello.features)),
        }
    if one.problem:
        facts["problem"] = one.problem
    if entry.options:
        facts["options"] = " ".join(entry.options)
    lines = [f"{entry.name} ({state})"]
    for name, text in facts.items():
        lines += wrap(one_line(text), WIDTH, first=f"  {name:9} " if name else "  ")
    return [*lines, ""]


def _profile_name(hello: Hello) -> str:
    if isinstance(hello.profile, str):
        return hello.profile
    dials = dict(hello.profile)
    base = dials.pop("base", "rsp-ql")
    return f"{base} with dials of its own" if dials else str(base)


def _to_json(one: Listed) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": one.entry.name,
        "summary": one.entry.summary,
        "options": dict(one.entry.options),
        "installed": one.installed,
    }
    if one.problem:
        described["problem"] = one.problem
    if one.hello is not None:
        described |= {
            "version": one.hello.version,
            "language": one.hello.language,
            "profile": one.hello.profile,
            "features": sorted(one.hello.features),
        }
    return described
