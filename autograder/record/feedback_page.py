"""The page that a student gets back: nbgrader's, with tasks and questions by their names instead of "Test cell"."""

from pathlib import Path
from typing import Any

import nbgrader
from nbconvert.exporters import HTMLExporter
from traitlets import default

OURS = Path(__file__).with_name("feedback_template")
FORM_GRADER = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader"


class NamesTasks(HTMLExporter):
    """nbconvert's HTMLExporter with a template of this course, which extends nbgrader's."""

    @default("template_paths")
    def _template_paths(self, prune: bool = True, root_dirs: Any = None) -> list[str]:
        """Where templates are looked for: ours, nbgrader's (from their folder's parent), nbconvert's."""
        return [str(OURS), str(FORM_GRADER), *super()._template_paths(prune, root_dirs)]
