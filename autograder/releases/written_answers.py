"""Carries a written answer to its question as the present release has it."""

from collections.abc import Sequence

WRITE_HERE = "*Write your answer below this line.*\n\n---"  # ends every question


def carried_answer(parts: Sequence[str], released: str) -> str | None:
    """Return the released question with the learner's answer, which may stand in several cells; None without an answer.

    An answer to another question than the released one is carried with its question.
    """
    question = released.partition(WRITE_HERE)[0].strip()
    pairs = [_question_and_answer(part.strip(), question) for part in parts]
    answers = [answer for _, answer in pairs if answer]
    if all(each in ("", question) for each, _ in pairs):
        return "\n\n".join([released.rstrip(), *answers]) if answers else None
    is_above_the_line = any(each.startswith(question) for each, _ in pairs)
    return "\n\n".join(parts) if answers or is_above_the_line else None


def _question_and_answer(part: str, question: str) -> tuple[str, str]:
    """Split a cell at the line; without the line, only the released question is recognized."""
    if WRITE_HERE in part:
        before, _, after = part.partition(WRITE_HERE)
        return before.strip(), after.strip()
    is_with_question = part.startswith(question)
    return (question, part.removeprefix(question).strip()) if is_with_question else ("", part)
