"""How long messages wait in the paper's load generator: `waiting_ms`."""
