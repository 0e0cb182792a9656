"""Judges Lab 6: clients, caches, embedded state, windows, models and a load generator."""
