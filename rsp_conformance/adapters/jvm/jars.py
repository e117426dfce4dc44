"""The jars of an engine: found in the user's folders, and checked before Java sees them."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable
from pathlib import Path

from rsp_conformance.protocol import EngineUnavailable

_MANIFEST = "META-INF/MANIFEST.MF"
_IN_MANIFEST = ((_MANIFEST, "Implementation-Version"), (_MANIFEST, "Bundle-Version"))
_IN_NAME = re.compile(r"-(\d[\w.+-]*)\.jar$")


def jars_in(folders: Iterable[str | Path]) -> list[Path]:
    """Return the jars in `folders`, each folder's by name; a folder may be one jar.

    Folders within them are not searched: a local repository of Maven's has many versions of each.

    Raises:
        EngineUnavailable: a folder is not there, or has no jar; the line names those within it
            that have some.
    """
    found: list[Path] = []
    for written in folders:
        folder = Path(written).expanduser().absolute()
        if folder.is_file():
            found.append(folder)
            continue
        try:
            inside = sorted(folder.iterdir())
        except OSError as error:
            raise EngineUnavailable(f"{folder}: {error.strerror}", hint="name a folder") from error
        own = [path for path in inside if path.suffix == ".jar"]
        if not own:
            nested = [p.name for p in inside if p.is_dir() and next(p.glob("*.jar"), None)]
            hint = f"those in it have: {', '.join(nested[:5])}" if nested else "name another folder"
            raise EngineUnavailable(f"there is no jar in {folder}", hint=hint)
        found += own
    return list(dict.fromkeys(found))


def holders(jars: Iterable[Path], classes: Iterable[str]) -> dict[str, list[Path]]:
    """For each of `classes` the jars that hold it.

    Raises:
        EngineUnavailable: a file is no jar.
    """
    wanted = {f"{name.replace('.', '/')}.class": name for name in classes}
    held: dict[str, list[Path]] = {name: [] for name in wanted.values()}
    for jar in jars:
        with _opened(jar) as archive:
            for entry in wanted.keys() & set(archive.namelist()):
                held[wanted[entry]].append(jar)
    return held


def version_of(jar: Path) -> str:
    """Return the version of a jar: that of Maven, of the manifest, or in its name; else `?`.

    For a jar with several of Maven's projects, only the manifest and the name count.
    """
    with _opened(jar) as archive:
        projects = [name for name in archive.namelist() if name.endswith("/pom.properties")]
        places = [(projects[0], "version")] if len(projects) == 1 else []
        for path, field in (*places, *_IN_MANIFEST):
            try:
                text = archive.read(path).decode("utf-8", "replace")
            except (KeyError, zipfile.BadZipFile):
                continue
            if match := re.search(rf"^{field}\s*[:=]\s*(\S+)", text, re.MULTILINE):
                return match[1]
    named = _IN_NAME.search(jar.name)
    return named[1] if named else "?"


def _opened(jar: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(jar)
    except (OSError, zipfile.BadZipFile) as error:
        raise EngineUnavailable(f"{jar} is no jar: {error}", hint="get it again") from error
