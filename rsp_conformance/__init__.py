"""Property-based conformance tests for RDF stream processing engines."""

from __future__ import annotations

__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """Look the version up on first use: reading metadata costs every import a few milliseconds."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import version

    found = version("rsp-conformance")
    globals()["__version__"] = found
    return found
