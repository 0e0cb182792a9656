"""A small cluster of an engine for continuous queries, whose state is in ZooKeeper.

Clients deploy queries, a leader places their instances on managers, and managers run what is placed on them. What is
left to the reader of Lab 5: the manager's step, the leader's election and its step.
"""

import logging

from streamlab.cep.programs import sessions
from streamlab.cep.registry import ROOT, Registry, deploy, undeploy
from streamlab.cep.roles import Candidate, Member, NotLeader

__all__ = ["ROOT", "Candidate", "Member", "NotLeader", "Registry", "deploy", "sessions", "undeploy"]

# kazoo warns about every connection that drops, on stderr where no logging is set up; Lab 5 drops them on purpose.
logging.getLogger("kazoo").setLevel(logging.CRITICAL)
