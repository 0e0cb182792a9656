"""Judges the packing of engines on workers: `FirstFit`, `least_workers`, `first_fit_vector`."""
