"""Other right solutions of `Registry`, `Master` and its steps; each must get full marks."""

import heapq

from autograder.checks.mutant_markers import alternative


# Three lists, searched at each call.
@alternative("three_lists")
class Registry:
    def __init__(self, limit):
        if not limit > 0:
            raise ValueError("no room for a message")
        self.limit, self.idle, self.promised, self.stored = limit, [], [], []

    def add_engine(self, engine, image, worker):
        self.idle.insert(0, (engine, image, worker))

    def take_engine(self, image):
        fit = sorted((each for each in self.idle if each[1] == image), key=lambda each: each[2])
        if fit:
            self.idle.remove(fit[0])
            return fit[0][0]
        return None

    def remove_engine(self, engine):
        before = len(self.idle)
        self.idle = [each for each in self.idle if each[0] != engine]
        return before != len(self.idle)

    def promise(self, message, image):
        is_free = len(self.promised) + len(self.stored) < self.limit
        if is_free:
            self.promised.append((message, image))
        return is_free

    def arrive(self, message):
        before = len(self.promised)
        self.promised = [each for each in self.promised if each[0] != message]
        return before != len(self.promised)

    def append(self, message, image):
        self.stored.append((message, image))

    def append_first(self, message, image):
        self.stored.insert(0, (message, image))

    def take_message(self, image):
        for each in self.stored:
            if each[1] == image:
                self.stored.remove(each)
                return each[0]
        return None

    def remove_message(self, message):
        self.arrive(message)
        self.stored = [each for each in self.stored if each[0] != message]

    def waiting(self, image):
        return sum(each[1] == image for each in self.promised + self.stored)


# Heaps of engines and messages; removed entries stay in them and are skipped.
@alternative("heaps_and_lazy_deletion")
class Registry:
    def __init__(self, limit):
        if limit <= 0:
            raise ValueError("limit")
        self.limit, self.turn = limit, 0
        self.idle, self.engines = {}, {}
        self.promised, self.stored, self.messages = {}, {}, {}

    def add_engine(self, engine, image, worker):
        self.turn += 1
        self.idle[engine] = self.turn
        heapq.heappush(self.engines.setdefault(image, []), (worker, -self.turn, engine))

    def take_engine(self, image):
        heap = self.engines.get(image, [])
        while heap:
            _, turn, engine = heapq.heappop(heap)
            if self.idle.get(engine) == -turn:
                del self.idle[engine]
                return engine
        return None

    def remove_engine(self, engine):
        return self.idle.pop(engine, 0) > 0

    def promise(self, message, image):
        if len(self.promised) + len(self.stored) < self.limit:
            self.promised[message] = image
            return True
        return False

    def arrive(self, message):
        return self.promised.pop(message, None) is not None

    def append(self, message, image):
        self.keep(message, image, 1)

    def append_first(self, message, image):
        self.keep(message, image, -1)

    def keep(self, message, image, sign):
        self.turn += 1
        self.stored[message] = (image, sign * self.turn)
        heapq.heappush(self.messages.setdefault(image, []), (sign * self.turn, message))

    def take_message(self, image):
        heap = self.messages.get(image, [])
        while heap:
            turn, message = heapq.heappop(heap)
            if self.stored.get(message) == (image, turn):
                del self.stored[message]
                return message
        return None

    def remove_message(self, message):
        self.promised.pop(message, None)
        self.stored.pop(message, None)

    def waiting(self, image):
        return sum(of == image for of in [*self.promised.values(), *(of for of, _ in self.stored.values())])


# One entry for each message: its engine and its losses.
@alternative("engine_of_each_message")
class Assignments:
    def __init__(self):
        self.rows = []

    def known(self, message):
        return [row for row in self.rows if row["message"] == message and not row["ended"]]

    def begin(self, message):
        is_new = not self.known(message)
        if is_new:
            self.rows.append({"message": message, "engine": None, "losses": 0, "ended": False})
        return is_new

    def end(self, message):
        found = self.known(message)
        for row in found:
            row["ended"] = True
        return bool(found)

    def assign(self, engine, message):
        self.known(message)[0]["engine"] = engine

    def take(self, engine):
        found = [row for row in self.rows if row["engine"] == engine]
        for row in found:
            row["engine"] = None
        return found

    def release(self, engine, message):
        return message in [row["message"] for row in self.rows if row["engine"] == engine] and bool(self.take(engine))

    def lose(self, engine):
        for row in self.take(engine):
            if not row["ended"]:
                row["losses"] += 1
                return [row["message"], row["losses"]]
        return None


# One case after another; builds the order last.
@alternative("by_match")
def dispatch(registry, message, image, is_stored, was_lost=False):
    match registry.take_engine(image), is_stored:
        case None, True:
            if was_lost:
                registry.append_first(message, image)
            else:
                registry.append(message, image)
            return []
        case None, False:
            return [Order("store", message)] if registry.promise(message, image) else [Order("wait", message)]
        case engine, True:
            return [Order("hand", message, engine)]
        case engine, _:
            return [Order("push", message, engine)]


# One table of states, without a Registry and without the steps.
@alternative("one_table")
class Master:
    def __init__(self, limit=1000, tries=3):
        if limit < 1 or tries < 1:
            raise ValueError("limit and tries are 1 or more")
        self.limit, self.tries, self.turn, self.table, self.engines = limit, tries, 0, {}, {}

    def offer(self, message, image):
        if message in self.table:
            return []
        self.table[message] = {"image": image, "at": "new", "stored": False, "lost": 0, "turn": 0}
        return self.go(message)

    def stored(self, message):
        row = self.table.get(message)
        if row is None or row["at"] != "promised":
            return []
        row["stored"] = True
        return self.go(message)

    def idle(self, engine, image, worker=0):
        orders = self.lost(engine)
        self.engines[engine] = {"image": image, "worker": worker, "has": None, "turn": 0}
        return orders + self.more(engine)

    def done(self, engine, message):
        orders = self.end(message, "forget")
        if engine in self.engines and self.engines[engine]["has"] == message:
            self.engines[engine]["has"] = None
            orders += self.more(engine)
        return orders

    def lost(self, engine):
        message = self.engines.pop(engine, {"has": None})["has"]
        if message not in self.table or self.table[message]["at"] != engine:
            return []
        row = self.table[message]
        row["lost"] += 1
        return self.end(message, "fail") if row["lost"] == self.tries else self.go(message, -1)

    def leaving(self, engine):
        if engine not in self.engines or self.engines[engine]["has"] is not None:
            return [Order("stay", None, engine)]
        del self.engines[engine]
        return [Order("leave", None, engine)]

    def waiting(self, image):
        return sum(row["image"] == image and row["at"] in ("promised", "queue") for row in self.table.values())

    def go(self, message, sign=1):
        row = self.table[message]
        fit = [
            (each["worker"], -each["turn"], name)
            for name, each in self.engines.items()
            if each["image"] == row["image"] and each["has"] is None
        ]
        if fit:
            return self.give(message, min(fit)[2])
        self.turn += 1
        if row["stored"]:
            row["at"], row["turn"] = "queue", sign * self.turn
            return []
        row["at"] = "new"
        if sum(each["at"] in ("promised", "queue") for each in self.table.values()) < self.limit:
            row["at"] = "promised"
            return [Order("store", message)]
        return self.end(message, "wait")

    def give(self, message, engine):
        self.table[message]["at"] = engine
        self.engines[engine]["has"] = message
        return [Order("hand" if self.table[message]["stored"] else "push", message, engine)]

    def more(self, engine):
        self.turn += 1
        self.engines[engine]["turn"] = self.turn
        image = self.engines[engine]["image"]
        queue = [
            (row["turn"], name) for name, row in self.table.items() if row["at"] == "queue" and row["image"] == image
        ]
        return self.give(min(queue)[1], engine) if queue else []

    def end(self, message, how):
        return [Order(how, message)] if self.table.pop(message, None) else []
