"""Errors are reported in the learner's terms, including those that Spark wraps."""

from streamlab.notebooks.causes import Cause, cause_of

SPARKS_REPORT = """An error occurred while calling z:org.apache.spark.api.python.PythonRDD.collectAndServe.
: org.apache.spark.SparkException: Job aborted due to stage failure
org.apache.spark.api.python.PythonException: Traceback (most recent call last):
  File "/usr/lib/python3/pyspark/worker.py", line 1247, in main
    process()
  File "<count_words>", line 3, in count
ValueError: no words: in this line

\tat org.apache.spark.api.python.BasePythonRunner.run(PythonRunner.scala:572)
Caused by: java.lang.Exception: x
"""


def test_the_error_of_a_worker_is_extracted_from_sparks_report() -> None:
    assert cause_of(RuntimeError(SPARKS_REPORT)) == Cause("ValueError", "no words: in this line", 3, "count_words")


def test_a_line_number_in_a_running_notebook_is_found() -> None:
    in_a_notebook = SPARKS_REPORT.replace("<count_words>", "/tmp/ipykernel_71/1234.py").replace("line 3", "line 5")

    assert cause_of(RuntimeError(in_a_notebook)) == Cause("ValueError", "no words: in this line", 5)


def test_an_error_in_this_process_has_its_kind_message_and_cell_line() -> None:
    try:
        exec(compile("x = 1\nraise KeyError('a\\nb')", "<words>", "exec"), {})
    except KeyError as problem:
        cause = cause_of(problem)

    assert (cause.kind, cause.line, cause.cell) == ("KeyError", 2, "words")
    assert "\n" not in cause.message


def test_a_long_message_that_is_cut_says_so() -> None:
    in_java = cause_of(RuntimeError(f"java.lang.RuntimeException: it failed\nCaused by: a.B: {'x' * 400}\n"))
    in_python = cause_of(ValueError("y" * 301))

    assert in_java.message == "x" * 299 + "…"
    assert in_python.message == "y" * 299 + "…"
    assert cause_of(ValueError("y" * 300)).message == "y" * 300


def test_an_error_without_a_message_still_has_its_kind() -> None:
    assert cause_of(AssertionError()) == Cause("AssertionError", "", 0)


def test_the_root_cause_of_chained_java_errors_is_reported() -> None:
    report = (
        "An error occurred while calling o1.collectToPython.\n: org.apache.spark.SparkException: cannot read\n"
        "\tat org.apache.spark.A.b(A.scala:1)\nCaused by: java.lang.RuntimeException: it failed\n\tat c.D.e(D.java:2)\n"
        "Caused by: java.lang.ClassNotFoundException: Class f.G not found\n\t... 3 more\n"
    )
    assert cause_of(RuntimeError(report)) == Cause("ClassNotFoundException", "Class f.G not found", 0)
