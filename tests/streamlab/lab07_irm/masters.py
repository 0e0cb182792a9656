"""Minimal masters for a real server: payloads go straight to idle engines."""

from streamlab.lab07_irm.datatypes import Order


class Pushes:
    """Holds each message until an engine is idle, then has it pushed there; an idle engine may leave."""

    def __init__(self) -> None:
        self.engines = list[str]()

    def offer(self, message: str, image: str) -> list[Order]:
        return [Order("push", message, self.engines.pop()) if self.engines else Order("wait", message)]

    def idle(self, engine: str, image: str, worker: int = 0) -> list[Order]:
        self.engines.append(engine)
        return []

    def done(self, engine: str, message: str) -> list[Order]:
        self.engines.append(engine)
        return [Order("forget", message)]

    def leaving(self, engine: str) -> list[Order]:
        if engine in self.engines:
            self.engines.remove(engine)
        return [Order("leave", None, engine)]

    def lost(self, engine: str) -> list[Order]:
        return []

    def waiting(self, image: str) -> int:
        return 0


class Broken(Pushes):
    def offer(self, message: str, image: str) -> list[Order]:
        raise KeyError(message)
