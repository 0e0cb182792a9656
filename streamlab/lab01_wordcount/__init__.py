"""What Lab 1 provides: a live view of word counts, and Spark's own example to run."""

from streamlab import at_first_use

_HOME_OF = {
    "live_view": "live_panel",
    "printed_counts": "examples",
    "run_example": "examples",
}

__all__ = sorted(_HOME_OF)
__getattr__ = at_first_use(__name__, _HOME_OF)
