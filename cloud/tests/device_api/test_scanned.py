"""Stamps of a clock's portable scanners: their own starts, their own anchors, in one batch with the clock's."""

from typing import Any

from cloud.tests.device_client import iso, outcomes
from cloud.tests.stamping import ANNA, MORNING, Site, hours

BOOT, OTHER_BOOT = "5f0c1d7e-3b7a-4b0e-8f55-2a9d3c4e5f60", "5f0c1d7e-3b7a-4b0e-8f55-2a9d3c4e5f61"
VIA = "scanner:SW-BEACON-000042"


def scanned(site: Site, tick_ms: int, boot: str = BOOT) -> dict[str, Any]:
    """A tap on a scanner, whose time the clock did not know when it took it."""
    own_time = {"boot": boot, "boottimeMs": tick_ms, "quality": "none", "via": VIA, "shown": None}
    return site.device.tap(ANNA, MORNING + hours(10)) | own_time


def anchor(tick_ms: int, hour: int, boot: str = BOOT) -> dict[str, Any]:
    return {"boot": boot, "boottimeMs": tick_ms, "serverTime": iso(MORNING + hours(hour)), "rttMs": 540}


def states(answer: dict[str, Any]) -> list[str]:
    return [result["state"] for result in answer["results"]]


def test_a_scanners_taps_have_the_time_of_its_own_anchors_beside_the_clocks_stamps(site: Site) -> None:
    hour = 3_600_000
    come, last_tap = scanned(site, 1 * hour), site.device.tap(ANNA, MORNING + hours(8))
    anchors = [anchor(3 * hour, 2), site.device.anchor(MORNING + hours(8))]
    answer = site.device.deliver(come, last_tap, anchors=anchors)
    assert (outcomes(answer), states(answer)) == (["stored", "stored"], ["booked", "booked"])
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]


def test_without_an_anchor_of_its_start_a_tap_waits_and_one_that_comes_later_books_it(site: Site) -> None:
    hour = 3_600_000
    answer = site.device.deliver(scanned(site, hour), anchors=[anchor(3 * hour, 2, OTHER_BOOT)])
    assert states(answer) == ["held_clock"]
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(8)), anchors=[anchor(3 * hour, 2)])
    assert site.spans() == [("2026-11-20", "07:00", "15:00")]


def test_a_tap_that_a_card_that_was_set_back_took_again_counts_once(site: Site) -> None:
    hour = 3_600_000
    tap = scanned(site, hour)
    repeated = scanned(site, hour) | {"id": tap["id"], "wall": iso(MORNING + hours(11))}
    anchors = [anchor(3 * hour, 2)]
    assert outcomes(site.device.deliver(tap, anchors=anchors)) == ["stored"]
    assert outcomes(site.device.deliver(repeated, anchors=anchors)) == ["variant"]
    assert site.spans() == [("2026-11-20", "07:00", None)]
