"""Other right solutions of `Manager`; each must get full marks."""

from collections import Counter, deque

from autograder.checks.mutant_markers import alternative


# Passes the requests once per tick through a single deque.
@alternative("with_a_deque")
class Manager:
    def __init__(self, rules):
        self.rules, self.packing, self.predictor = rules, FirstFit(rules.capacity), Predictor(rules)
        self.profiler = Profiler(rules.window, rules.default_size, rules.least_size, rules.capacity)
        self.placed, self.requests, self.count = {}, deque(), 0

    def tick(self, seen):
        for engine in seen.ended:
            if engine in self.placed:
                self.packing.remove(engine)
                del self.placed[engine]
        for image in seen.loads:
            self.profiler.observe(image, seen.loads[image])
        for engine in self.placed:
            self.packing.resize(engine, self.profiler.size(self.placed[engine]))
        for image in seen.waiting:
            coming = len([each for each in self.requests if each.image == image])
            for _ in range(self.predictor.wanted(image, seen.now_s, seen.waiting[image], coming)):
                self.count += 1
                self.requests.append(Request(image + "-" + str(self.count), image, self.rules.ttl))
        starts, late, left, dropped = [], [], Counter(seen.waiting), Counter()
        for _ in range(len(self.requests)):
            request = self.requests.popleft()
            if left[request.image] <= 0:
                dropped[request.image] += 1
                continue
            left[request.image] -= 1
            size = self.profiler.size(request.image)
            worker = self.packing.place(request.engine, size)
            if worker >= seen.ready:
                late.append(request.engine)
                if request.ttl == 0:
                    dropped[request.image] += 1
                else:
                    self.requests.append(Request(request.engine, request.image, request.ttl - 1))
            else:
                self.placed[request.engine] = request.image
                starts.append(Start(request.engine, request.image, worker, size))
        target = scale(seen.on, self.packing.used, seen.registered)
        for engine in late:
            self.packing.remove(engine)
        loads = [self.rules.capacity - free for free in self.packing.free()]
        return Plan(starts, target.wanted, target.on, loads, dict(dropped))
