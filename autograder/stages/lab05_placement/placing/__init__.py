"""Judges `place`, the search for a cheap placement."""
