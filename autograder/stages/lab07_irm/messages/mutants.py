"""Wrong versions of `Registry`, `Assignments`, `dispatch` and `Master`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

LOWEST = "the_engine_on_the_lowest_worker_is_taken"
OLDEST = "the_oldest_message_of_its_image_comes_first"
LIMIT = "promised_and_stored_messages_share_the_limit"
KNOWN = "a_message_is_known_until_it_ends"
RELEASED = "only_the_engine_that_has_a_message_releases_it"
COUNTED = "each_loss_of_a_known_message_counts_once"
TO_ENGINE = "an_idle_engine_gets_the_message"
QUEUED = "a_stored_message_waits_and_a_lost_one_comes_first"
PROMISED = "a_new_message_is_promised_a_place_or_waits"
ROUTED = "a_message_goes_to_an_idle_engine_and_otherwise_to_the_backlog"
STRANDED = "no_message_is_stranded_in_any_order_of_events"
LOST = "a_lost_engine_loses_no_message"
LATE = "a_late_result_counts_once"
LEAVES = "an_engine_leaves_only_when_no_message_is_on_its_way_to_it"
FULL = "a_full_backlog_makes_connectors_wait"
POISON = "a_message_that_kills_every_engine_is_given_up"
REAL = "no_message_is_lost_when_real_engines_are_killed_and_frozen"

reference("Registry")

mutant(
    "images_mixed",
    [OLDEST, LIMIT],
    (
        "return self._stored[image].popleft() if self._stored.get(image) else None",
        "return next((queue.popleft() for queue in self._stored.values() if queue), None)",
    ),
)
mutant("an_empty_name_is_no_engine", LOWEST, ("if engine is not None:", "if engine:"))
mutant("turns_are_counted_by_size", LOWEST, ("= worker, -self._turn", "= worker, -len(self._idle.get(image, ()))"))
mutant(
    "an_empty_name_is_no_message",
    OLDEST,
    ("if self._stored.get(image) else", 'if (self._stored.get(image) or [""])[0] else'),
)
mutant(
    "lost_messages_have_the_limit",
    LIMIT,
    (
        "        self._stored.setdefault(image, deque()).appendleft(message)",
        "        if sum(map(len, self._stored.values())) < self._limit:\n"
        "            self._stored.setdefault(image, deque()).appendleft(message)",
    ),
)

reference("Assignments")

mutant(
    "known_for_ever",
    [KNOWN, COUNTED],
    ("return self._losses.pop(message, None) is not None", "return message in self._losses"),
)
mutant("always_new", [KNOWN, COUNTED], ("        if message in self._losses:\n            return False\n", ""))
mutant("an_empty_name_is_never_lost", COUNTED, ("if message is None or", "if not message or"))
mutant("any_busy_engine_releases_it", RELEASED, ("if self._has.get(engine) != message:", "if engine not in self._has:"))
# The late result of another engine ended the message; the engine that has it is never free again.
mutant(
    "the_end_releases_the_engine",
    RELEASED,
    (
        "        return self._losses.pop(message, None) is not None",
        "        self._has = {engine: each for engine, each in self._has.items() if each != message}\n"
        "        return self._losses.pop(message, None) is not None",
    ),
)
mutant(
    "an_ended_message_is_lost",
    COUNTED,
    ("if message is None or message not in self._losses:", "if message is None:"),
    ("        self._losses[message] += 1\n", "        self._losses[message] = self._losses.get(message, 0) + 1\n"),
)

reference("dispatch")

mutant("always_pushed", TO_ENGINE, ('"hand" if is_stored else "push"', '"push"'))
mutant(
    "a_lost_message_waits_last", QUEUED, ("(registry.append_first if was_lost else registry.append)", "registry.append")
)
mutant(
    "a_stored_message_is_promised_again",
    QUEUED,
    (
        "    if is_stored:\n        (registry.append_first if was_lost else registry.append)(message, image)\n"
        "        return []\n",
        "    if is_stored and not registry.promise(message, image):\n"
        "        (registry.append_first if was_lost else registry.append)(message, image)\n        return []\n",
    ),
    ('registry.promise(message, image) else "wait"', 'is_stored or registry.promise(message, image) else "wait"'),
)
mutant(
    "promised_although_an_engine_is_idle",
    TO_ENGINE,
    (
        "    engine = registry.take_engine(image)\n",
        "    has_place = not is_stored and registry.promise(message, image)\n"
        "    engine = registry.take_engine(image)\n",
    ),
    ('registry.promise(message, image) else "wait"', 'has_place else "wait"'),
)
mutant("stored_without_a_promise", PROMISED, ('"store" if registry.promise(message, image) else "wait"', '"store"'))

reference("Master")

# As in the original: a message that arrives is queued although an engine is idle.
mutant(
    "queued_although_an_engine_is_idle",
    [ROUTED, STRANDED, LOST, LATE, FULL],
    (
        "        self._messages[message].has_arrived = True\n        return self._dispatch(message)",
        "        self._messages[message].has_arrived = True\n"
        "        self._registry.append(message, self._messages[message].image)\n        return []",
    ),
)
mutant(
    "engine_handed_out_twice",
    [ROUTED, STRANDED, FULL],
    (
        "                self._assignments.assign(engine, message)\n",
        "                self._assignments.assign(engine, message)\n"
        '                if what == "hand":\n'
        "                    self._registry.add_engine(engine, *self._engines[engine])\n",
    ),
)
mutant(
    "a_lost_message_is_gone",
    [STRANDED, LOST, LATE, FULL, POISON, REAL],
    ("return self._dispatch(message, was_lost=True)", "return []"),
)
mutant(
    "a_lost_message_is_routed_like_a_new_one",
    [LOST, LATE, POISON],
    ("return self._dispatch(message, was_lost=True)", "return self._dispatch(message)"),
)
mutant(
    "forgotten_twice",
    [LATE, STRANDED, ROUTED],
    (
        '        orders = self._end(message, "forget")\n',
        '        orders = self._end(message, "forget") or [Order("forget", message)]\n',
    ),
)
mutant("an_empty_name_does_not_wait", ROUTED, ("if message is None:", "if not message:"))
mutant(
    "a_lost_message_has_not_arrived",
    LOST,
    (
        "        return self._dispatch(message, was_lost=True)",
        "        orders = self._dispatch(message, was_lost=True)\n"
        "        if orders and message in self._messages:\n            self._messages[message].has_arrived = False\n"
        "        return orders",
    ),
)
# As in the original.
mutant(
    "any_idle_engine_of_the_image_is_enough",
    [LEAVES, STRANDED],
    (
        "        is_idle = self._registry.remove_engine(engine)\n"
        '        return [Order("leave" if is_idle else "stay", None, engine)]',
        "        image, _ = self._engines.get(engine, (None, 0))\n"
        "        other = image and self._registry.take_engine(image)\n"
        "        if other:\n            self._registry.add_engine(other, *self._engines[other])\n"
        "        if other:\n            self._registry.remove_engine(engine)\n"
        "            del self._engines[engine]\n"
        '        return [Order("leave" if other else "stay", None, engine)]',
    ),
)
mutant(
    "leaves_and_stays_registered",
    [LEAVES, STRANDED],
    (
        "        is_idle = self._registry.remove_engine(engine)\n"
        '        return [Order("leave" if is_idle else "stay", None, engine)]',
        "        if not self._registry.remove_engine(engine):\n"
        '            return [Order("stay", None, engine)]\n'
        "        self._registry.add_engine(engine, *self._engines[engine])\n"
        '        return [Order("leave", None, engine)]',
    ),
)
mutant(
    "a_message_that_waits_stays_known",
    [FULL, STRANDED],
    ("                self._end(message, what)\n", "                pass\n"),
)
mutant(
    "store_forgets_losses",
    POISON,
    (
        '            elif what == "wait":\n',
        '            elif what == "store":\n                self._assignments.end(message)\n'
        "                self._assignments.begin(message)\n"
        '            elif what == "wait":\n',
    ),
)
mutant(
    "losses_survive_a_wait",
    FULL,
    (
        "        self._registry, self._assignments =",
        "        self._losses = Counter[str]()\n        self._registry, self._assignments =",
    ),
    ("        message, losses = lost\n", "        message, _ = lost\n        self._losses[message] += 1\n"),
    ("if losses >= self._tries:", "if self._losses[message] >= self._tries:"),
    (
        "        self._registry.remove_message(message)\n",
        '        if order != "wait":\n            del self._losses[message]\n'
        "        self._registry.remove_message(message)\n",
    ),
)
mutant(
    "an_engine_that_registers_again_keeps_its_message",
    [LOST, LATE, POISON],
    ("        orders = self.lost(engine)  # an engine that registers again has no message\n", "        orders = []\n"),
    (
        "        return orders + self._next(engine)\n\n    def done",
        "        has = self._assignments._has\n"
        "        return orders if engine in has else self._next(engine)\n\n    def done",
    ),
)
survivor(
    "Registry",
    "self._limit, self._turn = limit, 0",
    "self._limit, self._turn = limit, 1",
    reason="equivalent: only the order of the turns counts",
)
survivor(
    "Registry",
    "self._limit, self._turn = limit, 0",
    "self._limit, self._turn = limit, -1",
    reason="equivalent: only the order of the turns counts",
)
survivor("Registry", "self._turn += 1", "self._turn += 2", reason="equivalent: only the order of the turns counts")
survivor(
    "Registry",
    "self._idle.setdefault(image, {})[engine] = worker, -self._turn",
    "self._idle.setdefault(image, {})[engine] = worker, ~self._turn",
    reason="equivalent: only the order of the turns counts",
)
survivor(
    "Master",
    "if losses >= self._tries:",
    "if losses == self._tries:",
    reason="equivalent: losses are counted one by one, and the message ends there",
)
survivor(
    "Master",
    'elif what == "wait":',
    'elif what >= "wait":',
    reason="equivalent: without an engine the order is store or wait",
)
