"""Other right solutions of `placement_changes` and `Orchestrator`; each must get full marks."""

import json
import time
from collections import Counter

from kazoo.exceptions import BadVersionError, LockTimeout, NodeExistsError

from autograder.checks.mutant_markers import alternative
from streamlab.lab05_placement.managers import Candidate, NotLeader


# Finds all changes of a step first and writes them in one transaction.
@alternative("one_transaction_a_step")
class Orchestrator(Candidate):
    def lead(self, timeout_s=10.0):
        self.term = None
        self.election.release()
        try:
            if not self.election.acquire(timeout=timeout_s):
                raise TimeoutError("not elected")
        except LockTimeout:
            raise TimeoutError("not elected") from None
        path = self.registry.path("epoch")
        data, stat = self.zk.get(path)
        self.epoch = int(data) + 1
        try:
            self.term = self.zk.set(path, b"%d" % self.epoch, version=stat.version).version
        except BadVersionError:
            raise NotLeader("somebody else leads") from None
        return self.epoch

    def step(self):
        if getattr(self, "term", None) is None:
            raise NotLeader("not elected")
        changes, write = 0, self.zk.transaction()
        write.check(self.registry.path("epoch"), self.term)
        queries = self.registry.all("queries")
        nodes = {name: content["node"] for name, content in self.registry.all("managers").items()}
        placed = {name: content["managers"] for name, content in self.registry.all("placements").items()}
        for query in [name for name in placed if name not in queries]:
            write.delete(self.registry.path("placements", query))
            changes += 1
            del placed[query]
        for query in sorted(queries):
            busy = Counter()
            for other in placed.keys() - {query}:
                busy.update(placed[other].values())
            now = heal(queries[query]["nodes"], placed.get(query, {}), nodes, busy, self.topology)
            if now == placed.get(query, {}):
                continue
            path, data = self.registry.path("placements", query), self.content(now)
            if query in placed:
                write.set_data(path, data)
            else:
                write.create(path, data)
            placed[query] = now
            changes += 1
        if isinstance(write.commit()[0], Exception):
            self.term = None
            raise NotLeader("somebody else leads")
        return changes

    def content(self, managers):
        return json.dumps({"managers": managers, "epoch": self.epoch}).encode()


# Elected by one ephemeral node. Each transaction checks the version of `epoch`, read before its number was compared.
@alternative("elected_by_one_node", task="Orchestrator")
class Orchestrator(Candidate):
    def lead(self, timeout_s=10.0):
        self.epoch, deadline = None, time.monotonic() + timeout_s
        self.mine = self.registry.path("election", "leader")
        while not self.elected():
            if time.monotonic() > deadline:
                raise TimeoutError(f"somebody else leads after {timeout_s} s")
            time.sleep(0.02)
        epoch = self.registry.path("epoch")
        data, stat = self.zk.get(epoch)
        number = int(data) + 1
        write = self.zk.transaction()
        write.check(epoch, stat.version)
        write.set_data(epoch, str(number).encode())
        self.commit(write)
        self.epoch = number
        return number

    def elected(self):
        try:
            self.zk.create(self.mine, self.me.encode(), ephemeral=True)
        except NodeExistsError:
            stat = self.zk.exists(self.mine)
            if stat is None or stat.ephemeralOwner != self.zk.client_id[0]:
                return False
        return True

    def step(self):
        self.leads()
        count, queries = 0, self.registry.all("queries")
        for query in self.registry.names("placements"):
            if query not in queries:
                write = self.zk.transaction()
                write.delete(self.registry.path("placements", query))
                self.fenced(write)
                count += 1
        managers = {name: self.registry.read("managers", name) for name in self.registry.names("managers")}
        for query, wanted in queries.items():
            count += self.place(query, wanted["nodes"], {name: each["node"] for name, each in managers.items() if each})
        return count

    def place(self, query, nodes, managers):
        placed = {name: each["managers"] for name, each in self.registry.all("placements").items()}
        before = placed.pop(query, None)
        busy = Counter(manager for each in placed.values() for manager in each.values())
        after = heal(nodes, before or {}, managers, dict(busy), self.topology)
        if after == (before or {}):
            return 0
        write, path = self.zk.transaction(), self.registry.path("placements", query)
        data = json.dumps({"epoch": self.epoch, "managers": after}).encode()
        write.create(path, data) if before is None else write.set_data(path, data)
        self.fenced(write)
        return 1

    def leads(self):
        number = int(self.zk.get(self.registry.path("epoch"))[0])
        if self.epoch is None or number != self.epoch:
            self.epoch = None
            raise NotLeader("somebody else leads")

    def fenced(self, write):
        stat = self.zk.exists(self.registry.path("epoch"))
        self.leads()
        write.check(self.registry.path("epoch"), stat.version)
        self.commit(write)

    def commit(self, write):
        if any(isinstance(each, Exception) for each in write.commit()):
            self.epoch = None
            raise NotLeader("somebody else leads")


# Computes all placements after the step, then compares them with those before it.
@alternative("after_less_before")
def placement_changes(queries, placed, managers, topology):
    after = {query: dict(placed[query]) for query in placed if query in queries}
    for query, nodes in sorted(queries.items()):
        busy = {}
        for other in after.keys() - {query}:
            for manager in after[other].values():
                busy[manager] = busy.get(manager, 0) + 1
        after[query] = heal(nodes, after.get(query, {}), managers, busy, topology)
    changed = [query for query in {*placed, *after} if (after.get(query) or {}) != placed.get(query, {})]
    return {query: after.get(query) for query in {*changed, *(placed.keys() - queries.keys())}}
