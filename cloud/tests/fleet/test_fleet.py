"""Withdrawal, key reset, channels and history of clocks."""

import uuid
from typing import Any

import pytest
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.tables import DeviceMoment
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL
from cloud.tests.device_client import iso
from cloud.tests.meeting import all_at_once
from cloud.tests.room import given, logged
from cloud.tests.stamping import ANNA, MORNING, Site, enrolled, hours


def path(site: Site, suffix: str = "") -> str:
    return f"/api/devices/{site.device.device_id}{suffix}"


def detail(site: Site) -> Any:
    return site.founder.get(path(site)).json()


@pytest.mark.parametrize("call", ["revoke", "reset-key"])
def test_no_key_is_touched_without_a_reason(site: Site, call: str) -> None:
    for body in ({}, {"reason": " "}, {"reason": "x" * 501}):
        assert site.founder.post(path(site, f"/{call}"), json=body).status_code == 422


def test_a_revoked_clock_is_refused_and_listed_as_withdrawn(site: Site) -> None:
    assert site.founder.post(path(site, "/revoke"), json={"reason": "gestohlen"}).status_code == 204
    for answer in (
        site.device.beat(),
        site.device.enrol(),
        site.device.post("/api/devices/stamps", site.device.batch(site.device.tap(ANNA))),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "revoked")
    assert site.founder.get("/api/devices").json() == []
    assert [row["serial"] for row in site.founder.get("/api/devices?withdrawn=true").json()] == ["SW-T-1"]
    details = detail(site)
    assert (details["withdrawn"], details["withdrawnWhy"], details["companyId"]) == (
        "revoked",
        "gestohlen",
        site.firm.id,
    )
    assert site.founder.post(path(site, "/reset-key"), json={"reason": "doch"}).json()["code"] == "already_withdrawn"
    assert logged(site.world, site.firm.id, "device.revoked") == ["device.revoked"]


def test_a_decommissioned_clock_is_unassigned_and_its_stamps_stay(site: Site) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(8)))
    assert site.founder.delete(path(site)).status_code == 204
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]
    assert (detail(site)["withdrawn"], detail(site)["companyId"]) == ("decommissioned", None)
    assert logged(site.world, site.firm.id, "device.") == ["device.assigned", "device.decommissioned"]


def test_a_revoked_clock_can_be_taken_from_its_company(site: Site) -> None:
    site.founder.post(path(site, "/revoke"), json={"reason": "gestohlen"})
    answer = site.founder.post(path(site, "/unassign"))
    assert (answer.status_code, answer.json()["companyId"]) == (200, None)
    assert (detail(site)["withdrawn"], detail(site)["companyId"]) == ("revoked", None)


def test_a_revoked_clock_can_still_be_replaced(site: Site) -> None:
    site.founder.post(path(site, "/revoke"), json={"reason": "gestohlen"})
    box = enrolled(site.world, site.clock, "SW-T-9", 9)
    answer = site.founder.post(path(site, "/replace"), json={"deviceId": box.device_id})
    assert answer.json()["companyId"] == site.firm.id


@ON_BOTH
@pytest.mark.parametrize(
    ("starts_at", "message"),
    [
        ("0001-01-01T00:00:00Z", "Das Datum liegt zu weit zurück."),
        ("1800-01-01T00:00:00Z", "Das Datum liegt zu weit zurück."),
        ("2016-11-19T23:59:59Z", "Das Datum liegt zu weit zurück."),
        ("2026-11-20T18:00:01Z", "Die Zuordnung darf nicht in der Zukunft beginnen."),
        ("2016-11-20T00:00:00Z", None),
    ],
)
def test_an_assignment_begins_within_plausible_bounds(site: Site, starts_at: str, message: str | None) -> None:
    path = f"/api/devices/{enrolled(site.world, site.clock, 'SW-T-9', 9).device_id}/assign-company"
    answer = site.founder.post(path, json={"companyId": site.firm.id, "from": starts_at})
    if message is None:
        assert answer.status_code == 200, answer.text
    else:
        assert answer.json()["errors"] == [{"field": "from", "message": message}]


def test_a_reset_key_may_lie_in_other_hardware_once(site: Site) -> None:
    site.device.enrol(hardwareId="hw-2")
    assert site.listed()["identityConflict"] is True
    assert site.founder.post(path(site, "/reset-key"), json={"reason": "Platine"}).json()["identityConflict"] is False
    site.device.enrol(hardwareId="hw-2")
    assert site.listed()["identityConflict"] is False
    site.device.enrol(hardwareId="hw-3")
    assert site.listed()["identityConflict"] is True


def test_a_channel_is_one_of_two(site: Site) -> None:
    calls = (
        ("PUT", "/api/clocks/channel"),
        ("PUT", f"/api/clocks/{site.device.device_id}/channel"),
        ("POST", f"/api/companies/{site.firm.id}/update-channel"),
    )
    for method, where in calls:
        assert site.founder.request(method, where, json={"channel": "nightly"}).status_code == 422


def test_a_channel_is_set_for_one_clock_for_a_company_and_for_all(site: Site) -> None:
    second = site.another_clock()
    third = site.another_clock("SW-T-3", 3, site.world.firm("Bäckerei Krume"))

    def channels() -> list[str]:
        return [site.listed(device)["channel"] for device in (site.device, second, third)]

    answer = site.founder.put(f"/api/clocks/{site.device.device_id}/channel", json={"channel": "beta"})
    assert answer.json()["channel"] == "beta"
    assert channels() == ["beta", "stable", "stable"]
    company = site.founder.post(f"/api/companies/{site.firm.id}/update-channel", json={"channel": "beta"})
    assert company.json() == {"changed": 1}
    assert channels() == ["beta", "beta", "stable"]
    assert site.founder.put("/api/clocks/channel", json={"channel": "stable"}).json() == {"changed": 2}
    assert channels() == ["stable"] * 3
    assert site.founder.put("/api/clocks/channel", json={"channel": "stable"}).json() == {"changed": 0}
    assert site.device.beat().json()["channel"] == "stable"


@ON_BOTH
def test_history_has_a_row_for_each_change_hour_and_silence(site: Site, platform: Platform) -> None:
    def beat(seconds: float, **fields: Any) -> None:
        site.clock.advance(seconds=seconds)
        site.device.beat(**fields)
        devices.write_beats(platform)

    devices.write_beats(platform)
    with platform.database.write(SYSTEM) as tx:
        tx.query(DeviceMoment).delete()
    start = site.clock.now()
    beat(30)
    for _ in range(5):
        beat(30)
    beat(30, reader="fault")
    beat(30, reader="fault", queue={"depth": 3, "diskFreeMb": 900})
    beat(30, reader="fault", queue={"depth": 4, "diskFreeMb": 900})
    beat(400, reader="fault", queue={"depth": 0})
    for _ in range(61):
        beat(60, reader="fault", queue={"depth": 0})
    rows = site.founder.get(path(site, "/history")).json()
    assert [(row["online"], row["reader"], row["queueDepth"]) for row in rows] == [
        (True, "ok", 0),
        (True, "fault", 0),
        (True, "fault", 3),
        (False, None, None),
        (True, "fault", 0),
        (True, "fault", 0),
    ]
    day = start.date()
    for span, count in ((f"from={day}&to={day}", 6), (f"to={day - DAY}", 0), (f"from={day + DAY}", 0)):
        assert len(site.founder.get(path(site, f"/history?{span}")).json()) == count
    assert site.founder.get(path(site, f"/history?from={day}&to={day - DAY}")).status_code == 422
    for days, status in ((400, 200), (401, 422)):
        first = day - (days - 1) * DAY
        assert site.founder.get(path(site, f"/history?from={first}&to={day}")).status_code == status


@ON_BOTH
def test_a_heartbeat_is_part_of_the_history_and_of_the_page_as_soon_as_it_is_heard(site: Site) -> None:
    site.clock.advance(hours=2)
    site.device.beat(reader="fault", queue={"depth": 3, "diskFreeMb": 900})
    silence, newest = site.founder.get(path(site, "/history")).json()[-2:]
    assert silence["online"] is False
    assert (newest["online"], newest["reader"], newest["queueDepth"]) == (True, "fault", 3)
    site.clock.advance(seconds=30)
    site.device.beat(reader="ok", queue={"depth": 0, "diskFreeMb": 800})
    assert detail(site)["diskFreeMb"] == 800
    assert site.founder.get(path(site, "/history")).json()[-1]["reader"] == "ok"


@ON_BOTH
def test_history_ends_with_an_ongoing_silence(site: Site, platform: Platform) -> None:
    def history_rows() -> list[tuple[str, bool]]:
        devices.write_beats(platform)  # as it happens each second
        return [(row["at"], row["online"]) for row in site.founder.get(path(site, "/history")).json()]

    site.device.beat()
    site.clock.advance(seconds=89)
    earlier_rows = history_rows()
    assert earlier_rows[-1][1] is True
    site.clock.advance(seconds=1)
    silent = (site.clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z"), False)
    site.clock.advance(hours=1)
    assert history_rows() == [*earlier_rows, silent]
    day = site.clock.now().date()
    assert site.founder.get(path(site, f"/history?to={day - DAY}")).json() == []
    site.device.beat()
    assert history_rows()[:-1] == [*earlier_rows, silent]


def test_the_history_of_the_first_days_of_the_calendar_is_empty(site: Site) -> None:
    assert site.founder.get(path(site, "/history?to=0001-01-03")).json() == []


def test_a_clock_s_own_page_counts_its_stamps_and_shows_none(site: Site) -> None:
    taps = [site.device.tap(ANNA, MORNING + hours(n)) for n in range(4)]
    site.device.deliver(*taps[:2])
    site.device.deliver(taps[3])
    site.device.post(
        "/api/devices/logs",
        {
            "entries": [
                {
                    "id": site.device.uuid4(),
                    "at": "2026-11-20T18:00:00Z",
                    "level": "error",
                    "code": "reader",
                    "message": "weg",
                }
            ]
        },
    )
    details = detail(site)
    counts = {"received": 3, "gone": 0, "missing": 1}
    assert details["epochs"] == [{"epoch": site.device.epoch, "beganAt": None, **counts}]
    assert details["gaps"] == [{"epoch": site.device.epoch, "from": 3, "to": 3}]
    assert details["lastError"]["code"] == "reader"
    assert [row["companyName"] for row in details["assignments"]] == [site.listed()["companyName"]]
    assert ANNA not in site.founder.get(path(site)).text
    (line,) = details["logs"]
    assert (line["level"], line["code"], line["message"]) == ("error", "reader", "weg")
    site.founder.post(f"{path(site)}/unassign")
    assert detail(site)["logs"] == [line]


@ON_BOTH
@pytest.mark.parametrize(
    ("milliseconds", "began_at"),
    [
        (int(MORNING.timestamp() * 1000), iso(MORNING)),
        (0, None),
        (int((MORNING + hours(24 * 400)).timestamp() * 1000), None),
        (2**48 - 1, None),
    ],
)
def test_a_start_of_a_clock_has_the_time_that_its_clock_showed_unless_that_cannot_be(
    site: Site, milliseconds: int, began_at: str | None
) -> None:
    site.device.epoch = str(uuid.UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62))
    site.device.deliver(site.device.tap(ANNA, MORNING))
    (epoch,) = detail(site)["epochs"]
    assert epoch == {"epoch": site.device.epoch, "beganAt": began_at, "received": 1, "gone": 0, "missing": 0}


def test_a_clock_s_own_page_shows_all_its_open_alarms(site: Site) -> None:
    def raised(kind: str, **fields: Any) -> None:
        given(site.boss, Alarm, device_no=1, kind=kind, raised=True, **fields)

    raised("conflict")
    raised("disk")
    raised("queue", until=MORNING)
    given(site.boss, Alarm, device_no=2, kind="gap", raised=True)
    given(site.boss, Alarm, device_no=1, kind="reader", raised=False)
    assert {(alarm["kind"], alarm["deviceName"]) for alarm in detail(site)["alarms"]} == {
        ("conflict", "SW-T-1"),
        ("disk", "SW-T-1"),
    }


@ON_BOTH
def test_clocks_are_found_by_serial_code_company_and_address(site: Site) -> None:
    spare = enrolled(site.world, site.clock, "SW-T-9", 9)
    code = site.listed(spare)["claimCode"]
    site.device.beat(ip="10.9.8.7")

    def search(words: str) -> list[str]:
        return [row["serial"] for row in site.founder.get("/api/devices", params={"q": words}).json()]

    assert search(code.lower()) == ["SW-T-9"]
    assert search("t-1") == ["SW-T-1"]
    assert search(f"{site.listed()['companyName']} SW") == ["SW-T-1"]
    assert search("%") == []


@ON_POSTGRESQL
def test_two_decommissions_at_once_leave_one(site: Site, platform: Platform) -> None:
    of_clock, other_admin = path(site), site.world.admin()
    answers = all_at_once(platform, lambda: site.founder.delete(of_clock), lambda: other_admin.delete(of_clock))
    assert sorted(answer.status_code for answer in answers) == [204, 409]
