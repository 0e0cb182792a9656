"""StreamLab: what the notebooks import.

Names are loaded at first use, so that `import streamlab` costs nothing.
"""

import importlib
from typing import Any

_HOME_OF = {
    "BatchMetrics": "views.metrics",
    "LineServer": "sources.line_server",
    "bar_plot": "views.plots",
    "check": "notebooks.checking",
    "hint": "notebooks.checking",
    "line_plot": "views.plots",
    "live_view": "views.live",
    "printed_counts": "spark.examples",
    "processed_per_s": "views.metrics",
    "real_text": "sources.text",
    "run_example": "spark.examples",
    "sentences": "sources.text",
    "session": "spark.sessions",
    "stage": "notebooks.stages",
    "streaming": "spark.sessions",
    "table": "views.plots",
    "zipf_lines": "sources.text",
}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"streamlab has no {name!r}; it has {', '.join(sorted(_HOME_OF))}")
    return getattr(importlib.import_module(f"streamlab.{_HOME_OF[name]}"), name)
