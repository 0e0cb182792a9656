"""Windows over enriched payments: `fraud_windows`."""
