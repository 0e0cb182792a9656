"""Wrong versions of split, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

STARTS = "a_stateful_operator_starts_a_subquery"
BEFORE = "operators_before_any_stateful_one_stay_together"
LATER = "several_inputs_after_a_stateful_operator_start_a_subquery"
STREAMS = "a_subquery_names_the_streams_that_cross_its_border"

reference("split")

mutant(
    "a_stateful_operator_ends_a_subquery",
    [STARTS, BEFORE, LATER, STREAMS],
    (
        "starts = node.operator.stateful or",
        "starts = any(n.operator.stateful for n in query.nodes if set(n.outputs) & set(node.inputs)) or",
    ),
)
# Follows the paper's sentence literally.
mutant(
    "every_union_starts_one", [BEFORE, STREAMS], ("(is_downstream and len(node.inputs) > 1)", "len(node.inputs) > 1")
)
mutant("goes_with_its_first_input", [LATER, STREAMS], (" or (is_downstream and len(node.inputs) > 1)", ""))

mutant(
    "only_of_two_inputs",
    LATER,
    ("(is_downstream and len(node.inputs) > 1)", "(is_downstream and len(node.inputs) == 2)"),
)


# Automatic mutants that no check can catch

survivor(
    "split",
    "is_downstream = any(home[stream] is not stateless for stream in node.inputs)",
    "is_downstream = any(home[stream] != stateless for stream in node.inputs)",
    reason="equivalent: no two subqueries hold the same names",
)
survivor(
    "split",
    "names = [] if starts else home[node.inputs[0]]",
    "names = [] if starts else home[node.inputs[ -1]]",
    reason="equivalent: all inputs come from one subquery here",
)
survivor(
    "split",
    "starts = node.operator.stateful or (is_downstream and len(node.inputs) > 1)",
    "starts = node.operator.stateful or (is_downstream and len(node.inputs) != 1)",
    reason="equivalent: an operator has 1 input or more",
)
