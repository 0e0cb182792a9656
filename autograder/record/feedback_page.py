"""The feedback page for a student: nbgrader's page, with the names of tasks and questions instead of "Test cell"."""

from pathlib import Path
from typing import Any

import nbgrader
from nbconvert.exporters import HTMLExporter
from traitlets import default

TEMPLATES = Path(__file__).with_name("feedback_template")
FORM_GRADER = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader"


class FeedbackExporter(HTMLExporter):
    """nbconvert's HTMLExporter with this course's template, which extends nbgrader's."""

    @default("template_paths")
    def _template_paths(self, prune: bool = True, root_dirs: Any = None) -> list[str]:
        """Return the folders to search for templates: this course's, nbgrader's (one level up), nbconvert's."""
        return [str(TEMPLATES), str(FORM_GRADER), *super()._template_paths(prune, root_dirs)]
