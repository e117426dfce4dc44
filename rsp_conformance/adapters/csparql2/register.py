"""C-SPARQL 2 under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from typing import Final

from rsp_conformance.adapters.jvm.engine import JvmEngine

CSPARQL2: Final = JvmEngine.of(__name__)

ENGINE: Final = CSPARQL2.entry()
