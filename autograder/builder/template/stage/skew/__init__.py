"""Skew: keys that occur much more often than others."""
