"""The option `declare` of engines whose documents promise more than their hello says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rsp_conformance.model.features import check_features

DECLARE: Final = (
    "features to add to those of its hello, separated by commas, to see what the engine makes of "
    "them"
)
"""What the option takes and does."""


def added_features(options: Mapping[str, str]) -> list[str]:
    """The features that the option `declare` names; ValueError for one that there is not."""
    names = [name.strip() for name in options.get("declare", "").split(",")]
    check_features(filter(None, names))
    return [name for name in names if name]
