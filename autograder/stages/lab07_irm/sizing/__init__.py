"""Judges sizes and numbers derived from observations: `Profiler`, `Predictor`, `scale`."""
