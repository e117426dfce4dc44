"""Kolibrie under its name (entry point group `rsp_conformance.engines`)."""

from __future__ import annotations

from typing import Final

from rsp_conformance.adapters.checkout.engine import CheckoutEngine

KOLIBRIE: Final = CheckoutEngine.of(__name__)

ENGINE: Final = KOLIBRIE.entry()
