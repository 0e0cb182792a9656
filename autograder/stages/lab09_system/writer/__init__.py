"""The tasks about writing alerts exactly once: `AlertWriter`."""
