"""Log lines and what a model says of them: `classify_logs`."""
