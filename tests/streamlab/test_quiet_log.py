"""A logger is quiet inside the block only, also after an error."""

import logging
from contextlib import suppress

import pytest

from streamlab.quiet_log import quiet_log


def test_a_log_is_quiet_until_the_block_ends_with_an_error(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("a library")

    with suppress(ValueError), quiet_log("a library"):
        log.error("inside")
        raise ValueError
    log.error("after")

    assert caplog.messages == ["after"]
