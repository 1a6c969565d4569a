"""A whole scanner on each board: what a person who holds a tag to it finds."""

import machine
from rig import UID, Clock, Rig, talk

BOARDS = ("rp2040", "rp2350", "esp32")


def test_a_tap_is_kept_before_it_sounds_on_every_board():
    for board in BOARDS:
        rig = Rig(board=board)
        stored = []
        play = rig.scanner.player.play
        rig.scanner.player.play = lambda name, now: stored.append((name, len(rig.scanner.log._files.read(
            rig.scanner.log.newest.name(1)))) ) or play(name, now)
        rig.chip.tag = UID
        rig.run(400)
        yield board, stored, [("stored", 40)]


def test_a_tag_that_stays_is_one_tap_and_one_that_comes_again_is_another():
    rig = Rig()
    rig.chip.tag = UID
    rig.run(20000)
    assert rig.scanner.log.next == 2
    assert rig.tap(UID) == []
    assert rig.tap(UID) == ["stored"] and rig.scanner.log.next == 3


def test_two_cards_that_are_read_in_turns_are_two_taps():
    rig = Rig()
    for uid in (UID, b"\1\2\3\4") * 20:
        rig.chip.tag = uid
        rig.run(300)
    assert rig.played == ["stored", "stored"] and rig.scanner.log.next == 3


def test_a_card_in_a_phones_case_is_one_tap_and_no_refusal():
    for docked in (True, False):
        longest = 23 if docked else 5  # looks in 1.5 s
        for leading, phones, cards in ((0, 1, 1), (1, 1, 1), (3, 1, 2), (0, 4, 1), (0, 1, 30), (1, longest, 1)):
            rig = Rig()
            rig.docked = docked
            rig.chip.looks = [UID] * leading
            for look in range(120):
                is_card = look % (phones + cards) >= phones
                rig.chip.looks.append(UID if is_card else b"\x08" + rig.chance(3))
            rig.run(120 * 250)
            rig.chip.looks = []
            rig.run(12000)
            case = "%d, %d phones, %d cards, docked %s" % (leading, phones, cards, docked)
            first = [] if leading or phones == 1 else ["refused"]  # only a phone for two looks is a phone
            yield case, [rig.played, rig.scanner.log.next], [first + ["stored"], 2]


def test_a_phone_alone_is_refused_once_however_long_it_lies_there():
    for docked in (True, False):
        rig = Rig()
        rig.docked = docked
        rig.chip.looks = [b"\x08" + rig.chance(3) for _ in range(400)]
        rig.run(24 * 1000)
        yield "docked %s" % docked, [rig.played, rig.scanner.log.next], [["refused"], 1]


def test_a_phone_that_is_seen_by_one_look_is_refused():
    rig = Rig()
    rig.chip.looks = [b"\x08\1\2\3"]
    rig.run(2000)
    assert rig.played == ["refused"]


def test_a_card_at_the_edge_of_the_field_is_one_tap():
    for board, docked in (("rp2040", True), ("rp2040", False), ("esp32", True)):
        rig = Rig(board=board)
        rig.docked = docked
        look_every = 60 if docked else 250
        for hits, missed in ((1, 1400 // look_every - 1), (3, 2), (1, 1200 // look_every), (2, 3), (1, 1)) * 20:
            rig.chip.looks += [UID] * hits + [None] * missed
        rig.run(len(rig.chip.looks) * look_every)
        yield "%s, docked %s" % (board, docked), [rig.played, rig.scanner.log.next], [["stored"], 2]


def test_a_tag_that_lies_through_a_short_failure_of_the_reader_is_no_new_tap():
    for failure, taps in ((3000, []), (7000, ["stored"])):
        rig = Rig()
        rig.chip.tag = UID
        rig.run(500)
        rig.played = []
        rig.chip.dead = True
        rig.run(failure)
        rig.chip.dead = False
        rig.run(3000)
        yield "%d ms" % failure, rig.played, taps


def test_a_tag_that_was_held_before_the_battery_was_flat_is_a_new_tap_after_it():
    rig = Rig()
    rig.docked = False
    rig.chip.tag = UID
    rig.run(9900)
    machine.WORLD["millivolts"] = 3400
    rig.run(60000)
    machine.WORLD["millivolts"] = 4000
    rig.played = []
    rig.run(15000)
    assert rig.played == ["stored"]


def test_what_is_no_tag_is_refused():
    rig = Rig()
    for uid in (b"\x08\1\2\3", b"\x88\4\5\6"):
        assert rig.tap(uid) == ["refused"]
    assert rig.scanner.log.next == 1


def test_full_and_broken_sound_otherwise_and_nothing_is_lost():
    rig = Rig(segments=1, records=2)
    assert [rig.tap(bytes([4, 0, 0, number])) for number in range(3)] == [["stored"], ["stored"], ["full"]]
    clock = Clock(rig)
    talk(rig, clock, 3000)
    assert rig.tap(b"\4\0\0\7") == ["stored"]
    rig.card.full = True
    assert rig.tap(b"\4\0\0\x08") == ["failed"]
    rig.card.full = False
    assert rig.tap(b"\4\0\0\x09") == ["stored"]
    talk(rig, clock, 8000)
    assert len(clock.journal) == 4 and rig.scanner.log.overflow == 1


def test_a_reader_that_fails_is_reported_and_comes_back():
    rig = Rig()
    rig.run(200)
    rig.chip.dead = True
    rig.run(2500)
    assert rig.scanner.status()[-1] == 1
    rig.chip.dead = False
    rig.run(2500)
    assert rig.scanner.status()[-1] == 0 and rig.tap() == ["stored"]


def test_on_its_battery_it_sleeps_and_still_reads():
    rig = Rig()
    rig.docked = False
    rig.run(2 * 60 * 1000)
    assert rig.scanner.power.state == "watching" and rig.chip.asleep
    slept = [rig.scanner.step()[1] for _ in range(3)]
    assert True in slept
    assert rig.tap() == ["stored"] and rig.scanner.power.state == "awake"


def test_a_flat_battery_reads_nothing_and_keeps_its_tick():
    rig = Rig()
    rig.docked = False
    machine.WORLD["millivolts"] = 3400
    try:
        rig.run(15000)
        tick_before = rig.scanner.timebase.now()
        assert rig.scanner.power.state == "empty" and rig.tap() == []
        assert rig.scanner.timebase.now() - tick_before == 4300
    finally:
        machine.WORLD["millivolts"] = 4000
    rig.run(11000)
    assert rig.tap() == ["stored"]


def test_it_charges_while_the_charger_pulls_its_line_down():
    for pulled in (False, True):
        machine.PINS.pop(15, None)
        if pulled:
            machine.PINS[15] = 0
        yield "pulled %s" % pulled, Rig().scanner.hardware.battery()[2], pulled
    machine.PINS.pop(15, None)


def test_no_sleep_is_longer_than_the_watchdogs_patience():
    for state, millivolts, milliseconds in (("awake", 4000, 9000), ("watching", 4000, 65000), ("empty", 3400, 15000)):
        rig = Rig()
        rig.docked = False
        machine.WORLD["millivolts"] = millivolts
        try:
            rig.run(milliseconds)
            waits = [rig.scanner.step()[0] for _ in range(5)]
        finally:
            machine.WORLD["millivolts"] = 4000
        yield state, [rig.scanner.power.state, max(waits) <= 5000], [state, True]


def test_each_start_has_a_boot_of_its_own_that_is_a_uuid():
    boots = set()
    rig = Rig()
    for _ in range(20):
        rig.boot()
        boots.add(rig.scanner.boot)
        assert rig.scanner.boot[6] >> 4 == 4 and rig.scanner.boot[8] >> 6 == 2
    assert len(boots) == 20
