"""Wrong versions of `Registry` and `Master`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, survivor

LOWEST = "the_engine_on_the_lowest_worker_is_taken"
OLDEST = "the_oldest_message_of_its_image_comes_first"
LIMIT = "promised_and_stored_messages_share_the_limit"
ROUTED = "a_message_goes_to_an_idle_engine_and_otherwise_to_the_backlog"
STRANDED = "no_message_is_stranded_in_any_order_of_events"
LOST = "a_lost_engine_loses_no_message"
LATE = "a_late_result_counts_once"
LEAVES = "an_engine_leaves_only_when_no_message_is_on_its_way_to_it"
FULL = "a_full_backlog_makes_connectors_wait"
POISON = "a_message_that_kills_every_engine_is_given_up"
INVALID = "invalid_limits_and_tries_raise_value_error"
REAL = "no_message_is_lost_when_real_engines_are_killed_and_frozen"

# Registry

mutant(
    "newest_first",
    OLDEST,
    ("return self._stored[image].popleft()", "return self._stored[image].pop()"),
    of="Registry",
)
mutant(
    "images_mixed",
    [OLDEST, LIMIT],
    (
        "return self._stored[image].popleft() if self._stored.get(image) else None",
        "return next((queue.popleft() for queue in self._stored.values() if queue), None)",
    ),
    of="Registry",
)
mutant("idle_longest", LOWEST, ("[engine] = worker, -self._turn", "[engine] = worker, self._turn"), of="Registry")
mutant("stored_only", LIMIT, ("if len(self._promised) + sum(", "if sum("), of="Registry")

# Master

# No message is sent peer to peer.
mutant(
    "always_the_backlog",
    [ROUTED, LOST, LATE, LEAVES, FULL, POISON, INVALID],
    (
        "        self._messages[message] = Message(image)\n        return self._route(message)",
        "        self._messages[message] = Message(image)\n        if self._registry.promise(message, image):\n"
        '            return [Order("store", message)]\n        return self._route(message)',
    ),
    of="Master",
)
# As in the original: a message that arrives is queued although an engine is idle.
mutant(
    "queued_although_an_engine_is_idle",
    [ROUTED, STRANDED, LOST, LATE, FULL],
    (
        "        self._messages[message].stored = True\n        return self._route(message)",
        "        self._messages[message].stored = True\n"
        "        self._registry.append(message, self._messages[message].image)\n        return []",
    ),
    of="Master",
)
mutant(
    "engine_handed_out_twice",
    [ROUTED, STRANDED, FULL],
    (
        "        if (engine := self._registry.take_engine(message.image)) is not None:\n",
        "        if (engine := self._registry.take_engine(message.image)) is not None:\n"
        "            if message.stored:\n                self._registry.add_engine(engine, *self._engines[engine])\n",
    ),
    of="Master",
)
mutant(
    "a_lost_message_is_gone",
    [STRANDED, LOST, LATE, FULL, POISON, INVALID, REAL],
    ("        return self._route(message, first=True)", "        return []"),
    of="Master",
)
mutant(
    "a_lost_message_waits_last",
    [LOST, LATE, POISON],
    ("        return self._route(message, first=True)", "        return self._route(message)"),
    of="Master",
)
mutant(
    "late_results_are_ignored",
    [LATE, STRANDED, ROUTED],
    (
        '        orders = self._finish(message, "forget")\n        if self._assigned.get(engine) == message:\n',
        "        orders = []\n        if self._assigned.get(engine) == message:\n"
        '            orders = self._finish(message, "forget")\n',
    ),
    of="Master",
)
mutant(
    "forgotten_twice",
    [LATE, STRANDED, ROUTED],
    (
        '        orders = self._finish(message, "forget")\n',
        '        orders = self._finish(message, "forget") or [Order("forget", message)]\n',
    ),
    of="Master",
)
# As in the original.
mutant(
    "any_idle_engine_of_the_image_is_enough",
    [LEAVES, STRANDED],
    (
        "        if not self._registry.remove_engine(engine):\n",
        "        image, _ = self._engines.get(engine, (None, 0))\n"
        "        other = image and self._registry.take_engine(image)\n"
        "        if other:\n            self._registry.add_engine(other, *self._engines[other])\n"
        "        if other and not self._registry.remove_engine(engine):\n"
        '            return [Order("leave", None, self._engines.pop(engine) and engine)]\n'
        "        if other is None:\n",
    ),
    of="Master",
)
mutant(
    "leaves_and_stays_registered",
    [LEAVES, STRANDED],
    (
        "        del self._engines[engine]\n        return [",
        "        self._registry.add_engine(engine, *self._engines[engine])\n        return [",
    ),
    of="Master",
)
mutant(
    "a_message_that_waits_stays_known",
    [FULL, STRANDED],
    ('        return self._finish(name, "wait")', '        return [Order("wait", name)]'),
    of="Master",
)
mutant(
    "never_given_up",
    [POISON, INVALID],
    ("if self._messages[message].losses >= self._tries:", "if False:"),
    of="Master",
)
mutant(
    "store_forgets_losses",
    POISON,
    (
        '            return [Order("store", name)]\n',
        '            message.losses = 0\n            return [Order("store", name)]\n',
    ),
    of="Master",
)
mutant(
    "losses_survive_a_wait",
    FULL,
    (
        "        self._registry, self._tries =",
        "        self._losses = Counter[str]()\n        self._registry, self._tries =",
    ),
    ("        self._messages[message].losses += 1\n", "        self._losses[message] += 1\n"),
    ("if self._messages[message].losses >= self._tries:", "if self._losses[message] >= self._tries:"),
    (
        "        self._registry.remove_message(name)\n",
        '        if order != "wait":\n            del self._losses[name]\n        self._registry.remove_message(name)\n',
    ),
    of="Master",
)
mutant(
    "an_engine_that_registers_again_keeps_its_message",
    [LOST, LATE, POISON],
    ("        orders = self.lost(engine)  # an engine that registers again has no message\n", "        orders = []\n"),
    (
        "        return orders + self._next(engine)\n\n    def done",
        "        return orders if engine in self._assigned else self._next(engine)\n\n    def done",
    ),
    of="Master",
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
survivor(
    "Registry",
    "self._turn += 1",
    "self._turn += 2",
    reason="equivalent: only the order of the turns counts",
)
survivor(
    "Registry",
    "self._idle.setdefault(image, {})[engine] = worker, -self._turn",
    "self._idle.setdefault(image, {})[engine] = worker, ~self._turn",
    reason="equivalent: only the order of the turns counts",
)
survivor(
    "Master",
    "if self._messages[message].losses >= self._tries:",
    "if self._messages[message].losses == self._tries:",
    reason="equivalent: losses are counted one by one, and the message ends there",
)
