"""Other right solutions of `with_refunds`; each must get full marks."""

from pyspark.sql import functions as F

from autograder.checks.mutant_markers import alternative


# The refunds are on the left side, and the bounds are those of the payment.
@alternative("right_outer")
def with_refunds(payments, refunds, within_s, watermark_s):
    if within_s < 1 or watermark_s < 0:
        raise ValueError("at least a second, and a watermark of 0 or more seconds")
    late = f"{watermark_s} seconds"
    paid, back = payments.withWatermark("at", late), refunds.withWatermark("refunded_at", late)
    is_in_time = F.expr(f"at <= refunded_at AND at > refunded_at - INTERVAL {within_s} SECONDS")
    both = back.join(paid, (F.col("payment_id") == F.col("id")) & is_in_time, "right_outer")
    return both.select("id", "account", "cents", "at", "refund_id", "refund_cents", "refunded_at")
