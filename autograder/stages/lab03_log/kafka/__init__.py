"""Spark on Apache Kafka: kafka_counts, write_once."""
