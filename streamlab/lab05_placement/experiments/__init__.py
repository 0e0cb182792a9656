"""The experiments of Lab 5; `autograder.cli.experiment` runs the long ones."""
