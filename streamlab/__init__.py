"""StreamLab: the names that notebooks import.

Names are loaded at first use, so that `import streamlab` takes no time.
"""

import importlib
from typing import Any

_HOME_OF = {
    "BOSTON": "sources.places",
    "BatchMetrics": "views.metrics",
    "LineServer": "sources.line_server",
    "Place": "sources.places",
    "RestartedJob": "spark.restarted_job",
    "TweetMix": "sources.tweet_timeline",
    "TweetServer": "sources.tweet_server",
    "bar_plot": "views.plots",
    "check": "notebooks.check_cell",
    "hint": "notebooks.check_cell",
    "lexicon": "sources.sentiment",
    "line_plot": "views.plots",
    "live_board": "views.board",
    "live_view": "views.live",
    "mood": "sources.sentiment",
    "one_line_errors": "views.calls",
    "play_batches": "spark.batch_playback",
    "play_files": "spark.file_playback",
    "printed_counts": "spark.examples",
    "processed_per_s": "views.metrics",
    "query_plot": "views.query_plot",
    "query_text": "views.query_plot",
    "real_text": "sources.text",
    "recorded_tweets": "sources.tweet_server",
    "run_example": "spark.examples",
    "running": "services",
    "service": "services",
    "sentences": "sources.text",
    "session": "spark.sessions",
    "show_calls": "views.calls",
    "stage": "notebooks.stages",
    "streaming": "spark.sessions",
    "table": "views.plots",
    "tweet_arrivals": "sources.tweets",
    "tweets": "sources.tweets",
    "visits": "sources.visits",
    "whole_batches": "spark.batches",
    "write_whole": "sources.whole_files",
    "zipf_lines": "sources.text",
}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"streamlab has no {name!r}; it has {', '.join(sorted(_HOME_OF))}")
    return getattr(importlib.import_module(f"streamlab.{_HOME_OF[name]}"), name)
