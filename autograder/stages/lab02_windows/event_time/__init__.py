"""Windows of event time: `event_time_counts`."""
