"""Wrong versions of cpus and read_topology, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

RANGES = "ranges_include_both_ends"
LINUX = "what_linux_does_not_print_raises_value_error"
CORES = "each_core_belongs_to_the_node_that_lists_it"
COLUMNS = "distances_have_a_column_for_each_online_node"
LEFT_OUT = "cores_that_may_not_be_used_are_left_out"
DAMAGED = "a_damaged_tree_raises_value_error"

reference("cpus")


mutant(
    "ends_compared_as_texts",
    LINUX,
    ("int(ends[0]) > int(ends[-1])", "ends[0] > ends[-1] and len(ends[0]) >= len(ends[-1])"),
)
mutant(
    "digits_of_the_first_end",
    LINUX,
    ("end.isascii() and end.isdecimal() for end", "first.isascii() and end.isdecimal() for end"),
)
mutant("only_an_empty_line_is_empty", RANGES, ("if text.strip() else []", 'if text.strip("\\n") else []'))
mutant("tabs_stay", RANGES, ('text.strip().split(",")', 'text.strip(" \\n").split(",")'))

reference("read_topology")

mutant(
    "equal_blocks",
    [CORES, LEFT_OUT],
    (
        "return Topology(cores, distance)",
        "every = sorted(core for own in cores.values() for core in own)\n"
        "    share = -(-len(every) // len(nodes))\n"
        "    return Topology({node: every[share * at : share * at + share] for at, node in enumerate(nodes)}, distance)",
    ),
)
mutant(
    "column_is_the_number",
    COLUMNS,
    (
        "dict(zip(nodes, map(int, row), strict=True))",
        "{other: int(row[other % len(row)] if other < len(row) else far) for other, far in zip(nodes, row)}",
    ),
)
mutant(
    "transposed",
    [COLUMNS, DAMAGED],
    (
        "return Topology(cores, distance)",
        "return Topology(cores, {a: {b: distance[b][a] for b in nodes} for a in nodes})",
    ),
)
mutant(
    "in_the_order_of_the_allowed",
    LEFT_OUT,
    (
        "[core for core in listed if allowed is None or core in allowed]",
        "[core for core in allowed or listed if core in listed]",
    ),
)
mutant("begins_with_10", DAMAGED, ('row[nodes.index(node)] != "10"', 'not row[nodes.index(node)].startswith("10")'))
mutant("first_line_only", DAMAGED, ("path.read_text().split()", 'path.read_text().partition("\\n")[0].split()'))
mutant("words_raise_without_the_path", DAMAGED, ("not are_numbers or ", ""))

survivor(
    "read_topology",
    "distance[node] = dict(zip(nodes, map(int, row), strict=True))",
    "distance[node] = dict(zip(nodes, map(int, row), strict=False))",
    reason="equivalent: both have one length here",
)
