"""Joins of two streams: Join."""
