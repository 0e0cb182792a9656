"""Sandboxes that run a learner's cells where they can do no harm, and report events as lines of JSON.

Levels: `bubblewrap` (separate namespaces, an allowlist of read-only files, no network but loopback), `container` (a
docker container from an image without the kit) and `process` (limits only, for your own code).
`autograder.judge` interprets the events.
"""

from autograder.sandbox.handles import SandboxUnavailable
from autograder.sandbox.levels import LEVELS, choose_level, open_sandbox
from autograder.sandbox.process import Sandbox, SandboxDied

__all__ = ["LEVELS", "Sandbox", "SandboxDied", "SandboxUnavailable", "choose_level", "open_sandbox"]
