"""The order in which an instance processes rows: Inbox; and whole queries in many instances."""
