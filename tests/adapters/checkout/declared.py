"""What drivers in Rust and JavaScript declare, as their sources have it: none has to be built."""

from __future__ import annotations

import re

from tests.docs.markdown import ROOT


def features_of(driver: str) -> list[str]:
    """The features in the hello of a driver in Rust or JavaScript, by its adapter's folder."""
    folder = ROOT / "rsp_conformance/adapters" / driver
    if driver == "rsp_js":
        found = re.search(
            r"const FEATURES = \[([^\]]*)\]", (folder / "driver.js").read_text("utf-8")
        )
        assert found is not None
        return re.findall(r"'([^']+)'", found[1])
    source = (folder / "src/main.rs").read_text("utf-8")
    found = re.search(r'const FEATURES: &str = "([^"]*)"', source)
    assert found is not None
    return found[1].replace("\\\n", " ").split()
