"""Measurements that take minutes and fill a plot, for `./lab experiment`; smaller ones also run in a notebook."""
