# wrong: requests that started in this tick do not count as coming before; breaks "n or more requests of its image come before it in the list"
# caught by: each_plan_follows_the_rules, a_request_without_a_waiting_message_is_dropped
class Manager:
    def __init__(self, rules: Rules) -> None:
        self.rules, self.packing, self.predictor = rules, FirstFit(rules.capacity), Predictor(rules)
        self.profiler = Profiler(rules.window, rules.default_size, rules.least_size, rules.capacity)
        self.running, self.requests, self.count = {}, [], 0

    def tick(self, seen: Seen) -> Plan:
        rules, packing = self.rules, self.packing
        for engine in seen.ended:
            if self.running.pop(engine, None) is not None:
                packing.remove(engine)
        for image, loads in seen.loads.items():
            self.profiler.observe(image, loads)
        for engine, image in self.running.items():
            packing.resize(engine, self.profiler.size(image))
        for image, length in seen.waiting.items():
            coming = sum(each.image == image for each in self.requests)
            for _ in range(self.predictor.wanted(image, seen.now_s, length, coming)):
                self.count += 1
                self.requests.append(Request(f"{image}-{self.count}", image, rules.ttl))
        starts, dropped, before, staying = [], Counter(), Counter(), []
        for request in self.requests:
            image = request.image
            if before[image] >= seen.waiting.get(image, 0):
                dropped[image] += 1
            else:
                size = self.profiler.size(image)
                worker = packing.place(request.engine, size)
                if worker < seen.ready:
                    starts.append(Start(request.engine, image, worker, size))
                    self.running[request.engine] = image
                    before[image] -= 1
                else:
                    staying.append(request)
            before[image] += 1
        wanted, on = scale(seen.on, packing.used, seen.registered)
        self.requests = []
        for request in staying:
            packing.remove(request.engine)
            if request.ttl <= 0:
                dropped[request.image] += 1
            else:
                self.requests.append(request._replace(ttl=request.ttl - 1))
        return Plan(starts, wanted, on, [rules.capacity - each for each in packing.free()], dict(dropped))
