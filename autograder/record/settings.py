"""nbgrader's settings for this course; nbgrader_config.py and `./lab grade` both use them."""

import os
import re
import sys
from pathlib import Path
from typing import Any

from autograder.classroom.class_release import release_of
from autograder.classroom.folder import Classroom
from autograder.record.class_list import accept_spreadsheets
from autograder.record.journal import watch_marks
from autograder.record.sources import refresh_sources
from streamlab.notebooks.labfile import NOTEBOOK_BYTES_MAX

AFTER_JUDGING = (
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "autograder.record.manual_grades.SaveGrades",
    "autograder.record.applied_policy.PolicyPenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
)
GENERATE = (
    "nbgrader.preprocessors.IncludeHeaderFooter",
    "nbgrader.preprocessors.LockCells",
    "autograder.builder.release.TaskStubs",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.CheckCellMetadata",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.SaveCells",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbgrader.preprocessors.ComputeChecksums",
    "nbgrader.preprocessors.CheckCellMetadata",
)


def configure(config: Any, classroom: Classroom | None = None) -> None:
    """Set `config` (traitlets) for the class, and build its source notebooks if they are out of date."""
    classroom = classroom or Classroom.of_this_kit()
    _put_alembic_on_path()
    classroom.close_to_others()
    release_of(classroom)  # before nbgrader creates the gradebook, by which an older class is recognized
    refresh_sources(classroom)
    accept_spreadsheets()
    watch_marks()
    _folders(config, classroom)
    config.GenerateAssignment.preprocessors = list(GENERATE)
    config.Autograde.exporter_class = "autograder.record.exporter.IntakeExporter"
    config.Autograde.autograde_preprocessors = ["autograder.record.verdict_cells.JudgedVerdicts", *AFTER_JUDGING]
    config.Autograde.pre_convert_hook = "autograder.record.exporter.set_irregular_files_aside"
    config.OverwriteCells.add_missing_cells = True
    config.GenerateFeedback.exporter_class = "autograder.record.feedback_page.FeedbackExporter"
    config.HTMLExporter.preprocessors = ["autograder.record.sanitizer.SanitizeMarkdown"]
    config.ExchangeFactory.collect = "autograder.record.collection.SafeCollect"


def _folders(config: Any, classroom: Classroom) -> None:
    config.CourseDirectory.root = str(classroom.folder)
    config.CourseDirectory.groupshared = classroom.is_shared
    config.CourseDirectory.max_file_size = NOTEBOOK_BYTES_MAX // 1000  # nbgrader ignores larger files without a word
    config.CourseDirectory.course_id = re.sub(r"[^a-z0-9]+", "-", classroom.course.course.lower()).strip("-")
    config.CourseDirectory.db_url = classroom.database
    config.CourseDirectory.solution_directory = "with_solutions"  # nbgrader's default is too similar to solutions/
    exchange = os.environ.get("STREAMLAB_EXCHANGE")
    if exchange:
        config.Exchange.root = exchange


def _put_alembic_on_path() -> None:
    """Add this Python's programs to PATH, since nbgrader runs alembic to create a new gradebook."""
    programs = str(Path(sys.executable).parent)
    if programs not in os.environ.get("PATH", "").split(os.pathsep):
        os.environ["PATH"] = os.pathsep.join([programs, os.environ.get("PATH", os.defpath)])
