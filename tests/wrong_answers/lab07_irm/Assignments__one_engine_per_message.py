# wrong: remembers one engine for each message, so assigning it to another engine forgets the first one that has it; breaks "release(engine, message): return whether the engine has this message"
# caught by: only_the_engine_that_has_a_message_releases_it
class Assignments:
    def __init__(self) -> None:
        self.losses, self.has = {}, {}

    def begin(self, message):
        if message in self.losses:
            return False
        self.losses[message] = 0
        return True

    def end(self, message):
        return self.losses.pop(message, None) is not None

    def assign(self, engine, message):
        self.has = {other: each for other, each in self.has.items() if each != message}
        self.has[engine] = message

    def release(self, engine, message):
        if engine in self.has and self.has[engine] == message:
            del self.has[engine]
            return True
        return False

    def lose(self, engine):
        message = self.has.pop(engine, None)
        if message is None or message not in self.losses:
            return None
        self.losses[message] += 1
        return message, self.losses[message]
