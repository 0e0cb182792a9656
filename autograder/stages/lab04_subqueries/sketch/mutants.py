"""Wrong versions of `distinct_count`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference, survivor

LIFT = "a_value_sets_the_register_of_its_first_bits"
MERGED = "merged_registers_are_those_of_all_values"
ESTIMATE = "the_estimate_follows_from_the_registers"
ERRORS = "estimates_are_within_three_standard_errors"
INVALID = "p_outside_7_to_16_raises_value_error"

reference("distinct_count")

# Another value in each process, and a whole number is its own hash.
mutant(
    "hash_of_python",
    [LIFT, MERGED, ERRORS],
    ("divmod(hash64(value), 2**rest_bits)", "divmod(hash(value) % 2**64, 2**rest_bits)"),
)
mutant("the_last_one_wins", MERGED, ("bytes(map(max, a, b))", "bytes(y or x for x, y in zip(a, b))"))
mutant("no_small_range", [ESTIMATE, ERRORS], ("if zeros and estimate", "if estimate < 0 and estimate"))
mutant("always_by_zeros", ESTIMATE, ("zeros and estimate <= 2.5 * registers", "zeros"))
# As in the paper, for hashes of 32 bits.
mutant(
    "corrects_large_estimates",
    ESTIMATE,
    (
        "        return estimate\n",
        "        large = -(2**32) * math.log(1 - min(estimate / 2**32, 0.9))\n"
        "        return large if estimate > 2**32 / 30 else estimate\n",
    ),
)
mutant("any_p", INVALID, ("if not 7 <= p <= 16:", "if p < 0 or p > 62:"))

# Automatic mutants that no check can catch

survivor(
    "distinct_count",
    "partial[number] = rest_bits - rest.bit_length() + 1",
    "partial[number] = rest_bits % rest.bit_length() + 1",
    reason="equivalent for every hash without 28 zeros in a row",
)
survivor(
    "distinct_count",
    "if zeros and estimate <= 2.5 * registers:",
    "if zeros and estimate < 2.5 * registers:",
    reason="equivalent: no quotient of 0.7213 / (1 + 1.079 / m) and a sum of powers of two is 2.5 * m",
)
