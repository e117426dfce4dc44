"""What drivers in Rust declare, as their sources have it: none has to be built."""

from __future__ import annotations

import re

from tests.docs.markdown import ROOT


def features_of(driver: str) -> list[str]:
    """The features in the hello of a driver, by the folder of its adapter."""
    source = (ROOT / "rsp_conformance/adapters" / driver / "src/main.rs").read_text("utf-8")
    found = re.search(r'const FEATURES: &str = "([^"]*)"', source)
    assert found is not None
    return found[1].replace("\\\n", " ").split()
