"""Java: where it is, whether it is new enough, and its classes in this process."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from rsp_conformance.model.errors import require
from rsp_conformance.protocol import EngineUnavailable

GET_JAVA: Final = (
    "install a JDK or JRE, from https://adoptium.net (Debian, Ubuntu: sudo apt install "
    "default-jre-headless; macOS: brew install openjdk), and set JAVA_HOME if it is not found"
)
_OPTIONS: Final = (
    "-Xmx1g",
    "-XX:+ExitOnOutOfMemoryError",  # what goes on after one is no engine any more
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",  # many short cases: the second compiler costs more than it gives
    "-Xrs",  # signals end the process as they do without Java
    "-Duser.timezone=UTC",
    "-Duser.language=en",
    "-Duser.country=US",
    "-Dfile.encoding=UTF-8",
)


class Java(Protocol):
    """Java as a driver sees it; a fake has Python classes with the same methods."""

    def cls(self, name: str) -> Any:
        """Return the class or interface of the full `name`.

        Raises:
            Exception: Java's NoClassDefFoundError, or TypeError.
        """

    def proxy(self, interface: str, target: object) -> Any:
        """Return an object that implements `interface` by the methods of `target`."""


class RunningJava:
    """The virtual machine in this process."""

    def cls(self, name: str) -> Any:
        """Return the class `name`."""
        import jpype

        return jpype.JClass(name)

    def proxy(self, interface: str, target: object) -> Any:
        """`target` as an object of `interface`."""
        import jpype

        return jpype.JProxy(jpype.JClass(interface), inst=target)


def find_java(least: int) -> Path:
    """Find the library of a Java of at least this version, as JPype does (JAVA_HOME first).

    Raises:
        EngineUnavailable: JPype is not installed, there is no Java, or it is too old.
    """
    require("jpype", "JPype1", lambda reason, remedy: EngineUnavailable(reason, hint=remedy))
    import jpype

    try:
        library = Path(jpype.getDefaultJVMPath())
    except (OSError, ValueError) as error:  # its own errors are of these
        raise EngineUnavailable(
            f"Java {least} or newer is missing, which the engine runs in", hint=GET_JAVA
        ) from error
    version = java_version(library)
    if version is not None and version < least:
        raise EngineUnavailable(
            f"the Java of {library} is version {version}, and the engine needs {least} or newer",
            hint=GET_JAVA,
        )
    return library


def java_version(library: Path) -> int | None:
    """Return the version of the Java that `library` belongs to, by its file `release`.

    Returns:
        The version, or None if it is unknown.
    """
    for folder in library.parents[:4]:
        try:
            text = (folder / "release").read_text("utf-8", "replace")
        except OSError:
            continue
        if match := re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', text, re.MULTILINE):
            return int(match[1])
    return None


def start_java(jars: Sequence[Path], least: int, options: Sequence[str] = ()) -> Java:
    """Start Java in this process.

    Args:
        jars: the class path.
        least: the oldest version that will do.
        options: further options of the virtual machine.

    Raises:
        EngineUnavailable: see `find_java`; or it does not start.
    """
    library = find_java(least)
    import jpype

    try:
        jpype.startJVM(
            str(library), *_OPTIONS, *options, classpath=list(map(str, jars)), convertStrings=False
        )
        version = str(jpype.JClass("java.lang.System").getProperty("java.specification.version"))
    except Exception as error:  # JPype's errors are of many classes, Java's own among them
        raise EngineUnavailable(f"Java does not start: {error}", hint=GET_JAVA) from error
    if int(version.removeprefix("1.")) < least:
        raise EngineUnavailable(
            f"this Java is version {version}, and the engine needs {least} or newer", hint=GET_JAVA
        )
    return RunningJava()
