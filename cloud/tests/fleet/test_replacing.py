"""A broken clock is replaced: only its successor delivers the stamps that its card still holds."""

from datetime import timedelta
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import update
from stempelwerk_cloud.fleet.devices.changes import keys
from stempelwerk_cloud.fleet.devices.tables import Device
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.device_client import Clock, states
from cloud.tests.meeting import all_at_once
from cloud.tests.room import logged
from cloud.tests.stamping import ANNA, EVENING, MORNING, Site, enrolled, hours

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


def spare_of(site: Site, serial: str = "SW-T-9", seed: int = 9) -> Clock:
    return enrolled(site.world, site.clock, serial, seed)


def replace(site: Site, old: Clock, **spare: Any) -> Response:
    return site.founder.post(f"/api/devices/{old.device_id}/replace", json=spare)


def claim_code(clock: Clock) -> str:
    return keys.claim_code(clock.public_key)


def from_the_old_card(site: Site, box: Clock) -> list[Any]:
    """Two taps that the site's clock took and never sent, in another box and so under another key."""
    assignment = site.device.assignment
    return [box.tap(ANNA, instant, assignment=assignment) for instant in (MORNING, MORNING + hours(8))]


def alarms(site: Site) -> list[str]:
    """Returns the codes in the logs of the firm's clocks."""
    return [line["code"] for line in site.boss.get(f"/api/companies/{site.firm.id}/device-logs").json()]


def test_an_invalid_spare_is_refused(site: Site) -> None:
    other_clock = site.another_clock(firm=site.world.firm("Bäckerei Krume"))
    twin, another_twin = spare_of(site, "SW-T-7", 7), spare_of(site, "SW-T-7", 8)
    withdrawn = spare_of(site, "SW-T-6", 6)
    site.founder.post(f"/api/devices/{withdrawn.device_id}/revoke", json={"reason": "verloren"})
    for spare, status, code in (
        ({}, 422, "invalid"),
        ({"deviceId": site.device.device_id}, 422, "invalid"),
        ({"deviceId": UNKNOWN}, 422, "invalid"),
        ({"serial": "SW-X", "claimCode": "00000000"}, 422, "invalid"),
        ({"serial": "SW-T-7"}, 422, "claim_code_missing"),
        ({"serial": "SW-T-7", "claimCode": "00000000"}, 422, "claim_code_wrong"),
        ({"serial": "SW-T-7", "claimCode": ""}, 422, "claim_code_wrong"),
        ({"serial": "SW-T-7", "claimCode": "\u0130ß"}, 422, "claim_code_wrong"),
        ({"serial": "SW-T-6", "claimCode": claim_code(withdrawn)}, 422, "invalid"),
        ({"deviceId": other_clock.device_id}, 409, "spare_in_use"),
        ({"deviceId": withdrawn.device_id}, 409, "already_withdrawn"),
        ({"deviceId": twin.device_id, "serial": "SW-T-1"}, 422, "invalid"),
        ({"deviceId": twin.device_id, "claimCode": claim_code(another_twin)}, 422, "invalid"),
    ):
        answer = replace(site, site.device, **spare)
        assert (answer.status_code, answer.json()["code"]) == (status, code), spare
    assert site.listed()["companyId"] == site.firm.id
    assert twin.device_id != another_twin.device_id
    assert replace(site, site.device, deviceId=twin.device_id, serial="SW-T-7").json()["id"] == twin.device_id


def test_a_serial_without_a_code_names_no_spare_and_the_refusal_explains_where_the_code_is(site: Site) -> None:
    """Any key can enrol a serial. The code follows from the key, and only the clock itself shows it."""
    spare_of(site)
    answer = replace(site, site.device, serial="SW-T-9")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "claimCode"
    assert "Zuordnungscode" in answer.json()["message"]
    assert "„Code dieser Uhr“ auf seinem Display" in answer.json()["message"]
    assert site.listed()["companyId"] == site.firm.id


def test_the_claim_code_chooses_between_two_clocks_with_one_serial(site: Site) -> None:
    impostor, own_spare = spare_of(site, "SW-T-7", 7), spare_of(site, "SW-T-7", 8)
    read_off = claim_code(own_spare).lower().replace("0", "O").replace("1", "l")
    answer = replace(site, site.device, serial="SW-T-7", claimCode=f"{read_off[:4]}-{read_off[4:]} ")
    assert (answer.status_code, answer.json()["id"]) == (200, own_spare.device_id)
    assert site.listed(impostor)["companyId"] is None


def test_two_clocks_with_one_serial_and_one_code_are_ambiguous(site: Site, platform: Platform) -> None:
    """40 bits can be tried out, but a key made for a known code gets no clock's place."""
    impostor, own_spare = spare_of(site, "SW-T-7", 7), spare_of(site, "SW-T-7", 8)
    with platform.database.write(SYSTEM) as session:
        session.execute(update(Device).where(Device.id == impostor.device_id).values(claim_code=claim_code(own_spare)))
    answer = replace(site, site.device, serial="SW-T-7", claimCode=claim_code(own_spare))
    assert (answer.status_code, answer.json()["code"]) == (409, "spare_ambiguous")
    assert replace(site, site.device, deviceId=own_spare.device_id).json()["id"] == own_spare.device_id


def test_codes_cannot_be_tried_one_after_the_other(site: Site) -> None:
    box = spare_of(site)
    tries = [replace(site, site.device, serial="SW-T-9", claimCode=f"{number:08}") for number in range(10)]
    assert {answer.json()["code"] for answer in tries} == {"claim_code_wrong"}
    refused = replace(site, site.device, serial="SW-T-9", claimCode=claim_code(box))
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) > 0
    assert replace(site, site.device, deviceId=box.device_id).status_code == 200


def test_a_clock_is_replaced_once_until_it_hangs_somewhere_again(site: Site) -> None:
    """The second spare would be unassigned: the first one has the place, so that one has to be replaced."""
    first, second = spare_of(site), spare_of(site, "SW-T-10", 10)
    assert replace(site, site.device, deviceId=first.device_id).status_code == 200
    for spare in (first, second):
        answer = replace(site, site.device, deviceId=spare.device_id)
        assert (answer.status_code, answer.json()["code"]) == (409, "already_replaced")
        assert answer.json()["message"] == "Das Gerät ist schon ersetzt. Ersetze das, das jetzt an seiner Stelle steht."
    assert logged(site.world, site.firm.id, "device.replaced") == ["device.replaced"]
    site.founder.post(f"/api/devices/{first.device_id}/unassign")
    site.assign(site.device, site.firm.id)
    assert replace(site, site.device, deviceId=second.device_id).json()["companyId"] == site.firm.id


def test_without_being_replaced_a_strange_key_delivers_nothing_of_another(site: Site) -> None:
    box = spare_of(site)
    assert states(box.deliver(*from_the_old_card(site, box))) == ["held_assignment"] * 2


@pytest.mark.parametrize("delivered_first", [True, False])
def test_the_successor_delivers_what_the_old_card_holds(site: Site, delivered_first: bool) -> None:
    box = spare_of(site)
    batch = box.batch(*from_the_old_card(site, box))
    if delivered_first:
        box.sent(batch)
    site.founder.put(f"/api/devices/{site.device.device_id}", json={"name": "Tor Süd", "notes": "links"})
    answer = replace(site, site.device, serial="SW-T-9", claimCode=claim_code(box)).json()
    assert (answer["id"], answer["companyId"], answer["name"], answer["notes"]) == (
        box.device_id,
        site.firm.id,
        "Tor Süd",
        "links",
    )
    box.sent(batch)
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]
    assert site.unassigned() == []
    assert site.listed()["companyId"] is None
    assert "device.replaced" in logged(site.world, site.firm.id)


def test_the_old_clock_may_deliver_what_it_has_itself_and_nothing_counts_twice(site: Site) -> None:
    box = spare_of(site)
    taps = from_the_old_card(site, box)
    replace(site, site.device, deviceId=box.device_id)
    box.deliver(*taps)
    assert states(site.device.deliver(*taps)) == ["booked"] * 2
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]


def test_stamps_that_the_old_clock_delivered_or_gave_up_raise_no_gap_of_its_successor(site: Site) -> None:
    """Its card has long forgotten the first epoch, and the beginning of the second."""
    old, box = site.device, spare_of(site)
    taps = [old.tap(ANNA, MORNING + timedelta(minutes=5 * number)) for number in range(4)]
    first = old.epoch
    old.deliver(*taps[:2], gone=[[3, 3]])
    old.deliver(taps[3])
    old.start_agent()
    later = [old.tap(ANNA, MORNING + hours(1) + timedelta(minutes=5 * number)) for number in range(3)]
    old.deliver(*later[:2])
    replace(site, old, deviceId=box.device_id)
    answer = box.deliver(later[2], epoch=old.epoch, previous={"epoch": first, "lastSeq": 4}, gone=[[1, 1]])
    assert (answer["streams"], answer["actions"]) == ([{"epoch": old.epoch, "contiguousTo": 3, "missing": []}], [])
    assert alarms(site) == []


def test_stamps_that_neither_delivered_are_missing_and_an_unrelated_clock_inherits_nothing(site: Site) -> None:
    old, box, stranger = site.device, spare_of(site), spare_of(site, "SW-T-10", 10)
    taps = [old.tap(ANNA, MORNING + timedelta(minutes=5 * number)) for number in range(4)]
    old.deliver(taps[0])
    replace(site, old, deviceId=box.device_id)
    for clock, missing in ((box, [[2, 3]]), (stranger, [[1, 3]])):
        answer = clock.deliver(taps[3], epoch=old.epoch)
        assert [stream["missing"] for stream in answer["streams"]] == [missing]
    assert box.deliver(taps[1], epoch=old.epoch, gone=[[3, 3]])["streams"][0]["missing"] == []
    assert alarms(site) == ["stamps_lost"]


def test_stamps_from_after_the_old_assignment_are_held(site: Site) -> None:
    box = spare_of(site)
    assignment = site.device.assignment
    site.clock.set(EVENING)
    replace(site, site.device, deviceId=box.device_id)
    late = EVENING + timedelta(minutes=5)
    site.clock.set(late + timedelta(minutes=1))
    assert states(box.deliver(box.tap(ANNA, late, assignment=assignment))) == ["held_assignment"]


def test_replacing_a_successor_replaces_both_clocks(site: Site) -> None:
    second, third = spare_of(site), spare_of(site, "SW-T-10", 10)
    taps = from_the_old_card(site, third)
    replace(site, site.device, deviceId=second.device_id)
    replace(site, second, deviceId=third.device_id)
    assert states(third.deliver(*taps)) == ["booked"] * 2
    detail = site.founder.get(f"/api/devices/{third.device_id}").json()
    assert [row["serial"] for row in detail["replaces"]] == ["SW-T-1", "SW-T-9"]


def test_a_successor_already_hung_up_by_hand_keeps_its_assignment(site: Site) -> None:
    box = spare_of(site)
    batch = box.batch(*from_the_old_card(site, box))
    site.assign(box, site.firm.id)
    old_assignment = box.assignment
    assert states(box.sent(batch)) == ["held_assignment"] * 2
    assert replace(site, site.device, deviceId=box.device_id).status_code == 200
    box.beat()
    assert box.assignment == old_assignment
    assert len(site.spans()) == 1


def test_no_other_company_gets_a_predecessors_stamps(site: Site) -> None:
    other_firm = site.world.firm("Bäckerei Krume")
    box = spare_of(site)
    taps = from_the_old_card(site, box)
    replace(site, site.device, deviceId=box.device_id)
    site.founder.post(f"/api/devices/{box.device_id}/unassign")
    site.assign(box, other_firm.id)
    assert states(box.deliver(*taps)) == ["booked"] * 2
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]
    assert site.somebody(other_firm.boss).get(f"/api/companies/{other_firm.id}/held-stamps").json() == []


def test_a_new_key_of_one_serial_is_no_conflict_once_it_has_taken_the_place(site: Site) -> None:
    rekeyed = spare_of(site, "SW-T-1", 11)
    assert site.listed()["identityConflict"] is True
    replace(site, site.device, deviceId=rekeyed.device_id)
    rekeyed.enrol()
    assert [site.listed(device)["identityConflict"] for device in (site.device, rekeyed)] == [False, False]


def test_two_spares_at_once_leave_one_replacement(site: Site, platform: Platform) -> None:
    first, another = spare_of(site), spare_of(site, "SW-T-10", 10)
    founder = site.founder

    def put(spare: Clock) -> Response:
        return founder.post(f"/api/devices/{site.device.device_id}/replace", json={"deviceId": spare.device_id})

    answers = all_at_once(platform, lambda: put(first), lambda: put(another))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert sum(site.listed(spare)["companyId"] == site.firm.id for spare in (first, another)) == 1
