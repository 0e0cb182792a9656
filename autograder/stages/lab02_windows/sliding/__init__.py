"""Sliding aggregates in plain Python: `SlidingSum`, `SlidingMax`."""
