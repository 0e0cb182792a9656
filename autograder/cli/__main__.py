"""Runs a verb with `python -m autograder.cli`; a user's mistake is one line on stderr and exit code 2."""

import sys

try:
    from autograder.cli.main import run
except KeyboardInterrupt:  # the imports take a moment
    print("lab: stopped; what was written stays", file=sys.stderr)
    sys.exit(130)

run()
