"""`check("count_words")` and `hint("count_words")` for notebooks; the autograder implements them."""

from streamlab.notebooks.door import notebook_check


def check(task: str) -> None:
    """Run the notebook's own `task` on the public cases and print a verdict for each check. It gives no marks."""
    notebook_check().check(task)


def hint(task: str, number: int | None = None) -> None:
    """Print the next hint of a task, or hint 1, 2 or 3: a question, a nudge, nearly the answer."""
    notebook_check().hint(task, number)
