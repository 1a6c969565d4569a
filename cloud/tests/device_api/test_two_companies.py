"""One stamp id, claimed by clocks of several companies: it counts in one of them, the same one in whatever order."""

import hashlib
import json
import threading
from itertools import permutations
from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud.kit.database.scopes import SYSTEM

from cloud.tests.device_client import Clock, iso, outcomes, states
from cloud.tests.stamping import ANNA, MORNING, NOBODY, Site, enrolled, hours
from cloud.tests.world import Firm

MEMBERS = ["assignment", "boot", "boottimeMs", "direction", "id", "quality", "seq", "shown", "tag", "via", "wall"]


def digest(stamp: dict[str, Any]) -> str:
    """The digest of the canonical form, written here a second time."""
    form = {name: stamp.get(name) for name in MEMBERS}
    return hashlib.sha256(json.dumps(form, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


class Street:
    """Firms side by side, each with a clock, and an Anna with the same tag."""

    def __init__(self, site: Site, count: int = 2) -> None:
        self.site = site
        names = ["Bäckerei Krume", "Malerei Weiß", "Gärtnerei Grün"][: count - 1]
        self.firms = [site.firm, *(site.world.firm(name) for name in names)]
        self.clocks = [site.device]
        self.clocks += [site.another_clock(f"SW-S-{n}", 20 + n, firm) for n, firm in enumerate(self.firms[1:], 2)]

    def variants(self, tag: str = ANNA, **changes: Any) -> list[dict[str, Any]]:
        """One id, by each clock in its own words."""
        stamp = self.site.device.tap(tag, MORNING, **changes)
        return [
            stamp | {"assignment": clock.assignment, "boot": clock.boot, "seq": 40 + n}
            for n, clock in enumerate(self.clocks)
        ]

    def ranked(self, *, first: int, tag: str = ANNA, **changes: Any) -> list[dict[str, Any]]:
        """Returns variants of which that of clock number `first` has the smallest digest."""
        while True:
            variants = self.variants(tag, **changes)
            if min(range(len(variants)), key=lambda n: digest(variants[n])) == first:
                return variants

    def counts(self) -> list[int]:
        """How many entries each firm's Anna has."""
        return [len(self.site.times(firm.anna)) for firm in self.firms]

    def held_states(self, firm: Firm) -> list[str]:
        answer = self.site.somebody(firm.boss).get(f"/api/companies/{firm.id}/held-stamps")
        return [row["state"] for row in answer.json()]

    def stand(self) -> list[tuple[str, str]]:
        """Returns every stamp in a company, as (id, company)."""
        with self.site.world.platform.database.read(SYSTEM) as tx:
            rows = tx.execute(text("SELECT id, company_id FROM stamps")).all()
        return [tuple(str(value).replace("-", "") for value in row) for row in rows]  # type: ignore[misc]


def plain(*ids: str) -> tuple[str, ...]:
    return tuple(id_.replace("-", "") for id_ in ids)


def test_the_larger_digest_of_another_company_counts_nowhere_and_its_clock_is_told(site: Site) -> None:
    street = Street(site)
    ours, theirs = street.ranked(first=0)
    assert states(site.device.deliver(ours)) == ["booked"]
    answer = street.clocks[1].deliver(theirs)
    assert (outcomes(answer), states(answer)) == (["variant"], ["conflict"])
    assert street.counts() == [1, 0]
    assert (street.held_states(street.firms[0]), street.held_states(street.firms[1])) == (["conflict"], [])
    second_answer = street.clocks[1].deliver(theirs)
    assert (outcomes(second_answer), states(second_answer)) == (["duplicate"], ["conflict"])


def test_the_loser_is_told_conflict_and_nothing_of_how_the_stamp_stands_elsewhere(site: Site) -> None:
    street = Street(site)
    ours, theirs = street.ranked(first=0, tag=NOBODY)
    assert states(site.device.deliver(ours)) == ["held_unknown_tag"]
    assert states(street.clocks[1].deliver(theirs)) == ["conflict"]
    assert states(street.clocks[1].deliver(theirs)) == ["conflict"]
    assert states(site.device.deliver(ours)) == ["held_unknown_tag"]
    resolved = site.boss.post(
        f"/api/companies/{site.firm.id}/held-stamps/{ours['id']}/resolve", json={"action": "discard"}
    )
    assert resolved.json() == {"state": "not_counted"}
    assert states(street.clocks[1].deliver(theirs)) == ["conflict"]
    assert states(site.device.deliver(ours)) == ["not_counted"]


def test_the_smaller_digest_of_another_company_counts_there_alone(site: Site) -> None:
    street = Street(site)
    ours, theirs = street.ranked(first=1)
    assert states(site.device.deliver(ours)) == ["booked"]
    assert street.counts() == [1, 0]
    answer = street.clocks[1].deliver(theirs)
    assert (outcomes(answer), states(answer)) == (["variant"], ["conflict"])
    assert street.counts() == [0, 1]
    assert (street.held_states(street.firms[0]), street.held_states(street.firms[1])) == ([], ["conflict"])
    second_answer = site.device.deliver(ours)
    assert (outcomes(second_answer), states(second_answer)) == (["duplicate"], ["conflict"])


@pytest.mark.parametrize("first", [0, 1, 2])
def test_whatever_came_first_and_how_often_the_same_company_has_it(site: Site, first: int) -> None:
    street = Street(site, 3)
    expected = []
    for order in permutations(range(3)):
        variants = street.ranked(first=first, tag=NOBODY)
        for n in (*order, order[0]):
            street.clocks[n].deliver(variants[n])
        expected.append(plain(variants[0]["id"], street.firms[first].id))
    assert sorted(street.stand()) == sorted(expected)


def test_a_copied_card_takes_nothing_from_another_company_s_clock(site: Site) -> None:
    street = Street(site)
    thief = enrolled(site.world, site.clock, "SW-X", 9)
    ours = site.device.tap(ANNA, MORNING)
    site.device.deliver(ours)
    for direction in ("in", "out", "auto"):
        thief.deliver(ours | {"direction": direction, "wall": iso(MORNING - hours(3))})
    assert street.counts() == [1, 0]
    assert street.held_states(street.firms[0]) == []


def test_a_release_to_another_company_takes_nothing_from_the_clock_whose_stamp_it_is(site: Site) -> None:
    street = Street(site)
    thief = enrolled(site.world, site.clock, "SW-X", 9)
    while True:
        ours = site.device.tap(ANNA, MORNING)
        copied = ours | {"direction": "in", "assignment": None, "boot": thief.boot}
        if digest(copied) < digest(ours):
            break
    thief.deliver(copied)
    period = {"from": iso(MORNING - hours(6)), "to": iso(MORNING + hours(6))}
    released = {"deviceId": thief.device_id, "companyId": street.firms[1].id} | period
    assert site.founder.post("/api/held-stamps/release", json=released).json() == {"released": 1}
    assert street.counts() == [0, 1]
    answer = site.device.deliver(ours)
    assert (outcomes(answer), states(answer)) == (["variant"], ["booked"])
    assert street.counts() == [1, 0]


def test_a_stamp_that_turns_out_not_to_be_the_company_s_gives_way(site: Site) -> None:
    street = Street(site)
    clock = street.clocks[1]
    ours, theirs = street.ranked(first=1, quality="none")
    ours["quality"] = "ntp"
    while digest(theirs) > digest(ours):
        ours["seq"] += 1
    site.device.deliver(ours)
    assert states(clock.deliver(theirs)) == ["held_clock"]
    assert street.counts() == [0, 1]
    # The anchor shows that the tap was made before the clock was theirs.
    long_ago = clock.anchor(clock.booted) | {"boottimeMs": theirs["boottimeMs"], "serverTime": iso(MORNING - hours(90))}
    clock.deliver(clock.tap(NOBODY), anchors=[long_ago])
    assert street.counts() == [1, 0]
    assert street.held_states(street.firms[0]) == []
    assert theirs["id"] not in {row["id"] for row in site.unassigned()}


def test_clocks_that_join_at_once_leave_one_of_each(site: Site) -> None:
    street = Street(site, 4)
    for clock in street.clocks:
        clock.deliver(clock.tap(NOBODY, MORNING - hours(1)))
    pairs = [street.variants(NOBODY, shown="unknown") for _ in range(24)]
    expected = [plain(pair[0]["id"], _owner(street, pair)) for pair in pairs]
    batches = [clock.batch(*(pair[n] for pair in pairs), lease=None) for n, clock in enumerate(street.clocks)]
    for clock, batch in zip(street.clocks[:2], batches[:2], strict=True):
        clock.sent(batch)
    start = threading.Barrier(2)

    def deliver(clock: Clock, batch: dict[str, Any]) -> None:
        start.wait()
        for _ in range(20):
            if clock.post("/api/devices/stamps", batch).status_code == 200:
                return

    threads = [threading.Thread(target=deliver, args=pair) for pair in zip(street.clocks[2:], batches[2:], strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for clock, batch in zip(street.clocks, batches, strict=True):
        assert set(outcomes(clock.sent(batch))) == {"duplicate"}
    assert sorted(row for row in street.stand() if row[0] in dict(expected)) == sorted(expected)


def _owner(street: Street, variants: list[dict[str, Any]]) -> str:
    return street.firms[min(range(len(variants)), key=lambda n: digest(variants[n]))].id
