"""Run the runner on a learner's cells where it can do no harm; give back lines of JSON.

Levels: `bubblewrap` (own namespaces, a white list of read-only files, no network but loopback), `container` (a docker
container of an image without the kit) and `process` (limits only: for one's own code).
Keeps out: what the lines mean (autograder.judge).
"""

from autograder.sandbox.handles import SandboxUnavailable
from autograder.sandbox.levels import LEVELS, choose_level, open_sandbox
from autograder.sandbox.process import Sandbox, SandboxDied

__all__ = ["LEVELS", "Sandbox", "SandboxDied", "SandboxUnavailable", "choose_level", "open_sandbox"]
