"""What the fakes of engines on the JVM share: Java without any, jars, requests, and replies."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rsp_conformance.adapters.jvm.driver import JvmDriver
from rsp_conformance.adapters.jvm.engine import JvmEngine
from tests.adapters.jvm.toy import write_jar


class JavaError(Exception):
    """What a method of this Java throws."""


class FakeJava:
    """Java as a driver sees it: classes by their names, and proxies of some interfaces."""

    def __init__(self, classes: Mapping[str, Any], *interfaces: str) -> None:
        self._classes = classes
        self._interfaces = interfaces

    def cls(self, name: str) -> Any:
        return self._classes[name]

    def proxy(self, interface: str, target: object) -> Any:
        assert interface in self._interfaces
        return target


def getters(**values: Any) -> Any:
    """An object that has a method for each of VALUES, which returns it."""
    return SimpleNamespace(**{name: lambda value=value: value for name, value in values.items()})


class Field:
    """A private field of an object, or a method without arguments, once it is accessible."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._accessible = False

    def setAccessible(self, accessible: bool) -> None:
        self._accessible = accessible

    def get(self, owner: Any) -> Any:
        assert self._accessible
        return getattr(owner, self._name)

    def set(self, owner: Any, value: Any) -> None:
        assert self._accessible
        setattr(owner, self._name, value)

    setBoolean = set

    def invoke(self, owner: Any) -> None:
        self.get(owner)()


def started(engine: JvmEngine, make: Any, java: object, folder: Path, jar: str) -> JvmDriver:
    """The driver of ENGINE on a fake of Java, with a jar of all its classes in FOLDER."""
    write_jar(folder / "jars" / jar, *engine.classes)
    return JvmDriver(engine, make, [str(folder / "jars")], {}, start=lambda *_: java)  # type: ignore[arg-type, return-value]


def replies(
    serve: Callable[..., object], driver: JvmDriver, *requests: Mapping[str, Any] | str
) -> list[dict[str, Any]]:
    """What SERVE writes for REQUESTS, which are sent at once; a text is a line as it is."""
    written = io.StringIO()
    lines = [one if isinstance(one, str) else json.dumps(one) for one in requests]
    serve(driver, io.StringIO("\n".join(lines) + "\n"), written)
    return [json.loads(line) for line in written.getvalue().splitlines()]
