"""The grader's patience: a loop without end in a cell, which ignores every signal that it can.

Stock nbgrader: the kernel does not stop when it is interrupted; no grade, and a process that goes on.
"""

NAMED = "left out"
EVERY_LAB = True

import signal

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM, signal.SIGXCPU):
    signal.signal(number, signal.SIG_IGN)
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
