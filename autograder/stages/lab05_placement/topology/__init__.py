"""Reading a machine from Linux: cpus, read_topology."""
