"""Another correct solution of `ReplicatedPartition`; it must get full marks."""

from autograder.checks.mutant_markers import alternative
from streamlab.lab03_log.replicas import Entry, NoLeader, NotEnoughReplicas


# Keeps how many entries each broker shares with the leader, as Kafka's leader does, and the acks of each record.
@alternative("counts_kept_by_the_leader")
class ReplicatedPartition:
    def __init__(self, replicas, min_isr, lag_ms):
        self.brokers, self.min_isr, self.lag_ms = range(replicas), min_isr, lag_ms
        self.logs = [[] for _ in self.brokers]
        self.isr, self.leader, self.epoch, self.high_watermark = list(self.brokers), 0, 0, 0
        self.acknowledged, self.waiting = [], {}
        self.shared, self.seen_ms = [0] * replicas, [0] * replicas

    def append(self, value, acks):
        if self.leader is None:
            if acks != 0:
                raise NoLeader
            self.acknowledged.append(value)
            return
        if acks == "all":
            if len(self.isr) < self.min_isr:
                raise NotEnoughReplicas
            self.waiting[len(self.logs[self.leader])] = value
        else:
            self.acknowledged.append(value)
        self.logs[self.leader].append(Entry(self.epoch, value))
        self.shared[self.leader] += 1
        self.update()

    def fetch(self, follower, now_ms, at_most):
        if self.leader is None:
            raise NoLeader
        log, source = self.logs[follower], self.logs[self.leader]
        del log[self.shared[follower] :]
        log.extend(source[len(log) : len(log) + at_most])
        self.shared[follower] = len(log)
        if log == source:
            self.seen_ms[follower] = now_ms
            self.isr = sorted({*self.isr, follower})
        self.update()

    def shrink(self, now_ms):
        if self.leader is None:
            return
        self.isr = [b for b in self.isr if b == self.leader or now_ms <= self.seen_ms[b] + self.lag_ms]
        self.update()

    def elect(self, alive, now_ms, unclean=False):
        self.waiting = {}
        living = [b for b in self.brokers if b in alive]
        in_sync = [b for b in self.isr if b in living]
        if not in_sync and not (unclean and living):
            self.leader = None
            return
        self.isr = in_sync or living[:1]
        self.leader = self.isr[0]
        self.epoch += 1
        led = self.logs[self.leader]
        for broker in self.brokers:
            self.seen_ms[broker] = now_ms if broker in self.isr else self.seen_ms[broker]
            log = self.logs[broker]
            same = 0
            while same < min(len(log), len(led)) and log[same].epoch == led[same].epoch:
                same += 1
            self.shared[broker] = same
        self.high_watermark = min(self.high_watermark, len(led))
        self.update()

    def update(self):
        if len(self.isr) >= self.min_isr:
            self.high_watermark = min(self.shared[broker] for broker in self.isr)
        for offset in sorted(self.waiting):
            if offset < self.high_watermark:
                self.acknowledged.append(self.waiting.pop(offset))
