"""Other right solutions of `Autoscaler`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Remembers needs in a deque, finds the need by search, looks for room itself, and returns a plain tuple.
@alternative("without_the_earlier_labs")
class Autoscaler:
    def __init__(self, rules):
        from collections import deque

        self.rules, self.needs, self.workers, self.names = rules, deque(maxlen=rules.quiet_ticks), [], 0

    def tick(self, offered_per_s, per_instance_per_s, lag, gone=()):
        busy, drain_s = self.rules.busy_percent, self.rules.drain_s
        low, high = self.rules.least, self.rules.most
        while low < high:
            n = (low + high) // 2
            power = n * per_instance_per_s
            if 100 * offered_per_s > busy * power or offered_per_s * drain_s + lag > drain_s * power:
                low = n + 1
            else:
                high = n
        self.needs.append(low)
        self.workers = [[number for number in each if f"desk-{number}" not in gone] for each in self.workers]
        while sum(map(len, self.workers)) > max(self.needs):
            last = [each for each in self.workers if each][-1]
            last.remove(max(last))
        while sum(map(len, self.workers)) < max(self.needs):
            self.names += 1
            room = [each for each in self.workers if (len(each) + 1) * self.rules.size <= 1000]
            if not room:
                self.workers.append([])
                room = self.workers[-1:]
            room[0].append(self.names)
        while self.workers and not self.workers[-1]:
            self.workers.pop()
        placed = {f"desk-{number}": at for at, each in enumerate(self.workers) for number in each}
        return placed, len(self.workers)


# Recomputes everything from the list of all ticks; decides with fractions.
@alternative("from_the_whole_history")
class Autoscaler:
    def __init__(self, rules):
        self.rules, self.needs, self.packer, self.running, self.next = rules, [], FirstFit(), [], 1

    def tick(self, offered_per_s, per_instance_per_s, lag, gone=()):
        from fractions import Fraction

        rules = self.rules
        for lost in [row for row in self.running if row[2] in gone]:
            self.running.remove(lost)
            self.packer.remove(lost[2])
        by_load = Fraction(100 * offered_per_s, rules.busy_percent * per_instance_per_s)
        by_lag = (offered_per_s + Fraction(lag, rules.drain_s)) / per_instance_per_s
        need = max(math.ceil(by_load), math.ceil(by_lag), rules.least)
        self.needs.append(min(need, rules.most))
        wanted = max(self.needs[-rules.quiet_ticks :])
        for _, _, name in sorted(self.running, reverse=True)[: max(0, len(self.running) - wanted)]:
            self.packer.remove(name)
        self.running = sorted(self.running)[:wanted]
        for number in range(self.next, self.next + wanted - len(self.running)):
            self.running.append((self.packer.place(f"desk-{number}", rules.size), number, f"desk-{number}"))
            self.next = number + 1
        instances = {name: worker for worker, _, name in sorted(self.running, key=lambda row: row[1])}
        return Packed(instances, self.packer.used)
