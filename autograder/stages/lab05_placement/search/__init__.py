"""Judges the steps of `place`: `first_placement` and `best_move`."""
