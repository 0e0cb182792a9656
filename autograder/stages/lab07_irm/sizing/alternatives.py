"""Other right solutions of `Profiler` and `Predictor`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Expires before it adds.
@alternative("expires_first")
class Profiler:
    def __init__(self, window, default, least, most=1000):
        self.window, self.default, self.limits = window, default, (least, most)
        self.of = {}

    def observe(self, image, loads):
        loads = [load for load in loads if load[0]]
        if not loads:
            return
        if image not in self.of:
            self.of[image] = [SlidingSum(), SlidingSum(), self.window]
        engines, cpu, left = self.of[image]
        if left == 0:
            engines.expire()
            cpu.expire()
        engines.add(sum(load[0] for load in loads))
        cpu.add(sum(load[1] for load in loads))
        self.of[image][2] = max(0, left - 1)

    def size(self, image):
        if image not in self.of:
            return self.default
        engines, cpu, _ = self.of[image]
        least, most = self.limits
        whole, rest = divmod(cpu.result(), engines.result())
        return min(most, max(least, whole + (rest > 0)))


# A list of rules; remembers the end of each pause.
@alternative("list_of_rules")
class Predictor:
    def __init__(self, rules):
        self.rules, self.seen, self.until = rules, {}, {}
        self.table = [
            (lambda length, rate: rate > rules.rises_fast, rules.many),
            (lambda length, rate: length > rules.long_queue and rate > rules.falls_fast, rules.many),
            (lambda length, rate: rate > rules.rises_slowly, rules.few),
            (lambda length, rate: length > rules.long_queue, rules.few),
            (lambda length, rate: True, 0),
        ]

    def wanted(self, image, now_s, length, coming=0):
        rate = 0
        if image in self.seen:
            then_s, before = self.seen[image]
            if not now_s > then_s:
                raise ValueError("time goes forward")
            rate = (length - before) / (now_s - then_s)
        self.seen[image] = (now_s, length)
        if now_s < self.until.get(image, now_s):
            return 0
        amount = next(amount for holds, amount in self.table if holds(length, rate))
        amount = sorted([0, amount, length - coming])[1] if length > coming else 0
        if amount:
            self.until[image] = now_s + self.rules.pause_s
        return amount
