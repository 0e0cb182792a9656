"""nbgrader's settings for this course; autograder/record/settings.py explains most of them."""

from autograder.grading.exports.plugins import PlainExport
from autograder.record.settings import configure

config = get_config()  # noqa: F821  (nbgrader defines it)
configure(config)
config.ExportApp.plugin_class = PlainExport  # here, since `grading` is above `record`; only `nbgrader export` uses it
