"""Judges one submission on Gradescope, in the container that it starts for it; `./lab pack --for gradescope` packs it.

`submission` finds the student and the notebooks, `run` judges, `own_account` runs the student's code as an account that
can read none of it, and `results` writes Gradescope's format. Gradescope calls `setup.sh` and `run_autograder`.
"""
