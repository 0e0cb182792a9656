"""Spark sessions that start fast: `session()` and `streaming()`, and the management of Spark's Java process.

Names are loaded at first use, since Spark's Python workers import this package and need none of them.
"""

import importlib
from typing import Any

__all__ = ["session", "stop_streaming", "streaming"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"streamlab.spark has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module("streamlab.spark.sessions"), name)
