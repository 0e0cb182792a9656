"""Slows the baseline in the throughput check: timers wake a stopped process, and its uncounted children burn time."""

NAMED = "would not wait for its turn"
NAMED_IN_CONTAINER = "called into C libraries (ctypes)"  # a container is frozen, and no timer wakes what is frozen
TASKS = ["count_words"]
THROUGHPUT = True

import ctypes
import multiprocessing
import os
import signal
import time


def burn_by_a_child(*_):
    try:
        child = os.fork()
    except OSError:
        return
    if child == 0:
        until = time.monotonic() + 0.08
        while time.monotonic() < until:
            pass
        os._exit(0)
    os.kill(os.getpid(), signal.SIGSTOP)


def spend():
    class SignalEvent(ctypes.Structure):
        value = ("value", ctypes.c_void_p)
        _fields_ = [value, ("signal", ctypes.c_int), ("notify", ctypes.c_int), ("rest", ctypes.c_char * 48)]

    class Times(ctypes.Structure):
        _fields_ = [(name, ctypes.c_long) for name in ("every_s", "every_ns", "first_s", "first_ns")]

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel forgets the children and their time
    signal.signal(signal.SIGCONT, burn_by_a_child)
    C = ctypes.CDLL(None)
    for number in range(1, 1200):
        timer, first_ms = ctypes.c_void_p(), number * 100
        C.timer_create(0, ctypes.byref(SignalEvent(None, int(signal.SIGCONT), 0, b"")), ctypes.byref(timer))
        first = Times(0, 0, first_ms // 1000, first_ms % 1000 * 1_000_000)
        C.timer_settime(timer, 0, ctypes.byref(first), None)
    while True:
        time.sleep(1000)


multiprocessing.get_context("fork").Process(target=spend, daemon=True).start()
