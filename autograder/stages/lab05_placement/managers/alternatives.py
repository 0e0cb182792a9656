"""Other right solutions of `InstanceManager`; each must get full marks."""

from kazoo.exceptions import NodeExistsError, NoNodeError

from autograder.checks.mutant_markers import alternative
from streamlab.lab05_placement.managers import Member


# Checks before it creates, and remembers stopped instances until they are released.
@alternative("looks_before_it_creates")
class InstanceManager(Member):
    def step(self):
        claims = {name: self.registry.path("claims", name) for name in self.placed() | self.running | self.left()}
        for name in list(self.running):
            if name not in self.placed() or not self.owns(claims[name]):
                self.running.discard(name)
                self.stop(name)
        for name in self.left() - self.placed():
            try:
                self.zk.delete(claims[name])
            except NoNodeError:
                continue
        for name in self.placed() - self.running:
            if self.zk.exists(claims[name]) is None:
                try:
                    self.zk.create(claims[name], self.me.encode(), ephemeral=True)
                except NodeExistsError:
                    continue
            if self.owns(claims[name]):
                self.running.add(name)
                process = self.start(name)
                self.pin(process, set(self.cores))

    def placed(self):
        names = set()
        for query in self.registry.names("placements"):
            managers = (self.registry.read("placements", query) or {"managers": {}})["managers"]
            names.update(name for name in managers if managers[name] == self.me)
        return names

    def left(self):
        return {name for name in self.registry.names("claims") if self.owns(self.registry.path("claims", name))}


# Lets kazoo retry after a lost connection.
@alternative("retries", task="InstanceManager")
class InstanceManager(Member):
    def step(self):
        everything = self.zk.retry(self.registry.all, "placements")
        mine = set()
        for content in everything.values():
            for name, manager in content["managers"].items():
                if manager == self.me:
                    mine.add(name)
        for name in set(self.running):
            if not (name in mine and self.owns(self.registry.path("claims", name))):
                self.stop(name)
                self.running -= {name}
        for name in self.registry.names("claims"):
            if name not in mine and self.owns(self.registry.path("claims", name)):
                self.zk.retry(self.release, name)
        for name in mine - self.running:
            if self.zk.retry(self.claim, name):
                self.pin(self.start(name), self.cores)
                self.running |= {name}

    def claim(self, name):
        try:
            self.zk.create(self.registry.path("claims", name), b"", ephemeral=True)
            return True
        except NodeExistsError:
            return self.owns(self.registry.path("claims", name))

    def release(self, name):
        try:
            self.zk.delete(self.registry.path("claims", name))
        except NoNodeError:
            return
