"""HiBench's streaming workloads in two engines: `hibench`, `hibench_on_spark`."""
