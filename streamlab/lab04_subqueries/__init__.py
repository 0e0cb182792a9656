"""What Lab 4 provides: a query engine (`engine`), visits of pages, a stable hash, and a plot of a query."""

from streamlab import at_first_use

_HOME_OF = {
    "hash64": "stable_hash",
    "query_plot": "query_drawing",
    "query_text": "query_drawing",
    "visits": "page_visits",
}

__all__ = sorted(_HOME_OF)
__getattr__ = at_first_use(__name__, _HOME_OF)
