# wrong: a killed run lasts to its last beat; breaks "a kill has the tick's time"
# caught by: restarts_back_off_and_forget
class Supervisor:
    def __init__(self, programs: Sequence[str], rules: RestartRules) -> None:
        self._rules = rules
        self._lives = {name: self._life() for name in programs}

    def beat(self, program: str, epoch: int, now_ms: int) -> bool:
        if not self._is_running(program, epoch):
            return False
        self._lives[program].due_ms = now_ms + self._rules.lease_ms
        return True

    def ended(self, program: str, epoch: int, now_ms: int) -> None:
        if self._is_running(program, epoch):
            self._fail(self._lives[program], now_ms)

    def tick(self, now_ms: int) -> list[Order]:
        orders, tries = [], self._rules.tries
        for name, life in self._lives.items():
            if life.runs and now_ms >= life.due_ms:
                orders.append(Order("kill", name, life.epoch))
                self._fail(life, now_ms)
            if not life.runs and not life.given_up and life.failures >= tries:
                orders.append(Order("give_up", name, life.epoch))
                life.given_up = True
            if not life.runs and not life.given_up and now_ms >= life.due_ms:
                life.epoch, life.runs = life.epoch + 1, True
                life.begun_ms, life.due_ms = now_ms, now_ms + self._rules.lease_ms
                orders.append(Order("start", name, life.epoch))
        return orders

    def _life(self) -> SimpleNamespace:
        # due_ms: when its lease ends while it runs, and otherwise its next start
        life = SimpleNamespace(epoch=0, failures=0, runs=False, given_up=False)
        life.begun_ms, life.due_ms = None, -math.inf
        return life

    def _is_running(self, program: str, epoch: int) -> bool:
        life = self._lives.get(program)
        return life is not None and life.runs and life.epoch == epoch

    def _fail(self, life: SimpleNamespace, now_ms: int) -> None:
        _, first_ms, most_ms, stable_ms, _ = self._rules
        ended_ms = now_ms if now_ms < life.due_ms else life.due_ms - self._rules.lease_ms
        was_stable = ended_ms - life.begun_ms >= stable_ms
        life.runs, life.failures = False, 1 if was_stable else life.failures + 1
        wait_ms = min(most_ms, first_ms * 2 ** (life.failures - 1))
        life.due_ms = now_ms + wait_ms
