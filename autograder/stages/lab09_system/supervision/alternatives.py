"""Other right solutions of `Supervisor`; each must get full marks."""

from autograder.checks.mutant_markers import alternative


# Keeps only a log of events for each program, and reads it from the end.
@alternative("an_event_log")
class Supervisor:
    def __init__(self, programs, rules):
        self.rules, self.logs = rules, {name: [] for name in programs}

    def beat(self, program, epoch, now_ms):
        return self._note("beat", program, epoch, now_ms)

    def ended(self, program, epoch, now_ms):
        return self._note("failed", program, epoch, now_ms)

    def tick(self, now_ms):
        return [order for name in self.logs for order in self._orders(name, now_ms)]

    def _note(self, what, program, epoch, now_ms):
        log = self.logs.get(program, [])
        is_own = bool(log) and log[-1][0] in ("start", "beat") and self._epoch(log) == epoch
        if is_own:
            log.append((what, now_ms))
        return is_own

    def _orders(self, name, now_ms):
        log = self.logs[name]
        if log and log[-1][0] in ("start", "beat") and log[-1][1] + self.rules.lease_ms <= now_ms:
            yield ("kill", name, self._epoch(log))
            log.append(("failed", now_ms))
        if log and log[-1][0] == "failed" and self._row(log) >= self.rules.tries:
            yield ("give_up", name, self._epoch(log))
            log.append(("given up", now_ms))
        if not log or (log[-1][0] == "failed" and now_ms >= log[-1][1] + self._wait_ms(log)):
            log.append(("start", now_ms))
            yield ("start", name, self._epoch(log))

    def _epoch(self, log):
        return sum(what == "start" for what, _ in log)

    def _wait_ms(self, log):
        return min(self.rules.most_ms, self.rules.first_ms << (self._row(log) - 1))

    def _row(self, log):
        row = 0
        for what, at_ms in reversed(log):
            if what == "failed":
                failed_ms, row = at_ms, row + 1
            elif what == "start" and failed_ms - at_ms >= self.rules.stable_ms:
                break
        return row


# One dict for each fact; a program that runs has a lease, and one that waits has a next start.
@alternative("a_dict_for_each_fact")
class Supervisor:
    def __init__(self, programs, rules):
        self.programs, self.rules = list(programs), rules
        self.epochs = dict.fromkeys(programs, 0)
        self.next_start = dict.fromkeys(programs, float("-inf"))
        self.leases, self.begun, self.delays, self.tries = {}, {}, {}, dict.fromkeys(programs, rules.tries)

    def beat(self, program, epoch, now_ms):
        if program in self.leases and self.epochs[program] == epoch:
            self.leases[program] = now_ms + self.rules.lease_ms
            return True
        return False

    def ended(self, program, epoch, now_ms):
        if program in self.leases and self.epochs[program] == epoch:
            del self.leases[program]
            if now_ms >= self.begun[program] + self.rules.stable_ms:
                self.tries[program] = self.rules.tries
                self.delays.pop(program, None)
            self.tries[program] -= 1
            self.delays[program] = min(self.rules.most_ms, 2 * self.delays.get(program, self.rules.first_ms / 2))
            self.next_start[program] = now_ms + self.delays[program]

    def tick(self, now_ms):
        orders = []
        for name in self.programs:
            if self.leases.get(name, now_ms + 1) <= now_ms:
                orders += [Order("kill", name, self.epochs[name])]
                self.ended(name, self.epochs[name], now_ms)
            if self.tries[name] == 0:
                self.tries[name], self.next_start[name] = -1, float("inf")
                orders += [Order("give_up", name, self.epochs[name])]
            if name not in self.leases and now_ms >= self.next_start[name]:
                self.epochs[name] += 1
                self.begun[name], self.leases[name] = now_ms, now_ms + self.rules.lease_ms
                orders += [Order("start", name, self.epochs[name])]
        return orders
