"""Other right versions of `AlertWriter`, which must get full marks."""

from autograder.checks.mutant_markers import alternative
from streamlab.lab09_system import LogError


# One counter for all attempts of a call, begins included.
@alternative("one_counter")
class AlertWriter:
    def __init__(self, log, epoch, tries=3):
        self.log, self.epoch, self.tries = log, epoch, tries
        self.done, self.sure = None, False
        self._until_answered(lambda: None)

    @property
    def last(self):
        return self.done

    def write(self, number, rows):
        seen = []

        def put():
            seen.append(self.done)
            if number > self.done:
                [self.log.append(row) for row in rows]
                self.log.commit(number)
                self.done = number

        self._until_answered(put)
        return number > seen[0]

    def _until_answered(self, work):
        for left in range(self.tries - 1, -1, -1):
            try:
                if not self.sure:
                    self.done = self.log.begin(self.epoch)
                self.sure = False
                work()
                self.sure = True
                return
            except LogError:
                if not left:
                    raise


# A call that lost an answer begins again and calls itself.
@alternative("calls_itself")
class AlertWriter:
    def __init__(self, log, epoch, tries=3):
        self._log, self._epoch, self._tries = log, epoch, tries
        self.last, self._gave_up = self._begin(tries), False

    def _begin(self, tries):
        try:
            return self._log.begin(self._epoch)
        except LogError:
            if tries <= 1:
                raise
            return self._begin(tries - 1)

    def write(self, number, rows):
        if self._gave_up:
            self.last = self._begin(self._tries)
        self._gave_up = True
        wrote = number > self.last and self._write(number, rows, self._tries)
        self._gave_up = False
        return wrote

    def _write(self, number, rows, tries):
        if number <= self.last:
            return True
        try:
            for row in rows:
                self._log.append(row)
            self._log.commit(number)
        except LogError:
            if tries <= 1:
                raise
            self.last = self._begin(self._tries)
            return self._write(number, rows, tries - 1)
        self.last = number
        return True
