"""Kafka's protocol in front of a log of one's own, and the record batches that both sides speak in.

From the outside in: server.py (port and thread), connection.py (frames), apis.py (the table of all requests), then a
module for each family of requests: describing, creating, producing, fetching, listing, joining, committing. They share
broker.py: topics and their partitions (topics, partition, arriving, sequences), groups and their members (groups,
members), committed offsets (committed). batches.py is what lies in the logs, log.py what is asked of one.
Keeps out: a log, which is what Lab 3 has its readers write.
"""
