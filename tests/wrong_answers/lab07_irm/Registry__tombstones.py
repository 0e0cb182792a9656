# wrong: removed messages are marked and skipped later; a message that is removed and appended again is found at its old place; breaks "store it, as the last … of its image"
# caught by: the_oldest_message_of_its_image_comes_first
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
