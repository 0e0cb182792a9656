"""HiBench's streaming workloads in Structured Streaming: `hibench_on_spark`."""
