"""Wrong versions of `spark_step`, each with the checks that must catch it."""

from autograder.checks.mutant_markers import mutant, reference

ADD_UP = "batches_add_up_to_the_centralized_answer"
OWNER = "each_bucket_is_processed_by_its_owner"
STAYS = "state_is_not_shuffled"
TIME = "time_passes_for_buckets_without_rows"
AGAIN = "a_step_that_is_repeated_gives_the_same_rows"

reference("spark_step")

# Processes rows of one time in the order in which Spark delivers them.
mutant("sorted_by_time_alone", ADD_UP, ("key=order_of", 'key=lambda each: each.row["t"]'))
# An operator may put another dict in place of its state.
mutant(
    "state_read_before_the_run",
    [ADD_UP, TIME, AGAIN],
    ("            output = ", "            state_now = instance.state\n            output = "),
    ("(instance.state, output)", "(state_now, output)"),
)


# Spark's own choice: the remainder of the hash.
@mutant("placed_by_remainder", [OWNER, STAYS])
def spark_step(make, state, arrivals, until_ms, bucket, owners):
    tagged = arrivals.map(lambda arrival: (bucket(arrival), arrival))
    return state.cogroup(tagged, owners.instances).map(step_of(make, until_ms))


def step_of(make, until_ms):
    def step(pair):
        number, (states, rows) = pair
        instance = make()
        for kept in states:
            instance.state = kept
        output = instance.run(sorted(rows, key=order_of), until_ms)
        return number, (instance.state, output)

    return step
