"""Fixtures of the laws' tests."""

from __future__ import annotations

from tests.strategies.conftest import draw_many

__all__ = ["draw_many"]
