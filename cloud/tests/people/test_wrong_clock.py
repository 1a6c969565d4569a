"""Sessions and blocks from a server whose clock was years ahead end in time once the clock is right."""

from datetime import timedelta

import pytest
from fastapi import FastAPI
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import KEEPS
from stempelwerk_cloud.kit.operations import service_time
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH
from cloud.tests.logging_in import LoginClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm

pytestmark = ON_BOTH

YEARS = timedelta(days=1500)


@pytest.fixture
def night(platform: Platform, clock: SettableClock, firm: Firm) -> None:
    """Sets the server's clock ahead by years."""
    service_time.observe(platform)
    clock.advance(seconds=YEARS.total_seconds())


def _right_again(platform: Platform, clock: SettableClock) -> None:
    clock.advance(seconds=-YEARS.total_seconds() + 3600)
    for keep in KEEPS:
        assert jobs.take_turn(platform, keep.job)


def test_a_session_of_that_night_ends_as_any_other(
    night: None, platform: Platform, clock: SettableClock, firm: Firm
) -> None:
    anna = firm.world.again(firm.anna)
    assert anna.get("/api/messages").status_code == 200
    _right_again(platform, clock)
    assert anna.get("/api/messages").status_code == 401


def test_who_guessed_too_often_that_night_gets_in_again(
    night: None, platform: Platform, clock: SettableClock, app: FastAPI, firm: Firm
) -> None:
    browser = LoginClient(app, firm)
    while browser.log_in(firm.anna, "ganz falsch").status_code != 429:
        pass
    _right_again(platform, clock)
    assert browser.log_in(firm.anna).status_code == 200
