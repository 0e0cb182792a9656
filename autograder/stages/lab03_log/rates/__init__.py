"""How fast it can go: highest_rate, rate_limit."""
