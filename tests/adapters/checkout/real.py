"""Where the real driver of an engine can be started that is built from a checkout."""

from __future__ import annotations

import os

import pytest

from rsp_conformance.adapters.checkout.engine import CheckoutEngine


def program(engine: CheckoutEngine) -> str:
    """The driver that RSP_CONFORMANCE_NAME names, or else the installed one."""
    return _named(engine) or str(engine.driver())


def needs(engine: CheckoutEngine) -> pytest.MarkDecorator:
    """Skips tests, with the reason, where ENGINE has no driver."""
    return pytest.mark.skipif(
        not (_named(engine) or engine.installed()),
        reason=f"the engine {engine.name} is not installed: {engine.how()}",
    )


def _named(engine: CheckoutEngine) -> str:
    return os.environ.get(f"RSP_CONFORMANCE_{engine.name.upper()}", "")
