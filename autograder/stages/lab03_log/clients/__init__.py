"""Clients of a topic: TopicClient."""
