"""Machines whose memory is near to some cores and far from others: their topology, and traffic between instances.

Readers of Lab 5 write the rest: reading a topology, the cost of a placement, the search, and pinning.
"""

from streamlab.lab05_placement.numa.baselines import least_loaded, round_robin
from streamlab.lab05_placement.numa.paper import PAPER, mean_distance, memory_share
from streamlab.lab05_placement.numa.recorded import NODE_FOLDER, here, recorded
from streamlab.lab05_placement.numa.topology import Placement, Topology, Traffic
from streamlab.lab05_placement.numa.traffic import Flow, Links, query_traffic

__all__ = [
    "NODE_FOLDER",
    "PAPER",
    "Flow",
    "Links",
    "Placement",
    "Topology",
    "Traffic",
    "here",
    "least_loaded",
    "mean_distance",
    "memory_share",
    "query_traffic",
    "recorded",
    "round_robin",
]
