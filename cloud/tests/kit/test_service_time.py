"""No job removes or decides anything by a time that cannot be right."""

from datetime import timedelta

import pytest
from sqlalchemy import select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.domain.instants import DAY, HOUR
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import DeviceBeat
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.operations import faults, service_time
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.room import Job, PerCompanyJob
from structlog.testing import capture_logs

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import START, SettableClock
from cloud.tests.stamping import Site

pytestmark = ON_BOTH

YEARS = timedelta(days=3 * 365)


ALL = {job.name for job in JOBS}


def _turns(platform: Platform) -> set[str]:
    """Offers every declared job a turn, without its work; returns the names of those that had one."""
    had: set[str] = set()
    for job in JOBS:
        work = lambda *_, name=job.name: had.add(name)  # noqa: E731
        jobs.take_turn(platform, job._replace(work=work))
    return had


def test_every_job_but_the_alarms_waits_while_the_time_is_in_doubt(platform: Platform, clock: SettableClock) -> None:
    assert _turns(platform) == ALL
    for jump in (YEARS, -YEARS):
        clock.set(START + jump)
        assert _turns(platform) == {"alarms"}
    clock.set(START + 2 * HOUR)
    assert _turns(platform) == ALL


def test_all_that_removes_waits_after_a_restore_too(platform: Platform, clock: SettableClock) -> None:
    done: list[str] = []
    forget = Job("forget", HOUR, lambda *_: done.append("forget"), removes=True)
    assert jobs.remove_over(platform, [forget]) == []
    clock.advance(days=200)
    assert jobs.remove_over(platform, [forget]) == ["forget"]
    assert done == ["forget"]


def test_a_jump_in_the_midst_of_a_job_ends_it(platform: Platform, clock: SettableClock) -> None:
    removed: list[object] = []

    def work(job_platform: Platform) -> None:
        clock.advance(days=1000)
        removed.append(job_platform.clock.now())

    assert not jobs.take_turn(platform, PerCompanyJob("leap", HOUR, work))
    assert removed == []


def test_the_last_time_outlives_the_process_and_is_not_written_at_each_turn(
    platform: Platform, clock: SettableClock
) -> None:
    for seconds in (0, 20, 20, 30):
        clock.advance(seconds=seconds)
        service_time.observe(platform)
    with platform.database.read(SYSTEM) as session:
        watch = service_time.read(session)
    assert watch is not None
    assert watch.trusted_at == START + timedelta(seconds=70)


def test_a_doubt_is_logged_once_with_what_to_do_and_so_is_its_end(platform: Platform, clock: SettableClock) -> None:
    service_time.observe(platform)
    with capture_logs() as lines:
        clock.advance(days=700)
        for _ in range(3):
            service_time.observe(platform)
        (fault,) = faults.find(platform)
        clock.set(START)
        service_time.observe(platform)
    assert [(line["event"], line["log_level"]) for line in lines] == [
        ("time_in_doubt", "error"),
        ("time_trusted", "warning"),
    ]
    assert "confirm-time" in lines[0]["hint"]
    assert (fault.kind, "confirm-time" in fault.text, "20.10.2028" in fault.text) == ("time", True, True)
    assert faults.find(platform) == []


def test_an_operator_confirms_the_time(platform: Platform, clock: SettableClock) -> None:
    service_time.observe(platform)
    clock.advance(days=180)
    assert _turns(platform) == {"alarms"}
    service_time.confirm(platform.database, clock.now())
    assert _turns(platform) == ALL


def test_an_installation_of_before_is_judged_by_its_newest_heartbeat(
    site: Site, platform: Platform, clock: SettableClock
) -> None:
    site.device.beat()
    _write_beats(platform)
    clock.advance(days=100)
    assert service_time.observe(platform).doubted_at == clock.now()


@pytest.mark.parametrize(
    ("quality", "difference", "is_trusted"),
    [("ntp", timedelta(0), True), ("ntp", 180 * DAY, False), ("none", timedelta(0), False)],
    ids=["its clocks agree", "its clocks know another time", "its clocks know none"],
)
def test_after_a_sleep_of_half_a_year_the_time_is_trusted_if_clocks_agree_for_a_week(
    site: Site, platform: Platform, clock: SettableClock, quality: str, difference: timedelta, *, is_trusted: bool
) -> None:
    service_time.observe(platform)
    clock.advance(days=180)
    for _ in range(2 * 7 + 1):
        site.device.beat()
        _write_beats(platform, quality, difference)
        service_time.observe(platform)
        clock.advance(hours=12)
    with platform.database.read(SYSTEM) as session:
        watch = service_time.read(session)
    assert watch is not None
    assert (watch.doubted_at is None) == is_trusted


def _write_beats(platform: Platform, quality: str = "ntp", difference: timedelta = timedelta(0)) -> None:
    """Writes the heartbeats, with the clocks' own time."""
    devices.write_beats(platform)
    with platform.database.write(SYSTEM) as session:
        for beat in session.scalars(select(DeviceBeat)):
            beat.quality, beat.wall = quality, format_instant(platform.clock.now() - difference)
