"""Judges `Manager`, the loop around all parts."""
