"""CQELS 1 under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from typing import Final

from rsp_conformance.adapters.cqels1 import names
from rsp_conformance.adapters.jvm.engine import JvmEngine

CQELS1: Final = JvmEngine(
    name="cqels1",
    title="CQELS 1",
    summary="CQELS 1.0 and 1.1, on the JVM, by the clock of the machine",
    classes=names.CLASSES,
    source=(
        "let Maven copy org.deri.cqels:cqels with its dependencies into a folder (mvn "
        "dependency:copy-dependencies; the repository is the branch mvn-repo of "
        "github.com/KMax/cqels)"
    ),
    # cglib, by which Esper calls its subscribers, defines classes through a private method.
    # The driver ends the timers that contexts leave behind through others.
    java_options=(
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-opens=java.base/java.util=ALL-UNNAMED",
    ),
    trials=tuple(
        "SELECT ?x ?y WHERE { STREAM <urn:rsp:trial> [RANGE 2s] { ?x <urn:rsp:p> ?y } "
        f"{background}}}"
        for background in ("", "?x <urn:rsp:q> ?z ")
    ),
)

ENGINE: Final = CQELS1.entry()
