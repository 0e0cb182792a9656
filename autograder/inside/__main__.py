"""`python -m autograder.inside`: the sandbox's program."""

from autograder.inside.runner import main

main()
