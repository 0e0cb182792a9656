# wrong: a `write` after one that raised LogError does not begin again; breaks "begin again, also in a later `write`"
# caught by: a_lost_answer_loses_and_doubles_nothing
class AlertWriter:
    def __init__(self, log: Any, epoch: int, tries: int = 3) -> None:
        self._log, self._epoch, self._tries = log, epoch, tries
        self.last = self._begin()

    def write(self, number: int, rows: Sequence[Any]) -> bool:
        for attempt in range(self._tries):
            if number <= self.last:
                return attempt > 0
            try:
                for row in rows:
                    self._log.append(row)
                self._log.commit(number)
                self.last = number
                return True
            except LogError:
                if attempt == self._tries - 1:
                    raise
                self.last = self._begin()
        raise AssertionError("there is at least one attempt")

    def _begin(self) -> int:
        for attempt in range(self._tries):
            try:
                return self._log.begin(self._epoch)
            except LogError:
                if attempt == self._tries - 1:
                    raise
        raise AssertionError("there is at least one attempt")
