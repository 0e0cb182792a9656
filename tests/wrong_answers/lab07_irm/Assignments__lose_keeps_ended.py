# wrong: an engine whose message is not known keeps it when it is lost; breaks "the engine has no message from now on"
# caught by: each_loss_of_a_known_message_counts_once
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
        self.has[engine] = message

    def release(self, engine, message):
        if engine in self.has and self.has[engine] == message:
            del self.has[engine]
            return True
        return False

    def lose(self, engine):
        message = self.has.get(engine)
        if message is None or message not in self.losses:
            return None
        del self.has[engine]
        self.losses[message] += 1
        return message, self.losses[message]
