"""Property-based conformance tests for RDF stream processing engines.

``import rsp_conformance as rsp`` is the public face, and the only stable surface: see
``rsp_conformance.api``. Everything is imported on first use; `__init__.pyi` has the types.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_LAZY = ("BadInput", "case", "connect", "profile", "query", "run_suite", "stream")

__all__ = ["BadInput", "__version__", "case", "connect", "profile", "query", "run_suite", "stream"]


def __getattr__(name: str) -> Any:
    """Look a public name up on first use: an import of the package costs nothing (PEP 562)."""
    if name in _LAZY:
        found = getattr(import_module("rsp_conformance.api"), name)
    elif name == "__version__":
        found = import_module("importlib.metadata").version("rsp-conformance")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
