"""Judges Lab 7: HarmonicIO's messages, packing, its resource manager, and elastic Spark."""
