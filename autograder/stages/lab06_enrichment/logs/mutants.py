"""Wrong versions of `classify_logs`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

LABELS = "labels_and_scores_are_those_of_the_model_of_the_service"
ROWS = "log_lines_come_out_as_they_came_in"
ONE = "a_model_has_one_session_and_a_batch_one_run"
RELEASED = "an_evicted_session_is_released"
NO_LABEL = "what_cannot_be_classified_has_no_label"

reference("classified")

mutant(
    "one_model_for_all",
    [LABELS, ONE, NO_LABEL],
    ("sessions.get(service)", "sessions.get(0)"),
    ("sessions.put(service, model)", "sessions.put(0, model)"),
    task="classify_logs",
)

reference("classify_logs")

mutant(
    "grouped_by_service",
    ROWS,
    (
        "yield batch.assign(label=labels, score=scores)",
        'yield batch.assign(label=labels, score=scores).sort_values("service", kind="stable")',
    ),
)

reference("classified")

mutant(
    "no_model_is_remembered",
    NO_LABEL,
    ("sessions: Any)", "sessions: Any, missing=set())"),
    (
        "        model = open_session(service)\n",
        "        if service in missing:\n            raise LookupError\n"
        "        missing.add(service)\n        model = open_session(service)\n        missing.discard(service)\n",
    ),
    task="classify_logs",
)
mutant("a_session_for_each_batch", ONE, ("if model is None:", "if True:"), task="classify_logs")

reference("classify_logs")

mutant(
    "sessions_kept",
    RELEASED,
    ("    for batch in batches:", "    opened = []\n    for batch in batches:"),
    (
        "classified(service, content[at], open_session, sessions)",
        "classified(service, content[at], lambda name: opened.append(open_session(name)) or opened[-1], sessions)",
    ),
)
mutant("blanks_guessed", NO_LABEL, ("isinstance(text, str) and bool(text.strip())", "isinstance(text, str)"))

survivor(
    "classify_logs",
    "at = np.flatnonzero(readable & (services == service))",
    "at = np.flatnonzero(readable * (services == service))",
    reason="equivalent for truth values of numpy",
)
survivor(
    "classify_logs",
    "at = np.flatnonzero(readable & (services == service))",
    "at = np.flatnonzero(readable // (services == service))",
    reason="equivalent for truth values of numpy",
)
survivor(
    "classify_logs",
    'labels, probabilities = model.run(["label", "probabilities"], {"text": texts.reshape(-1, 1)})',
    'labels, probabilities = model.run(["label", "probabilities"], {"text": texts.reshape(- 2, 1)})',
    reason="equivalent: numpy takes every negative length for the one that is left",
)
survivor(
    "classify_logs",
    'labels, probabilities = model.run(["label", "probabilities"], {"text": texts.reshape(-1, 1)})',
    'labels, probabilities = model.run(["label", "probabilities"], {"text": texts.reshape(~1, 1)})',
    reason="equivalent: numpy takes every negative length for the one that is left",
)
