"""Starts daemons that leave the process's session and wait for the next student.

Stock nbgrader: they survive the grading.
"""

NAMED = "started another process"
EVERY_LAB = True

import os
import subprocess

for _ in range(5):
    subprocess.Popen(["sleep", "3600"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", "3601"])
    os._exit(0)
