"""A broker that serves Kafka's protocol from a pluggable log, and the record batches that client and broker exchange.

From the outside in: server.py (port and thread), connection.py (frames), apis.py (the table of all requests), then a
module for each family of requests (the modules `*_requests` and list_offsets). They share broker.py, which holds
topics and their partitions (topics, partition, batch_validation, sequences), groups and their members (groups,
members), and committed offsets (offset_store). batches.py defines the batches in a log, decompression.py reads
compressed ones, and log.py is the interface of a log.
Does not contain a log; students write one in Lab 3.
"""
