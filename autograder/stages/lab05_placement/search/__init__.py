"""Judges the parts of a placement search: `cost`, `swap_gain` and `throughput`."""
