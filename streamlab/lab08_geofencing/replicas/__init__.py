"""Replicas that answer questions: the feed of a topic, the process around a replica, and clients."""

from streamlab.lab08_geofencing.replicas.client import RemoteReplica
from streamlab.lab08_geofencing.replicas.failover import Span, fail_over
from streamlab.lab08_geofencing.replicas.feed import TopicFeed
from streamlab.lab08_geofencing.replicas.processes import ReplicaFailed, ReplicaProcess, replica_processes
from streamlab.lab08_geofencing.replicas.server import serve

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
