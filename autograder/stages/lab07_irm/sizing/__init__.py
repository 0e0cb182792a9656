"""Sizes and numbers from what was observed: `Profiler`, `Predictor`, `scale`."""
