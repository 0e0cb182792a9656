"""Slows the baseline in the throughput check: kernel timers wake the stopped process, which burns processor time."""

NAMED = "would not wait for its turn"
NAMED_IN_CONTAINER = "called into C libraries (ctypes)"  # a container is frozen, and no timer wakes what is frozen
TASKS = ["count_words"]
THROUGHPUT = True

import ctypes
import multiprocessing
import signal


def burn():
    class SignalEvent(ctypes.Structure):
        value = ("value", ctypes.c_void_p)
        _fields_ = [value, ("signal", ctypes.c_int), ("notify", ctypes.c_int), ("rest", ctypes.c_char * 48)]

    class Times(ctypes.Structure):
        _fields_ = [(name, ctypes.c_long) for name in ("every_s", "every_ns", "first_s", "first_ns")]

    signal.signal(signal.SIGCONT, lambda *_: None)  # what is ignored would not be sent again
    C = ctypes.CDLL(None)
    for number in range(1, 1200):  # a timer whose signal is pending when the stop comes is lost, so there are many
        timer, first_ms = ctypes.c_void_p(), number * 100
        C.timer_create(0, ctypes.byref(SignalEvent(None, int(signal.SIGCONT), 0, b"")), ctypes.byref(timer))
        first = Times(0, 0, first_ms // 1000, first_ms % 1000 * 1_000_000)
        C.timer_settime(timer, 0, ctypes.byref(first), None)
    while True:
        pass


multiprocessing.get_context("fork").Process(target=burn, daemon=True).start()
