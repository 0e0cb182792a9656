"""Judges `GuardedStore` and `repair`: what the system does while its store gives no answer, and afterwards."""
