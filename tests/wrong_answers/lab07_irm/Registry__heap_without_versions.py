# wrong: a removed engine stays in the heap, and is found again at its old worker when it is added anew; breaks "the idle engine of this image on the lowest worker"
# caught by: the_engine_on_the_lowest_worker_is_taken
import heapq
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
