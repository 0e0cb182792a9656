"""StreamLab: what the notebooks import.

Names are loaded at first use, so that `import streamlab` costs nothing.
"""

import importlib
from typing import Any

_HOME_OF = {
    "LineServer": "line_server",
    "check": "checking",
    "hint": "checking",
    "live_view": "live",
    "real_text": "text",
    "session": "spark",
    "stage": "stages",
    "streaming": "spark",
    "zipf_lines": "text",
}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"streamlab has no {name!r}; it has {', '.join(sorted(_HOME_OF))}")
    return getattr(importlib.import_module(f"streamlab.{_HOME_OF[name]}"), name)
