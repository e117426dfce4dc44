"""A toy engine on a Java that is none: jars of empty classes, Java in Python."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rsp_conformance.adapters.jvm.driver import JvmDriver, background_of, triples_of
from rsp_conformance.adapters.jvm.engine import JvmEngine
from rsp_conformance.adapters.stdio import Refused
from rsp_conformance.protocol import Engine, InProcessEngine, Log


def write_jar(path: Path, *classes: str, **texts: str) -> Path:
    """A jar of CLASSES; TEXTS are its `manifest` and its `properties`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in classes:
            archive.writestr(f"{name.replace('.', '/')}.class", b"")
        if "manifest" in texts:
            archive.writestr("META-INF/MANIFEST.MF", texts["manifest"])
        if "properties" in texts:
            archive.writestr("META-INF/maven/org.toy/toy/pom.properties", texts["properties"])
    return path


class Sunk(Exception):
    """What a class of this Java throws."""


class FakeJava:
    """Java as a driver sees it, without any."""

    def cls(self, name: str) -> Any:
        if name == "org.toy.Engine":
            return Toy
        raise TypeError(f"Class {name} is not found")

    def proxy(self, interface: str, target: object) -> Any:
        return target


class Toy:
    """The engine: it counts what it is given."""

    def __init__(self) -> None:
        self.count = 0

    def push(self, subject: str) -> int:
        if subject == "urn:bad":
            raise Sunk("it sank\n  in two lines")
        self.count += 1
        return self.count


class Adapter:
    """The toy's driver."""

    def __init__(self, java: FakeJava, options: Mapping[str, str]) -> None:
        self.make = java.cls(options.get("class", "org.toy.Engine"))

    def run(self, request: Mapping[str, Any]) -> list[dict[str, Any]]:
        if request["query"] == "no":
            raise Refused("rejected", "no  query\nat all")
        if "NoClassDefFoundError" in request["query"]:
            raise Refused("crashed", request["query"])
        background_of(request)
        toy, answers = self.make(), []
        rows = [{}] if request["id"] == "trial" and request["query"] == "yes" else []
        for index, element in enumerate(request["elements"]):
            for triple in triples_of(element, index):
                answers.append({"t": toy.push(str(triple.subject)[1:-1]), "solutions": rows})
        return answers


class ToyEngine(JvmEngine):
    """The toy as the registry would know it; its driver runs in this process."""

    __slots__ = ()

    def connect(
        self, options: Mapping[str, str], time_limit: float, log: Log | None = None, /
    ) -> Engine:
        if "jars" not in options:
            return JvmEngine.connect(self, options, time_limit, log)
        folders = options["jars"].split(":")
        return InProcessEngine(JvmDriver(self, Adapter, folders, {}, start=started))


def started(jars: Sequence[Path], least: int, options: Sequence[str]) -> FakeJava:
    return FakeJava()


TOY = ToyEngine(
    name="toy-engine",
    title="Toy 1",
    summary="a toy",
    classes=("org.toy.Engine", "org.rdf.Model"),
    folder=Path(__file__).parent,
    hello={"language": "rsp-ql", "profile": "rsp-ql", "features": ["select"]},
    options={"class": "another class"},
)

ENTRY = TOY.entry()
