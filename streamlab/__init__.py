"""StreamLab: the names that the notebooks of several labs import; those of one lab are in its room, streamlab.LAB.

Names are loaded at first use, so that `import streamlab` takes no time.
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

_HOME_OF = {
    "BatchMetrics": "views.metrics",
    "LineServer": "sources.line_server",
    "bar_plot": "views.plots",
    "check": "notebooks.check_cell",
    "hint": "notebooks.check_cell",
    "line_plot": "views.plots",
    "one_line_errors": "views.calls",
    "play_batches": "spark.batch_playback",
    "play_files": "spark.file_playback",
    "processed_per_s": "views.metrics",
    "real_text": "sources.sample_text",
    "running": "services",
    "service": "services",
    "sentences": "sources.sample_text",
    "session": "spark.sessions",
    "show_calls": "views.calls",
    "stage": "notebooks.stages",
    "streaming": "spark.sessions",
    "table": "views.plots",
    "whole_batches": "spark.batches",
    "write_whole": "sources.whole_files",
    "zipf_lines": "sources.sample_text",
}

__all__ = sorted(_HOME_OF)


def at_first_use(package: str, home_of: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for `package`: it loads a name from the module below the package that `home_of` gives."""

    def load(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"{package} has no {name!r}; it has {', '.join(sorted(home_of))}")
        return getattr(importlib.import_module(f"{package}.{home_of[name]}"), name)

    return load


__getattr__ = at_first_use(__name__, _HOME_OF)
