"""Spark, found, started and made quick: `session()` and `streaming()`, and what they need of Java.

Names are loaded at first use: Spark's Python workers import this package, and need none of it.
"""

import importlib
from typing import Any

__all__ = ["session", "stop_streaming", "streaming"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"streamlab.spark has no {name!r}; it has {', '.join(__all__)}")
    return getattr(importlib.import_module("streamlab.spark.sessions"), name)
