"""Lists of what waits: the oldest first, page by page, whatever is decided between two pages."""

import json
from datetime import timedelta

import pytest
from httpx2 import Response
from stempelwerk_cloud.timekeeping.times.held.waiting import RAW_SHOWN

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.device_client import Clock
from cloud.tests.paging import pages
from cloud.tests.stamping import ANNA, MORNING, NOBODY, Site, enrolled, hours

COUNT = 7
NOTHING = "00000000-0000-0000-0000-000000000000"


def tap_at_odd_times(device: Clock) -> None:
    """Late ones and early ones, and two of the same instant."""
    for minutes in (50, 10, 30, 30, 20, 60, 40):
        device.deliver(device.tap(NOBODY, MORNING + timedelta(minutes=minutes)))


@pytest.mark.parametrize("limit", [1, 2, 3, COUNT - 1, COUNT, COUNT + 1])
def test_pages_of_a_companys_held_stamps_make_the_whole_list(site: Site, limit: int) -> None:
    tap_at_odd_times(site.device)
    whole_list = site.held()
    assert [(row["takenAt"], row["id"]) for row in whole_list] == sorted(
        (row["takenAt"], row["id"]) for row in whole_list
    )
    read_pages = list(pages(site.boss, f"/api/companies/{site.firm.id}/held-stamps?limit={limit}"))
    assert [row for page in read_pages for row in page] == whole_list
    assert [len(page) for page in read_pages[:-1]] == [limit] * (len(read_pages) - 1)
    assert 0 < len(read_pages[-1]) <= limit


@ON_BOTH
@pytest.mark.parametrize("limit", [1, 2, 3, COUNT, COUNT + 2])
def test_pages_of_stamps_without_a_company_make_the_whole_list(site: Site, limit: int) -> None:
    clocks = [enrolled(site.world, site.clock, f"SW-T-{n}", n) for n in (7, 8)]
    for n in range(3):
        site.clock.advance(minutes=1)
        tap = clocks[0].tap(NOBODY, MORNING + hours(1 / (n + 1)))
        for clock in clocks:
            clock.deliver(tap)
    clocks[0].deliver({"id": "nonsense"})
    whole_list = site.unassigned()
    assert len(whole_list) == COUNT
    assert whole_list[-1]["state"] == "quarantined"
    read_pages = list(pages(site.founder, f"/api/held-stamps?limit={limit}"))
    assert [row for page in read_pages for row in page] == whole_list


@ON_BOTH
def test_what_could_not_be_read_is_shown_as_it_came_and_cut_where_it_is_long(site: Site) -> None:
    unreadable = {"id": "nonsense", "tag": "äöü"}
    site.device.deliver(unreadable, {"id": "long", "tag": "x" * 5000})
    nobodys = enrolled(site.world, site.clock, "SW-T-7", 7)
    nobodys.deliver(nobodys.tap(ANNA, MORNING))
    raw_texts = [row["raw"] for row in site.unassigned()]
    (short,) = (raw for raw in raw_texts if raw is not None and "nonsense" in raw)
    (long,) = (raw for raw in raw_texts if raw is not None and "long" in raw)
    assert json.loads(short) == unreadable
    assert len(long) == RAW_SHOWN
    assert raw_texts.count(None) == 1


@ON_BOTH
@pytest.mark.parametrize("owner", ["company", "nobody"])
def test_a_page_begins_behind_the_row_that_is_named_by_its_id(site: Site, owner: str) -> None:
    device = site.device if owner == "company" else enrolled(site.world, site.clock, "SW-T-7", 7)
    tap_at_odd_times(device)
    if owner == "company":
        reader, path, whole_list = site.boss, f"/api/companies/{site.firm.id}/held-stamps", site.held()
    else:
        reader, path, whole_list = site.founder, "/api/held-stamps", site.unassigned()
    read_rows, before_query = [], ""
    while rows := reader.get(f"{path}?limit=2{before_query}").json():
        read_rows += rows
        before_query = f"&before={rows[-1]['id']}"
    assert read_rows == whole_list
    assert len(whole_list) == COUNT
    assert reader.get(f"{path}?before={NOTHING}").status_code == 422


def test_what_is_decided_between_two_pages_neither_hides_nor_repeats_a_stamp(site: Site) -> None:
    taps = [site.device.tap(ANNA, MORNING + hours(n), quality="none") for n in range(6)]
    site.device.deliver(*taps)
    boss, path = site.boss, f"/api/companies/{site.firm.id}/held-stamps"
    seen_ids = []
    for page in pages(boss, f"{path}?limit=2"):
        seen_ids += [row["id"] for row in page]
        later = {"action": "book", "takenAt": "2026-11-20T17:00:00.000Z"}
        assert boss.post(f"{path}/{page[-1]['id']}/resolve", json=later).status_code == 200
    assert seen_ids == [tap["id"] for tap in taps]


@ON_SQLITE
@pytest.mark.parametrize("query", ["limit=0", "limit=10001", "limit=x", "after=x", "after=1.x.1", "after=1%0A"])
def test_a_page_that_cannot_be_is_refused(site: Site, query: str) -> None:
    answers: list[Response] = [
        site.boss.get(f"/api/companies/{site.firm.id}/held-stamps?{query}"),
        site.founder.get(f"/api/held-stamps?{query}"),
    ]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(422, "invalid")] * 2


def test_a_place_before_all_times_is_the_beginning(site: Site) -> None:
    tap_at_odd_times(site.device)
    place = f"-99999999999999.{NOTHING}.0"
    url = f"/api/companies/{site.firm.id}/held-stamps?after={place}"
    assert site.boss.get(url).json() == site.held()
