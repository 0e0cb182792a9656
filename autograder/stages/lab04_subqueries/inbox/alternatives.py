"""Another correct solution of `Inbox`, which must get full marks."""

from autograder.checks.mutant_markers import alternative


# One sorted list, and a list of the numbers and promises of each sender.
@alternative("one_sorted_list")
class Inbox:
    def __init__(self, senders):
        if len(senders) == 0:
            raise ValueError("nobody sends")
        self.promises = {sender: [START_MS] for sender in senders}
        self.waiting = []

    @property
    def until_ms(self):
        return min(promises[-1] for promises in self.promises.values())

    def take(self, message):
        promises = self.promises.get(message.sender)
        if promises is None:
            raise ValueError(f"{message.sender} is not among {list(self.promises)}")
        taken = len(promises) - 1
        if message.number < taken:
            return []
        if message.number > taken or message.until_ms < promises[-1]:
            raise ValueError(f"{message} cannot follow message {taken - 1} and the promise {promises[-1]}")
        if any(arrival.row["t"] < promises[-1] for arrival in message.arrivals):
            raise ValueError(f"{message} breaks the promise {promises[-1]}")
        promises.append(message.until_ms)
        self.waiting = sorted([*self.waiting, *message.arrivals], key=order_of)
        count = sum(arrival.row["t"] < self.until_ms for arrival in self.waiting)
        ready, self.waiting = self.waiting[:count], self.waiting[count:]
        return ready
