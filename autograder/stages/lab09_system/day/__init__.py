"""The task that starts the job, and the day: all parts together, on real services, with real faults."""
