"""The complete system as processes of this machine: services, two leaders, a Spark job, sources, and faults."""
