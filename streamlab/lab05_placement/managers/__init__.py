"""A small cluster of an engine for continuous queries, whose state is in ZooKeeper.

Clients deploy queries, a leader places their instances on managers, and each manager runs its instances. Readers of
Lab 5 write the rest: the manager's step, the leader's election and its step.
"""

import logging

from streamlab.lab05_placement.managers.programs import sessions
from streamlab.lab05_placement.managers.registry import ROOT, Registry, deploy, undeploy
from streamlab.lab05_placement.managers.roles import Candidate, Member, NotLeader

__all__ = ["ROOT", "Candidate", "Member", "NotLeader", "Registry", "deploy", "sessions", "undeploy"]

# Without logging handlers, kazoo prints a warning on stderr for every lost connection; Lab 5 drops them on purpose.
logging.getLogger("kazoo").setLevel(logging.CRITICAL)
