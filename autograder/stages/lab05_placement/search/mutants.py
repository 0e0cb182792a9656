"""Wrong versions of first_placement and best_move, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

ORDER = "next_is_the_one_with_most_traffic_to_those_placed"
WHERE = "each_goes_where_its_links_cost_least"
MOST = "no_other_move_or_swap_saves_more"
ONLY = "a_change_comes_only_if_it_lowers_the_cost"

reference("first_placement")

mutant(
    "most_traffic_of_all",
    [ORDER, WHERE],
    ("key=lambda each: pull[each]", "key=lambda each: sum(map(sum, links.of(each).values()))"),
)
mutant("received_only", [ORDER, WHERE], ("{other: sum(flow) for", "{other: flow.sent for"))

mutant("whole_bytes_pull", ORDER, ("key=lambda each: pull[each]", "key=lambda each: int(pull[each])"))
mutant(
    "small_costs_are_equal",
    WHERE,
    (
        "key=lambda node: cost_at(chosen, node, placement, links, topology)",
        "key=lambda node: round(cost_at(chosen, node, placement, links, topology), 3)",
    ),
)

reference("best_move")

mutant("only_to_used_nodes", [MOST, ONLY], ("if used[node] < len(cores):", "if 0 < used[node] < len(cores):"))
mutant("only_if_it_saves_something", [MOST, ONLY], ("[(0, {})]", "[(0.001, {})]"))
mutant("only_if_it_saves_a_share", [MOST, ONLY], ("[(0, {})]", "[(0.001 * now, {})]"))

mutant(
    "first_that_helps",
    MOST,
    (
        "return max(changes, key=lambda each: each[0])[1]",
        "return next((change for gain, change in changes if gain > 0), {})",
    ),
)
mutant("half_a_swap", [MOST, ONLY], ("{instance: there, other: here}", "{instance: there}"))

survivor(
    "best_move",
    "if used[node] < len(cores):",
    "if used[node] != len(cores):",
    reason="equivalent: no node has more instances than cores",
)
