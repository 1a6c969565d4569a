"""Adoption of scanners from the touchscreen with an administrator's tag: its persons, its start and its end."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.wire import PeopleChange, PersonRow
from stempelwerk_edge.ports import Answer
from stempelwerk_edge.satellites.adoption import AtScreen
from stempelwerk_edge.satellites.base import Satellites
from stempelwerk_edge.tap.tapping import Tapper
from stempelwerk_tools.simulators.scanner import ModelScanner

from edge.tests.clockwork import MORNING, TAG, surroundings
from edge.tests.satellites.conftest import Dock

BEN = "04BEBEBEBEBEBE"
BOSS = PersonRow("u-1", "Chefin", (TAG,), "out", None, 0, 0, None, steward=True)


class Wall:
    """A base whose touchscreen allows adoption, as the agent puts it together, with a new scanner in its socket."""

    def __init__(self, dock: Dock, *, is_base: bool = True) -> None:
        self.dock = dock
        around = surroundings(dock.clock, ids=dock.ids, screen=dock.screen, report=dock.log)
        self.at_screen = AtScreen(around.time, dock.screen, self.forget)
        self.tapper = Tapper(dock.stores, around, dock.signals, lambda: None, self.at_screen if is_base else None)
        dock.base = Satellites(
            dock.journal,
            around,
            self.tapper,
            self.at_screen.is_open,
            dock.entropy.randbytes,
            self.at_screen.adopted,
            self.at_screen.look,
        )
        self.set_people(BOSS, PersonRow("u-2", "Ben", (BEN,), "out", None, 0, 0, None))
        self.scanner = ModelScanner("SW-BEACON-000042", random.Random(1))
        self.scanner.power_on(dock.now_ms())
        dock.dock(self.scanner)

    def forget(self, serial: str) -> bool:
        return self.dock.base.forget(serial)

    def set_people(self, *people: PersonRow) -> None:
        self.dock.stores.people.apply(PeopleChange("2", True, people, ()), 0, MORNING.date())

    def tap(self, tag: str = TAG) -> Answer:
        answer = self.tapper.on_tag(tag)
        assert answer is not None
        assert answer.stamp_id is not None
        return answer

    def has_key(self) -> bool:
        self.dock.run(3)
        return self.scanner.flash.key is not None


@pytest.fixture
def wall(base: Dock) -> Wall:
    return Wall(base)


def test_a_press_of_an_administrator_adopts_the_scanner_that_is_put_in(wall: Wall) -> None:
    assert not wall.has_key()
    answer = wall.tap()
    assert answer.steward
    assert wall.tapper.adopt(answer.stamp_id)
    assert wall.has_key()
    assert wall.dock.screen.status["adopted"] == ("SW-BEACON-000042",)
    assert len(wall.dock.stamps()) == 1  # it stamps as any other


def test_nobody_else_is_offered_it_or_may(wall: Wall) -> None:
    answer = wall.tap(BEN)
    assert not answer.steward
    assert not wall.tapper.adopt(answer.stamp_id)
    assert not wall.tapper.adopt("")
    assert not wall.has_key()


def test_a_press_counts_for_who_was_shown(wall: Wall) -> None:
    answer = wall.tap()
    wall.tap(BEN)
    assert not wall.tapper.adopt(answer.stamp_id)
    assert wall.dock.screen.notices == ["too_late"]
    assert not wall.has_key()


@pytest.mark.parametrize(("after_ms", "late_ms", "counts"), [(5_900, 0, True), (6_100, 0, False), (9_000, 4_000, True)])
def test_a_press_counts_from_its_moment_as_long_as_the_answer_stands(
    wall: Wall, after_ms: int, late_ms: int, counts: bool
) -> None:
    answer = wall.tap()
    wall.dock.clock.advance(milliseconds=after_ms)
    assert wall.tapper.adopt(answer.stamp_id, late_ms) is counts
    assert wall.has_key() is counts


@pytest.mark.parametrize("people", [(), (replace(BOSS, steward=False),), (replace(BOSS, tags=(BEN,)),)])
def test_a_tag_that_was_withdrawn_meanwhile_opens_nothing(wall: Wall, people: tuple[PersonRow, ...]) -> None:
    answer = wall.tap()
    wall.set_people(*people)
    assert not wall.tapper.adopt(answer.stamp_id)
    assert not wall.has_key()


def test_it_closes_by_itself_after_five_minutes_and_by_a_press(wall: Wall) -> None:
    assert wall.tapper.adopt(wall.tap().stamp_id)
    wall.dock.clock.advance(seconds=301)
    assert not wall.has_key()
    wall.dock.clock.advance(minutes=2)
    assert wall.tapper.adopt(wall.tap().stamp_id)
    assert wall.tapper.adopt(None)
    assert wall.dock.screen.status["adopting_until"] is None
    assert not wall.has_key()


def test_a_clock_that_is_no_base_offers_nothing(base: Dock) -> None:
    wall = Wall(base, is_base=False)
    answer = wall.tap()
    assert not answer.steward
    assert not wall.tapper.adopt(answer.stamp_id)


def test_who_may_is_known_after_a_restart(wall: Wall, memory: Path) -> None:
    wall.dock.stores.people.load()
    assert wall.dock.stores.people.is_steward(TAG)
    assert not wall.dock.stores.people.is_steward(BEN)


# ---- the page of the scanners


@pytest.fixture
def opened(wall: Wall) -> Wall:
    """The scanners' page is open, and the scanner is this clock's."""
    assert wall.tapper.adopt(wall.tap().stamp_id)
    assert wall.has_key()
    return wall


def scanner_rows(wall: Wall) -> list[tuple[str, bool, bool]]:
    """Returns for each scanner on the page whether it lies here, and whether it is being forgotten."""
    return [
        (scanner_row["serial"], scanner_row["connected"], scanner_row["forgetting"])
        for scanner_row in wall.dock.screen.status["scanners"]
    ]


def test_the_page_shows_how_every_scanner_is(opened: Wall) -> None:
    [scanner_row] = opened.dock.screen.status["scanners"]
    assert (scanner_row["name"], scanner_row["version"], scanner_row["battery"], scanner_row["log"]["used"]) == (
        "Scanner 1",
        "1.0.0",
        71,
        0,
    )
    assert (scanner_row["connected"], scanner_row["forgetting"], scanner_row["update"]) == (True, False, None)
    opened.dock.base.unplugged(opened.dock.line)
    assert scanner_rows(opened) == [("SW-BEACON-000042", False, False)]


def test_nothing_is_forgotten_where_the_page_does_not_stand_or_that_is_none_of_this_clocks(opened: Wall) -> None:
    assert not opened.tapper.forget("SW-BEACON-000043")
    opened.dock.disk.result = 13
    assert not opened.tapper.forget("SW-BEACON-000042")
    opened.dock.disk.result = None
    assert opened.tapper.adopt(None)
    assert not opened.tapper.forget("SW-BEACON-000042")
    assert opened.has_key()


def test_a_forgotten_scanner_is_nobodys_and_not_adopted_again_before_it_was_taken_out(opened: Wall) -> None:
    assert opened.tapper.forget("SW-BEACON-000042")
    opened.dock.run(6)
    assert not opened.has_key()
    assert scanner_rows(opened) == []
    assert opened.dock.base.for_heartbeat() == []
    opened.dock.dock(opened.scanner)
    assert opened.has_key()
    assert scanner_rows(opened) == [("SW-BEACON-000042", True, False)]
    opened.scanner.tap(bytes.fromhex(TAG), opened.dock.now_ms())
    opened.dock.run(4)
    assert len(opened.dock.taps()) == 1


def test_what_waits_on_a_scanner_is_taken_before_it_is_forgotten(opened: Wall) -> None:
    opened.dock.disk.result = 13  # nothing can be taken yet
    for _ in range(20):
        opened.scanner.tap(bytes.fromhex(TAG), opened.dock.now_ms())
    opened.dock.run(2)
    opened.dock.disk.result = None
    assert opened.tapper.forget("SW-BEACON-000042")
    opened.dock.run(60)
    assert opened.scanner.flash.key is None
    assert len(opened.dock.taps()) == 20


def test_one_that_is_away_is_out_of_sight_and_forgotten_when_it_comes_back_with_what_it_holds(opened: Wall) -> None:
    opened.dock.base.unplugged(opened.dock.line)
    assert opened.tapper.forget("SW-BEACON-000042")
    assert scanner_rows(opened) == []
    assert opened.dock.base.for_heartbeat() == []
    opened.scanner.tap(bytes.fromhex(TAG), opened.dock.now_ms())
    opened.dock.journal.close()  # also over damage, and a start of the clock
    (opened.dock.folder / "journal").rename(opened.dock.folder / "journal.damaged-1")
    opened.dock.start()
    assert opened.dock.base.for_heartbeat() == []
    opened.dock.adopting = False
    opened.dock.dock(opened.scanner)
    opened.dock.run(60)
    assert len(opened.dock.taps()) == 1
    assert (opened.scanner.flash.key, opened.dock.base.for_heartbeat()) == (None, [])
