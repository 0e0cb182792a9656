"""Judges `fraud_windows`: windows over enriched payments."""
