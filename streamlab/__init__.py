"""StreamLab: what the notebooks import.

Names are loaded at first use, so that `import streamlab` costs nothing.
"""

import importlib
from typing import Any

_HOME_OF = {
    "BatchMetrics": "metrics",
    "LineServer": "line_server",
    "bar_plot": "plots",
    "check": "checking",
    "hint": "checking",
    "line_plot": "plots",
    "live_view": "live",
    "printed_counts": "examples",
    "processed_per_s": "metrics",
    "real_text": "text",
    "run_example": "examples",
    "sentences": "text",
    "session": "spark",
    "stage": "stages",
    "streaming": "spark",
    "table": "plots",
    "zipf_lines": "text",
}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"streamlab has no {name!r}; it has {', '.join(sorted(_HOME_OF))}")
    return getattr(importlib.import_module(f"streamlab.{_HOME_OF[name]}"), name)
