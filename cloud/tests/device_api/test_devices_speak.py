"""Enrolment, heartbeat, logs, and who is let in."""

import base64
import json
import random
from datetime import timedelta

import pytest
from sqlalchemy import select, update
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.fleet.devices.tables import Device
from stempelwerk_cloud.kit.database.scopes import SYSTEM

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.device_client import HOST, Clock, iso, sign
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, BEN, MORNING, Site, enrolled, hours
from cloud.tests.world import World


def test_a_user_s_token_means_nothing_to_the_calls_of_clocks(site: Site) -> None:
    for method, path in (
        ("POST", "/api/devices/enroll"),
        ("POST", "/api/devices/heartbeat"),
        ("POST", "/api/devices/stamps"),
        ("POST", "/api/devices/logs"),
        ("POST", "/api/devices/answers"),
        ("GET", "/api/devices/people"),
    ):
        assert site.founder.request(method, path).status_code == 401


def test_another_path_or_query_than_the_signed_one_is_a_bad_signature(site: Site) -> None:
    created = int(site.clock.now().timestamp())
    path = "/api/devices/people"
    for signed, called in (
        (f"{path}?since=1", path),
        (path, f"{path}?since=1"),
        (f"{path}?", f"{path}?since=1"),
        (f"{path}??", path),
        (f"{path}/", path),
        (f"{path}?since=1?", f"{path}?since=1"),
    ):
        headers = sign(site.device.key, site.device.keyid, "GET", HOST + signed, b"", created, "n")
        answer = site.world.client.get(called, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature"), (signed, called)


def test_a_question_mark_with_nothing_behind_it_may_be_signed(site: Site) -> None:
    assert site.device.send("GET", "/api/devices/people?").status_code == 200
    assert site.device.send("GET", "/api/devices/people").status_code == 200


def test_an_unknown_key_is_told_to_enrol(world: World, clock: SettableClock) -> None:
    stranger = Clock(world.client, clock)
    answer = stranger.beat()
    assert (answer.status_code, answer.json()["code"]) == (401, "unknown_device")


def test_a_changed_body_is_a_bad_signature(site: Site) -> None:
    device = site.device
    body = json.dumps(device.batch(device.tap(ANNA))).encode()
    headers = sign(device.key, device.keyid, "POST", "http://testserver/api/devices/stamps", body, 0, "n")
    answer = site.world.client.post("/api/devices/stamps", content=body + b" ", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_signature")
    assert site.times() == []


def test_a_heartbeat_of_another_time_is_refused_with_the_server_s(site: Site) -> None:
    answer = site.device.send("POST", "/api/devices/heartbeat", b'{"proto":1}', created=0)
    assert (answer.status_code, answer.json()["code"]) == (401, "clock_skew")
    assert answer.json()["serverTime"] == iso(site.clock.now())


def test_stamps_of_a_clock_that_lives_in_1970_are_taken(site: Site) -> None:
    body = json.dumps(site.device.batch(site.device.tap(ANNA))).encode()
    assert site.device.send("POST", "/api/devices/stamps", body, created=600).status_code == 200


def test_a_revoked_clock_is_refused_and_its_stamps_are_kept_by_it(site: Site) -> None:
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(Device).where(Device.id == site.device.device_id).values(revoked_at=site.clock.now()))
    for answer in (
        site.device.beat(),
        site.device.post("/api/devices/stamps", site.device.batch(site.device.tap(ANNA))),
        site.device.send("GET", "/api/devices/people"),
        site.device.enrol(),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "revoked")


@ON_BOTH
def test_enrolling_again_is_the_same_device(world: World, clock: SettableClock) -> None:
    device = enrolled(world, clock, "SW-1", 7)
    first = device.enrol().json()
    second = device.enrol(version="2.0.0").json()
    assert second["deviceId"] == first["deviceId"]
    assert (first["lease"], first["assignment"]) == (1, None)
    assert len(first["claimCode"]) == 8
    (device_row,) = world.founder.get("/api/devices").json()
    assert (device_row["version"], device_row["claimCode"], device_row["identityConflict"]) == (
        "2.0.0",
        first["claimCode"],
        False,
    )


def test_a_serial_with_another_key_is_a_conflict_of_both(world: World, clock: SettableClock) -> None:
    enrolled(world, clock, "SW-1", 7)
    enrolled(world, clock, "SW-1", 8)
    enrolled(world, clock, "SW-2", 9)
    conflicts = {row["serial"]: row["identityConflict"] for row in world.founder.get("/api/devices").json()}
    assert conflicts == {"SW-1": True, "SW-2": False}


@ON_BOTH
def test_a_key_on_other_hardware_is_a_conflict(world: World, clock: SettableClock) -> None:
    device = enrolled(world, clock, "SW-1", 7)
    device.hardware_id = "hw-2"
    device.enrol()
    (device_row,) = world.founder.get("/api/devices").json()
    assert device_row["identityConflict"] is True


@ON_SQLITE
@pytest.mark.parametrize(
    "change",
    [
        {"serial": None},
        {"publicKey": "x"},
        {"publicKey": None},
        {"mac": 5},
        {"hardwareId": ""},
        {"serial": "a\0"},
        {"mac": "x" * 65},
        {"profile": ""},
        {"version": "1" * 65},
    ],
)
def test_an_unreadable_enrolment_is_refused(world: World, clock: SettableClock, change: dict[str, object]) -> None:
    answer = Clock(world.client, clock).enrol(**change)
    assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_enrolment")
    assert answer.json()["message"] == "Die Nachricht der Stempeluhr ist nicht lesbar."
    assert world.founder.get("/api/devices").json() == []


def test_an_enrolment_may_use_the_whole_length(world: World, clock: SettableClock) -> None:
    longest = dict.fromkeys(("serial", "mac", "profile", "version", "hardwareId"), "ß" * 64)
    assert Clock(world.client, clock).enrol(**longest).status_code == 200
    (device,) = world.founder.get("/api/devices").json()
    assert device["serial"] == "ß" * 64


def test_enrolments_from_one_address_have_a_budget_that_known_clocks_do_not_share(
    world: World, clock: SettableClock
) -> None:
    known_clocks = enrolled(world, clock, "SW-0", 1)
    refused = None
    for seed in range(2, 400):
        refused = Clock(world.client, clock, f"SW-{seed}", random.Random(seed)).enrol()
        if refused.status_code != 200:
            break
    assert refused is not None
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many")
    assert int(refused.headers["Retry-After"]) >= 1
    assert known_clocks.enrol().status_code == 200
    clock.advance(minutes=10)
    assert Clock(world.client, clock, "SW-late", random.Random(999)).enrol().status_code == 200


def test_the_heartbeat_tells_what_the_clock_goes_by(site: Site) -> None:
    answer = site.device.beat()
    body = answer.json()
    assert body["deviceId"] == site.device.device_id
    assert body["serverTime"] == iso(site.clock.now())
    assert body["assignment"]["companyId"] == site.firm.id
    assert body["assignment"]["companyName"] == site.firm.name
    assert body["config"] == {
        "heartbeatS": 30,
        "maxBatch": 50,
        "doubleTapSeconds": 60,
        "maxShiftHours": 16,
        "askAfterHours": 10,
        "timeZone": "Europe/Berlin",
        "showBalance": True,
    }
    assert (body["update"], body["actions"], body["channel"]) == (None, [], "stable")


def test_the_company_s_settings_reach_the_clock(site: Site) -> None:
    changed = site.boss.put(
        f"/api/companies/{site.firm.id}/settings",
        json={"doubleTapSeconds": 5, "timeZone": "Europe/Lisbon", "clockShowsBalance": False},
    )
    assert changed.status_code == 200, changed.text
    config = site.device.beat().json()["config"]
    assert (config["doubleTapSeconds"], config["timeZone"], config["showBalance"]) == (5, "Europe/Lisbon", False)


def test_a_clock_is_online_for_ninety_seconds(site: Site) -> None:
    site.clock.advance(seconds=30)
    site.device.beat(queue={"depth": 3}, reader="fault")
    row = site.listed()
    assert (row["isOnline"], row["queueDepth"], row["reader"]) == (True, 3, "fault")
    site.clock.advance(seconds=89)
    assert site.listed()["isOnline"] is True
    site.clock.advance(seconds=1)
    assert site.listed()["isOnline"] is False


def test_an_unassigned_clock_learns_nothing_of_a_company(world: World, clock: SettableClock) -> None:
    device = enrolled(world, clock, "SW-1", 7)
    body = device.beat().json()
    assert body["assignment"] is None
    assert body["config"]["timeZone"] == "Europe/Berlin"
    people = device.send("GET", "/api/devices/people").json()
    assert (people["reset"], people["people"], people["removed"]) == (True, [], [])


def test_a_heartbeat_needs_a_readable_clock_and_nothing_else(site: Site) -> None:
    refused = site.device.post("/api/devices/heartbeat", {"proto": 1, "clock": {"boot": "x", "boottimeMs": 1}})
    assert (refused.status_code, refused.json()["code"]) == (422, "unreadable_heartbeat")
    site.clock.advance(seconds=30)
    clock = {"boot": site.device.boot, "boottimeMs": site.device.boottime(site.clock.now())}
    strange = {"proto": 1, "clock": clock, "queue": "full", "reader": 5, "update": [], "ip": {"a": 1}, "uptimeS": -1}
    assert site.device.post("/api/devices/heartbeat", strange).status_code == 200
    assert site.listed()["reader"] is None


def test_another_version_is_named_so(site: Site) -> None:
    for path in ("/api/devices/heartbeat", "/api/devices/stamps", "/api/devices/enroll"):
        answer = site.device.post(path, {"proto": 2})
        assert (answer.status_code, answer.json()["code"], answer.json()["supported"]) == (422, "unknown_proto", [1])


def line(device: Clock, **changes: object) -> dict[str, object]:
    return {
        "id": device.uuid4(),
        "at": "1970-01-01T00:00:01.000Z",
        "level": "warn",
        "code": "reader_lost",
        "message": "Leser antwortet nicht",
        "meta": {"attempt": 3},
    } | changes


def test_log_lines_are_kept_once_and_bad_ones_do_not_stop_the_others(site: Site) -> None:
    good = line(site.device)
    entries = [good, line(site.device, level="shout"), None, "x", line(site.device, meta=None), good]
    first = site.device.post("/api/devices/logs", {"entries": entries})
    assert first.status_code == 200, first.text
    outcomes = [result["outcome"] for result in first.json()["results"]]
    assert outcomes == ["stored", "rejected", "rejected", "rejected", "stored", "duplicate"]
    repeated = site.device.post("/api/devices/logs", {"entries": [good]})
    assert repeated.json()["results"] == [{"id": good["id"], "outcome": "duplicate"}]


@pytest.mark.parametrize(
    "change",
    [
        {"message": "x" * 2001},
        {"message": "a\0b"},
        {"message": None},
        {"code": "x" * 65},
        {"code": ""},
        {"code": "a\0"},
        {"level": []},
        {"level": {}},
        {"meta": []},
        {"at": "1969-12-31T23:59:59.999Z"},
        {"id": "7"},
    ],
)
def test_a_log_line_that_does_not_fit_is_rejected_and_nothing_is_kept_of_it(
    site: Site, change: dict[str, object]
) -> None:
    bad, good = line(site.device, **change), line(site.device, message="ß" * 2000, code="x" * 64)
    answer = site.device.post("/api/devices/logs", {"entries": [bad, good]})
    assert answer.status_code == 200, answer.text
    assert [result["outcome"] for result in answer.json()["results"]] == ["rejected", "stored"]
    with site.world.platform.database.read(SYSTEM) as tx:
        lines = [(row.code, row.message) for row in tx.scalars(select(DeviceLog)) if row.level == "warn"]
    assert lines == [("x" * 64, "ß" * 2000)]


@ON_SQLITE
@pytest.mark.parametrize("reader", [[], {}, 7, "gone"])
def test_a_reader_s_state_that_cannot_be_read_is_taken_as_unknown(site: Site, reader: object) -> None:
    assert site.device.beat(site.clock.now() + timedelta(seconds=1), reader=reader).status_code == 200
    assert site.listed()["reader"] is None


def test_too_many_log_lines_are_413_and_none_are_unreadable(site: Site) -> None:
    many = site.device.post("/api/devices/logs", {"entries": [line(site.device) for _ in range(501)]})
    assert (many.status_code, many.json()["code"]) == (413, "batch_too_large")
    for message in ({"entries": []}, {"entries": {}}, {}, []):
        answer = site.device.post("/api/devices/logs", message)
        assert (answer.status_code, answer.json()["code"]) == (422, "unreadable_logs")


def people(device: Clock, since_revision: str | None = None) -> dict[str, object]:
    path = "/api/devices/people" + (f"?since={since_revision}" if since_revision else "")
    answer = device.send("GET", path)
    assert answer.status_code == 200, answer.text
    body: dict[str, object] = answer.json()
    return body


def test_the_list_of_people_is_whole_first_and_then_only_what_changed(site: Site) -> None:
    site.clock.advance(minutes=30)
    revision = str(site.device.beat().json()["peopleRevision"])
    whole_list = people(site.device)
    assert whole_list["reset"] is True
    assert whole_list["revision"] == revision
    assert {person["name"]: person["tags"] for person in whole_list["people"]} == {  # type: ignore[attr-defined]
        "anna": [ANNA],
        "ben": ["04D4E5F6"],
        "chefin": ["04B05500"],
    }
    empty_list = people(site.device, revision)
    assert (empty_list["reset"], empty_list["people"], empty_list["removed"]) == (False, [], [])
    site.device.deliver(site.device.tap(BEN))
    site.clock.advance(minutes=30)
    revision_before = str(site.device.beat().json()["peopleRevision"])
    site.device.deliver(site.device.tap(ANNA))
    site.clock.advance(minutes=30)
    assert site.device.beat().json()["peopleRevision"] not in {revision_before, revision}
    changed = people(site.device, revision_before)
    assert changed["reset"] is False
    # The people of the last change before that revision may be sent again: it does no harm, and removes no one.
    states = {person["name"]: (person["state"], person["since"]) for person in changed["people"]}  # type: ignore[attr-defined]
    assert states["anna"] == ("in", iso(site.clock.now() - timedelta(minutes=30)))
    assert set(states) <= {"anna", "ben"}


@pytest.mark.parametrize(
    "since_revision", ["", "7", "a.b.c.d", "a.b.%C2%B2.1", f"a.b.{'9' * 5000}.1", "%00", "a.b.-1.1", "a.b.1.1.1"]
)
def test_a_revision_that_nobody_gave_is_answered_with_everybody(site: Site, since_revision: str) -> None:
    answer = site.device.send("GET", f"/api/devices/people?since={since_revision}")
    assert answer.status_code == 200, answer.text
    assert answer.json()["reset"] is True
    assert len(answer.json()["people"]) == 3


def test_minutes_are_those_of_complete_entries_and_what_runs_is_left_to_the_clock(site: Site) -> None:
    site.device.deliver(*(site.device.tap(ANNA, MORNING + hours(n)) for n in (0, 4, 5)))
    people_by_name = {person["name"]: person for person in people(site.device)["people"]}  # type: ignore[attr-defined]
    anna = people_by_name["anna"]
    assert (anna["state"], anna["since"]) == ("in", iso(MORNING + hours(5)))
    assert (anna["todayMinutes"], anna["weekMinutes"]) == (240, 240)


def test_people_may_be_told_again_and_nobody_is_forgotten_by_it(site: Site) -> None:
    site.device.deliver(site.device.tap(ANNA))
    first = people(site.device)
    repeated = people(site.device, str(first["revision"]))
    assert (repeated["reset"], repeated["removed"]) == (False, [])
    people_by_id = {person["userId"]: person for person in first["people"]}  # type: ignore[attr-defined]
    assert all(people_by_id[person["userId"]] == person for person in repeated["people"])  # type: ignore[attr-defined]


def test_a_deleted_person_is_taken_off_the_clock(site: Site) -> None:
    site.clock.advance(minutes=30)
    revision = str(people(site.device)["revision"])
    assert site.boss.delete(f"/api/users/{site.firm.ben.id}").status_code == 204
    assert people(site.device, revision)["removed"] == [site.firm.ben.id]


def test_hours_stay_off_the_clock_if_the_company_wants_it(site: Site) -> None:
    site.boss.put(f"/api/companies/{site.firm.id}/settings", json={"clockShowsBalance": False})
    for person in people(site.device)["people"]:  # type: ignore[attr-defined]
        assert (person["todayMinutes"], person["weekMinutes"], person["balanceMinutes"]) == (None, None, None)


def test_another_assignment_resets_the_list(site: Site) -> None:
    revision = str(people(site.device)["revision"])
    other_firm = site.world.firm("Bäckerei Krume")
    site.assign(site.device, other_firm.id)
    body = people(site.device, revision)
    assert body["reset"] is True
    assert {person["userId"] for person in body["people"]} == {  # type: ignore[attr-defined]
        other_firm.boss.id,
        other_firm.anna.id,
        other_firm.ben.id,
    }


def test_a_signed_request_behind_a_public_url_is_checked_against_it(world: World, clock: SettableClock) -> None:
    device = enrolled(world, clock, "SW-1", 7)
    body = b'{"entries":[]}'
    headers = sign(device.key, device.keyid, "POST", "https://zeit.example/api/devices/logs", body, 0, "n")
    refused = world.client.post("/api/devices/logs", content=body, headers=headers)
    assert refused.json()["code"] == "bad_signature"
    other_host = headers | {"Host": "zeit.example"}
    wrong_scheme = world.client.post("/api/devices/logs", content=body, headers=other_host)
    assert wrong_scheme.json()["code"] == "bad_signature"
    assert base64.b64decode(headers["Content-Digest"].split(":")[1])
