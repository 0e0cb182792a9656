"""Replicas that answer questions: the feed of a topic, the process around a replica, and clients."""

from streamlab.serving.client import RemoteReplica
from streamlab.serving.failover import Span, fail_over
from streamlab.serving.feed import TopicFeed
from streamlab.serving.processes import ReplicaFailed, ReplicaProcess, replica_processes
from streamlab.serving.server import serve

__all__ = [
    "RemoteReplica",
    "ReplicaFailed",
    "ReplicaProcess",
    "Span",
    "TopicFeed",
    "fail_over",
    "replica_processes",
    "serve",
]
