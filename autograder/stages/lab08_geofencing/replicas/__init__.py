"""Pull: `Replica`, and `ask` over several of them."""
