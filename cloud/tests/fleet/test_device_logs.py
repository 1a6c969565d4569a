"""A company reads the lines that its clocks wrote while they were its own, and its pages get new lines."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from stempelwerk_cloud.kit.live import hub

from cloud.tests.databases import ON_BOTH
from cloud.tests.device_client import Clock, iso
from cloud.tests.paging import pages
from cloud.tests.stamping import EVENING, MORNING, Site
from cloud.tests.streams import listening
from cloud.tests.world import Somebody


def _write(
    clock: Clock, code: str, written_at: datetime = EVENING, level: str = "info", **fields: Any
) -> dict[str, Any]:
    line = {
        "id": clock.uuid4(),
        "at": iso(written_at),
        "level": level,
        "code": code,
        "message": f"Es war {code}.",
    } | fields
    assert clock.post("/api/devices/logs", {"entries": [line]}).json()["results"][0]["outcome"] == "stored"
    return line


def _read(caller: Somebody, query: str = "") -> list[dict[str, Any]]:
    answer = caller.get(f"/api/companies/{caller.company_id}/device-logs{query}")
    assert answer.status_code == 200, answer.text
    lines: list[dict[str, Any]] = answer.json()
    return lines


def _codes(caller: Somebody, query: str = "") -> list[str]:
    return [line["code"] for line in _read(caller, query)]


@ON_BOTH
def test_a_foreign_company_sees_nothing_and_a_limit_has_bounds(site: Site) -> None:
    _write(site.device, "selftest_ok")
    path = f"/api/companies/{site.firm.id}/device-logs"
    stranger = site.somebody(site.world.firm("Andere GmbH").boss)
    assert stranger.get(path).status_code == 404
    assert _read(stranger) == []
    assert site.somebody(site.firm.anna).get(path).status_code == 403
    for query in ("limit=0", "limit=1001", "level=fatal"):
        assert site.boss.get(f"{path}?{query}").status_code == 422


@ON_BOTH
def test_pages_of_lines_make_the_whole_list_and_no_strangers_line_begins_one(site: Site) -> None:
    for n in (3, 1, 2, 2, 4):
        _write(site.device, f"line_{n}", EVENING - timedelta(minutes=n))
    all_lines = _read(site.boss)
    path = f"/api/companies/{site.firm.id}/device-logs"
    assert [row for page in pages(site.boss, f"{path}?limit=2") for row in page] == all_lines
    assert _read(site.boss, f"?before={all_lines[1]['id']}&limit=3") == all_lines[2:]
    assert _codes(site.boss, f"?before={all_lines[0]['id']}&q=line_4&level=") == ["line_4"]
    stranger = site.somebody(site.world.firm("Andere GmbH").boss)
    theirs = f"/api/companies/{stranger.company_id}/device-logs?before={all_lines[0]['id']}"
    assert stranger.get(theirs).status_code == 422


@ON_BOTH
def test_lines_from_before_the_clock_was_enrolled_stand_in_the_order_in_which_the_clock_wrote_them(site: Site) -> None:
    def lines(codes: range) -> list[dict[str, Any]]:
        # The later a line, the earlier its wrong time and the smaller its id.
        wrong = datetime.fromisoformat("1970-01-01T00:01:00+00:00")
        return [
            {
                **{"id": f"{99 - code:08d}-0000-4000-8000-000000000000", "at": iso(wrong - timedelta(seconds=code))},
                **{"level": "info", "code": f"line_{code}", "message": ""},
            }
            for code in codes
        ]

    path = f"/api/companies/{site.firm.id}/device-logs"
    first, second = lines(range(5)), lines(range(5, 9))
    for upload in (first, second, first[3:] + second[:1]):
        assert site.device.post("/api/devices/logs", {"entries": upload}).status_code == 200
    newest_first = [f"line_{code}" for code in reversed(range(9))]
    assert _codes(site.boss) == newest_first
    for limit in (1, 2, 4):
        codes = [row["code"] for page in pages(site.boss, f"{path}?limit={limit}") for row in page]
        assert codes == newest_first
    device_lines = site.founder.get(f"/api/devices/{site.device.device_id}").json()["logs"]
    assert [line["code"] for line in device_lines] == newest_first


@ON_BOTH
def test_lines_are_newest_first_by_level_limit_and_words(site: Site) -> None:
    boss = site.boss
    line = _write(site.device, "selftest_ok", EVENING - timedelta(hours=1), meta={"free": 3})
    _write(site.device, "reader_lost", EVENING, "error", message="Leser 100% weg")
    _write(site.device, "cloud_slow", EVENING - timedelta(hours=2), "warn")
    assert _codes(boss) == ["reader_lost", "selftest_ok", "cloud_slow"]
    assert _codes(boss, "?limit=1") == ["reader_lost"]
    assert _codes(boss, "?level=warn") == ["cloud_slow"]
    assert _codes(boss, "?level=all&q=SELFTEST") == ["selftest_ok"]
    assert _codes(boss, "?q=100%25 weg") == ["reader_lost"]
    assert _codes(boss, "?q=sw-t-1&limit=2") == ["reader_lost", "selftest_ok"]
    assert _codes(boss, "?q=_") == ["reader_lost", "selftest_ok", "cloud_slow"]
    assert _read(boss)[1] == {
        "id": line["id"],
        "createdAt": line["at"],
        "serial": "SW-T-1",
        "deviceId": site.device.device_id,
        "code": "selftest_ok",
        "message": "Es war selftest_ok.",
        "meta": {"free": 3},
        "level": "info",
    }


def test_a_line_belongs_to_the_owner_of_its_time_and_without_a_time_to_the_current_owner(site: Site) -> None:
    _write(site.device, "before")
    site.clock.set(EVENING + timedelta(hours=1))
    site.assign(site.device, site.world.firm("Andere GmbH").id)
    site.clock.set(EVENING + timedelta(hours=2))
    boss, other_boss = site.boss, site.somebody(site.world.firm("Andere GmbH").boss)
    _write(site.device, "late", MORNING)
    _write(site.device, "after", EVENING + timedelta(hours=2))
    _write(site.device, "no_time", datetime.fromisoformat("1970-01-01T00:00:09+00:00"))
    assert _codes(boss) == ["before", "late"]
    assert _codes(other_boss) == ["no_time", "after"]


def test_a_new_line_is_published_to_its_company_only(app: FastAPI, site: Site) -> None:
    boss, stranger = site.boss, site.somebody(site.world.firm("Andere GmbH").boss)

    async def story() -> None:
        path = "/api/companies/{}/device-logs/stream"
        async with (
            listening(app, path.format(boss.company_id), boss.headers) as own_stream,
            listening(app, "/api/events", boss.headers) as everything,
            listening(app, path.format(stranger.company_id), stranger.headers) as foreign,
        ):
            await asyncio.to_thread(_write, site.device, "reader_lost", EVENING, "error")
            event = await own_stream.next()
            assert event.id
            assert event.data == {"type": "log", "log": _read(boss)[0]}
            assert (await everything.next()).data["log"]["code"] == "reader_lost"
            lines = [
                {"id": site.device.uuid4(), "at": iso(EVENING), "level": "info", "code": "many", "message": ""}
                for _ in range(60)
            ]
            await asyncio.to_thread(site.device.post, "/api/devices/logs", {"entries": lines})
            assert (await own_stream.next()).data == {"type": "log"}
            assert await own_stream.quiet()
            assert await foreign.quiet()

    asyncio.run(story())


@pytest.mark.parametrize("module", ["error_log"])
def test_a_company_without_the_module_neither_reads_nor_streams_lines(app: FastAPI, site: Site, module: str) -> None:
    boss, path = site.boss, f"/api/companies/{site.firm.id}/features"
    other_modules = [row["id"] for row in boss.get(path).json() if row["key"] != module]
    assert site.founder.put(path, json={"featureIds": other_modules}).status_code == 200
    assert boss.get(f"/api/companies/{site.firm.id}/device-logs").status_code == 403

    async def story() -> None:
        async with listening(app, "/api/events", boss.headers) as everything:
            await asyncio.to_thread(_write, site.device, "reader_lost")
            assert await everything.quiet()

    asyncio.run(story())


def test_the_stream_of_lines_ends_at_its_beat_when_the_module_is_switched_off(
    app: FastAPI, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "BEAT_S", 0.01)
    boss, path = site.boss, f"/api/companies/{site.firm.id}/features"
    other_modules = [row["id"] for row in boss.get(path).json() if row["key"] != "error_log"]
    lines = f"/api/companies/{site.firm.id}/device-logs/stream"

    async def story() -> None:
        async with listening(app, lines, boss.headers) as stream:
            await stream.some_comments(3)
            switched = await asyncio.to_thread(site.founder.put, path, json={"featureIds": other_modules})
            assert switched.status_code == 200
            with pytest.raises(EOFError):
                await stream.next()

    asyncio.run(story())
