"""The system call filter, run by a small reader of the kernel's filter language."""

import struct

import pytest

from autograder.sandbox import system_calls
from autograder.sandbox.system_calls import ARCHITECTURES, CHECKED, FORBIDDEN

ALLOWED, ENOSYS, NO_FAMILY = 0x7FFF0000, 0x00050000 | 38, 0x00050000 | 97


def answer(machine: str, number: int, *arguments: int, architecture: int | None = None) -> int:
    """Return the filter's answer to one call."""
    data = struct.pack("=IIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *[*arguments, *[0] * 6][:6])
    program = list(struct.iter_unpack("HBBI", system_calls.program(machine)))
    at = value = 0
    while True:
        code, if_so, if_not, operand = program[at]
        at += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        else:
            holds = value == operand if code == 0x15 else value >= operand
            at += if_so if holds else if_not


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_a_forbidden_call_does_not_exist_and_others_do(machine: str) -> None:
    column = list(ARCHITECTURES).index(machine)
    forbidden = {numbers[column] for numbers in FORBIDDEN.values()}
    if machine == "x86_64":
        forbidden |= set(system_calls.ONLY_X86)
    forbidden.add(CHECKED["shmget"][column])  # with this size

    rejected = {number for number in range(460) if answer(machine, number, 1) == ENOSYS}

    assert rejected == forbidden
    assert len(forbidden) >= len(FORBIDDEN)


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize(
    ("call", "arguments", "expected"),
    [
        ("socket", (1,), ALLOWED),
        ("socket", (2,), ALLOWED),
        ("socket", (16,), ALLOWED),
        ("socket", (40,), NO_FAMILY),  # sockets of the hypervisor
        ("socket", (38,), NO_FAMILY),  # ciphers of the kernel
        ("fcntl", (3, 1024), ENOSYS),
        ("fcntl", (3, 1026), ENOSYS),
        ("fcntl", (3, 6), ALLOWED),
        ("shmget", (7, 56), ALLOWED),  # used by PostgreSQL
        ("shmget", (7, 57), ENOSYS),
        ("shmget", (7, 2**32 + 56), ENOSYS),
        ("shmget", (7, 0), ENOSYS),
    ],
)
def test_a_call_that_needs_only_some_argument_values_allows_only_those(
    machine: str, call: str, arguments: tuple[int, ...], expected: int
) -> None:
    number = CHECKED[call][list(ARCHITECTURES).index(machine)]

    assert answer(machine, number, *arguments) == expected


def test_calls_of_another_architecture_do_not_exist() -> None:
    i386, x32 = 0x40000003, 0x40000000

    assert answer("x86_64", 20, architecture=i386) == ENOSYS
    assert answer("x86_64", x32 | 39) == ENOSYS
    assert answer("x86_64", 39) == ALLOWED


def test_a_machine_without_a_filter_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")

    assert system_calls.why_no_filter() == "no system call filter for riscv64"
    assert system_calls.filter_in_memory() is None
