"""The driver's process: ``python -m rsp_conformance.adapters.yasper --jars FOLDER``."""

from __future__ import annotations

from rsp_conformance.adapters.jvm.driver import main
from rsp_conformance.adapters.yasper.driver import Yasper
from rsp_conformance.adapters.yasper.register import YASPER

if __name__ == "__main__":
    main(YASPER, Yasper)
