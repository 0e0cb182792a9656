"""Judges the pull side: `Replica`, and `ask` over several of them."""
