"""The search for a cheap placement: place."""
