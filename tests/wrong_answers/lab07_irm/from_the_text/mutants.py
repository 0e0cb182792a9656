"""Wrong answers to lab07_irm that people wrote from its text, each with the checks that catch it."""

import heapq

from autograder.checks.mutant_markers import mutant, reference

reference("Assignments")

# An engine whose message is not known keeps it when it is lost; breaks "the engine has no message from now on"
mutant(
    "lose_keeps_ended",
    "each_loss_of_a_known_message_counts_once",
    ("message = self._has.pop(engine, None)", "message = self._has.get(engine)"),
    ("        self._losses[message] += 1", "        del self._has[engine]\n        self._losses[message] += 1"),
)

reference("FirstFit")

# Resize of an unknown engine to 0 raises ValueError; breaks "KeyError as in `remove`, otherwise ValueError"
mutant(
    "value_error_first",
    "free_space_is_capacity_minus_the_sizes",
    (
        '        worker, before = self._where[engine]\n        if size <= 0:\n            raise ValueError(f"{engine}: expected a size above 0, got {size}")\n',
        '        if size <= 0:\n            raise ValueError(f"{engine}: expected a size above 0, got {size}")\n        worker, before = self._where[engine]\n',
    ),
)

reference("Manager")

# The limit of a size is 1000 whatever the capacity; breaks "The limits of a size are rules.least_size and .capacity"
mutant(
    "most_default",
    "each_plan_follows_the_rules",
    ("rules.least_size, rules.capacity", "rules.least_size, max(1000, rules.default_size)"),
)

# Requests that started in this tick do not count as coming before; breaks "n or more requests of its image come
# before it in the list"
mutant(
    "running_before_count",
    ["each_plan_follows_the_rules", "a_request_without_a_waiting_message_is_dropped"],
    (
        "self._images[request.engine] = request.image",
        "self._images[request.engine] = request.image\n                before[request.image] -= 1",
    ),
)

reference("Predictor")

# The change since the last call, not per second; breaks "per second"
mutant(
    "per_call",
    "the_rate_is_per_second_since_the_last_call",
    ("(length - before) / (now_s - before_s)", "length - before"),
)

# A request at time 0 starts no pause; breaks "Less than `rules.pause_s` after the last request for this image: 0"
mutant(
    "time_zero",
    "a_pause_is_per_image_and_ends_on_time",
    ("now_s - self._requested_s.get(image, -math.inf)", "now_s - (self._requested_s.get(image) or -math.inf)"),
)


# A removed engine stays in the heap, and is found again at its old worker when it is added anew; breaks "the idle
# engine of this image on the lowest worker"
@mutant("heap_without_versions", "the_engine_on_the_lowest_worker_is_taken")
class Registry:
    def __init__(self, limit: int) -> None:
        self.limit, self.turn, self.heaps, self.idle = limit, 0, {}, set()
        self.promised, self.stored = {}, []

    def add_engine(self, engine, image, worker):
        self.turn -= 1
        self.idle.add(engine)
        heapq.heappush(self.heaps.setdefault(image, []), (worker, self.turn, engine))

    def take_engine(self, image):
        heap = self.heaps.get(image, [])
        while heap:
            engine = heapq.heappop(heap)[2]
            if engine in self.idle:
                self.idle.remove(engine)
                return engine
        return None

    def remove_engine(self, engine):
        was = engine in self.idle
        self.idle.discard(engine)
        return was

    def promise(self, message, image):
        if len(self.promised) + len(self.stored) >= self.limit:
            return False
        self.promised[message] = image
        return True

    def arrive(self, message):
        return self.promised.pop(message, None) is not None

    def append(self, message, image):
        self.stored.append((message, image))

    def append_first(self, message, image):
        self.stored.insert(0, (message, image))

    def take_message(self, image):
        for place, (message, of) in enumerate(self.stored):
            if of == image:
                del self.stored[place]
                return message
        return None

    def remove_message(self, message):
        self.promised.pop(message, None)
        self.stored = [each for each in self.stored if each[0] != message]

    def waiting(self, image):
        return [*self.promised.values(), *(of for _, of in self.stored)].count(image)


# Removed messages are marked and skipped later; a message that is removed and appended again is found at its old
# place; breaks "store it, as the last … of its image"
@mutant("tombstones", "the_oldest_message_of_its_image_comes_first")
class Registry:
    def __init__(self, limit: int) -> None:
        self.limit, self.clock = limit, 0
        self.idle, self.promised, self.stored, self.dead = {}, {}, [], set()

    def add_engine(self, engine, image, worker):
        self.clock += 1
        self.idle[engine] = (image, worker, -self.clock)

    def take_engine(self, image):
        fit = [(worker, when, engine) for engine, (of, worker, when) in self.idle.items() if of == image]
        if not fit:
            return None
        engine = min(fit)[2]
        del self.idle[engine]
        return engine

    def remove_engine(self, engine):
        return self.idle.pop(engine, None) is not None

    def promise(self, message, image):
        if len(self.promised) + len(self.stored) - len(self.dead) >= self.limit:
            return False
        self.promised[message] = image
        return True

    def arrive(self, message):
        return self.promised.pop(message, None) is not None

    def append(self, message, image):
        if message in self.dead:
            self.dead.discard(message)
        else:
            self.stored.append((message, image))

    def append_first(self, message, image):
        self.stored.insert(0, (message, image))

    def take_message(self, image):
        for place, (message, of) in enumerate(self.stored):
            if of == image and message not in self.dead:
                del self.stored[place]
                return message
        return None

    def remove_message(self, message):
        self.promised.pop(message, None)
        if any(each[0] == message for each in self.stored):
            self.dead.add(message)

    def waiting(self, image):
        return [*self.promised.values(), *(of for name, of in self.stored if name not in self.dead)].count(image)


# An engine whose name is empty counts as none; breaks "An engine of its image is idle: take it"
@mutant("falsy_engine", "an_idle_engine_gets_the_message")
def dispatch(registry, message, image, is_stored, was_lost=False):
    engine = registry.take_engine(image)
    if engine:
        return [Order("hand" if is_stored else "push", message, engine)]
    if is_stored:
        (registry.append_first if was_lost else registry.append)(message, image)
        return []
    return [Order("store" if registry.promise(message, image) else "wait", message)]
