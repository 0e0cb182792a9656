"""Settings of the JupyterLab that a JupyterHub starts: users work in their own copies of the labs, in their homes."""

from traitlets.config import get_config

from autograder.cli.context import WORK, course, place_work
from autograder.cli.learner import copy_of_starter, workspaces

for lab in course().labs:
    copy_of_starter(lab)
place_work(WORK)
settings = get_config()
settings.ServerApp.root_dir = str(WORK)
settings.LabApp.workspaces_dir = str(workspaces(WORK / ".jupyter" / "workspaces"))
