"""Judges `Registry` and `Master`, which decide who gets which message."""
