"""Wrong versions of `with_refunds`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

PAIRS = "a_refund_joins_its_payment_within_the_time_bound"
WAITS = "a_payment_without_a_refund_waits_for_the_watermark"
LAB_4 = "pairs_are_those_of_your_lab_4"

reference("with_refunds")

# A refund may also come before its payment.
mutant("both_directions", [PAIRS, LAB_4], ("refunded_at >= at ", "refunded_at >= at - INTERVAL {within_s} SECONDS "))
# Waits half as long for late rows.
mutant("half_the_delay", WAITS, ('f"{watermark_s} seconds"', 'f"{watermark_s / 2} seconds"'))
