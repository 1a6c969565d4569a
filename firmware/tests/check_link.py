"""Sessions with a clock: nothing is lost, doubled or forged in any weather."""

import struct

from kit import Chance
from rig import KEY, UID, Clock, Line, Rig, talk
from scanner import frame

STEP = 6  # 24 / STEP seeds; run.mjs sets 1 for `prove`


def committed(clock):
    return sorted([bytes(clock.journal[key][2]) for key in clock.journal])


def test_a_tap_is_delivered_and_forgotten():
    rig = Rig()
    clock = Clock(rig)
    talk(rig, clock, 1500)
    assert rig.scanner.link.up and clock.heard[0][0] == frame.STATUS
    assert rig.tap() == ["stored"]
    talk(rig, clock, 1000)
    assert committed(clock) == [UID] and rig.scanner.log.used == 0


def test_taps_out_of_the_base_wait_and_come_in_their_order_with_their_ticks():
    rig = Rig()
    rig.docked = False
    for number in range(12):
        rig.tap(bytes([4, 1, 1, number]))
    rig.docked = True
    clock = Clock(rig)
    talk(rig, clock, 4000)
    ticks = [struct.unpack(">Q", clock.journal[rig.scanner.log.epoch, number][1])[0] for number in range(1, 13)]
    assert committed(clock) == [bytes([4, 1, 1, number]) for number in range(12)]
    assert ticks == sorted(ticks) and ticks[-1] - ticks[0] > 11 * 4000


def test_no_weather_loses_or_doubles_a_tap():
    for seed in range(1, 25, STEP):
        chance = Chance(seed)
        rig = Rig(seed, segments=4, records=8)
        clock = Clock(rig)
        recorded = []

        def spoil(data):
            data = bytearray(data)
            fate = chance.below(12)
            if data and fate == 0:
                return b""
            if data and fate == 1:
                data[chance.below(len(data))] ^= 1 << chance.below(8)
            if data and fate == 2:
                return bytes(data[: chance.below(len(data))])
            if data and fate == 3:
                recorded.append(bytes(data))
            if recorded and fate in (4, 5):
                return recorded[chance.below(len(recorded))] + bytes(data)  # replayed
            return bytes(data)

        stored = 0
        for number in range(30):
            event = chance.below(10)
            if event == 0:
                stored += rig.played.count("stored")
                rig.boot()
            elif event == 1:
                clock.restart()
            elif event == 2:
                rig.docked = not rig.docked
            uid = bytes([4, seed, 0, number])
            rig.chip.tag = uid
            talk(rig, clock, 900, spoil)
            rig.chip.tag = None
            talk(rig, clock, 1000, spoil)
        stored += rig.played.count("stored")
        rig.docked = True
        talk(rig, clock, 25000)
        assert rig.scanner.log.used == 0, "stuck, seed %d" % seed
        assert len(clock.journal) == stored > 15, "lost, seed %d" % seed
        uids = committed(clock)
        assert len(set(uids)) == len(uids), "doubled, seed %d" % seed


def test_a_lost_acknowledgement_is_made_up_for():
    rig = Rig()
    clock = Clock(rig)
    talk(rig, clock, 1500)
    nonces = rig.scanner.link._nonces
    rig.chip.tag = UID
    rig.run(200)
    clock.take(bytes(rig.line.sent))
    rig.line.sent, rig.line.arriving = bytearray(), bytearray()  # the clock committed; its answer is lost
    assert len(clock.journal) == 1 and rig.scanner.log.used == 1
    talk(rig, clock, 1500)
    assert len(clock.journal) == 1 and rig.scanner.log.used == 0 and rig.scanner.link._nonces == nonces


def test_a_flash_that_lost_its_end_costs_no_tap_before_or_after_the_next_contact():
    for lost in range(0, 6 * 40 + 1, 8 * STEP - 7):
        rig = Rig(lost + 1)
        clock = Clock(rig)
        talk(rig, clock, 1500)
        all_uids = [bytes([4, 7, 7, number]) for number in range(12)]
        for uid in all_uids[:6]:
            rig.tap(uid)
        talk(rig, clock, 2000)
        assert len(clock.journal) == 6
        [name] = [name for name in rig.card.files if name.startswith("/taps/0")]
        rig.card.files[name] = rig.card.files[name][: 6 * 40 - lost]
        for uids in (all_uids[6:8], all_uids[8:10]):  # two starts far from the clock
            rig.boot()
            rig.docked = False
            for uid in uids:
                assert rig.tap(uid) == ["stored"]
        rig.docked = True
        talk(rig, clock, 6000)
        for uid in all_uids[10:]:
            rig.tap(uid)
        talk(rig, clock, 3000)
        assert committed(clock) == all_uids, "%d lost" % lost
        assert rig.scanner.log.used == 0 and clock.unreadable == []


def test_an_epoch_that_the_clock_knows_is_drawn_anew_at_the_greeting():
    rig = Rig()
    clock = Clock(rig)
    epoch = rig.scanner.log.epoch
    clock.journal[epoch, 1] = (bytes(16), bytes(8), b"\4\0\0\1")
    talk(rig, clock, 3000)
    assert rig.scanner.link.up and rig.scanner.log.epoch != epoch
    assert rig.tap() == ["stored"]
    talk(rig, clock, 1000)
    assert committed(clock) == [b"\4\0\0\1", UID]


def test_a_clock_started_again_is_greeted_anew():
    rig = Rig()
    clock = Clock(rig)
    talk(rig, clock, 2000)
    clock.restart()
    rig.tap()
    talk(rig, clock, 8000)
    assert rig.scanner.log.used == 0 and rig.scanner.link.up
    clock.restart()
    talk(rig, clock, 40000)  # without a tap the next STATUS stays unanswered
    assert clock.heard[-1][0] == frame.STATUS


def test_without_the_key_nothing_is_believed():
    rig = Rig()
    forger = Clock(rig, bytes(31) + b"\1")
    rig.tap()
    talk(rig, forger, 3000)
    assert not rig.scanner.link.up and forger.journal == {}
    nonces = rig.scanner.link._nonces
    for kind, body in ((frame.WELCOME, bytes(25)), (frame.FORGET, b""), (frame.ADOPT, bytes(56))):
        rig.line.arriving += frame.pack(frame.NO_KEY, nonces, kind, 0, 1, body, b"C")
    rig.line.arriving += frame.pack(frame.NO_KEY, nonces, frame.ACK, rig.scanner.log.epoch, 1, b"", b"C")
    rig.run(200)
    assert not rig.scanner.link.up and rig.scanner.log.used == 1 and rig.scanner.key == KEY
    assert rig.scanner.link.dropped >= 4


def test_what_was_recorded_in_another_session_is_not_believed():
    rig = Rig()
    clock = Clock(rig)
    recorded = bytearray()

    def record(data):
        recorded.extend(data)
        return data

    talk(rig, clock, 2000, record)
    rig.boot()
    rig.tap()
    rig.line.arriving += recorded
    rig.run(500)
    assert not rig.scanner.link.up and rig.scanner.log.used == 1


def test_a_greeting_replayed_by_a_stranger_disturbs_no_session():
    rig = Rig()
    clock = Clock(rig)
    rig.run(100)
    old = bytes(rig.line.sent)
    rig.boot()
    talk(rig, clock, 2000)
    clock.take(old)
    rig.tap()
    talk(rig, clock, 1000)
    assert rig.scanner.log.used == 0


def test_a_counter_heard_before_is_dropped():
    rig = Rig()
    clock = Clock(rig)
    talk(rig, clock, 1500)
    clock.say(frame.FORGET)
    repeated = bytes(rig.line.arriving)
    rig.line.arriving = bytearray()
    clock.say(frame.TIME, bytes(17))
    rig.line.arriving += repeated
    rig.run(200)
    assert rig.scanner.adopted


def test_an_acknowledgement_of_another_epoch_or_of_the_future_takes_nothing():
    rig = Rig()
    clock = Clock(rig)
    talk(rig, clock, 1500)
    rig.docked = False
    rig.tap()
    link, log = rig.scanner.link, rig.scanner.log
    for epoch, number in ((log.epoch ^ 1, 1), (log.epoch, 2), (log.epoch, 0)):
        link._committed(epoch, number, 0)
    assert log.used == 1


def test_a_record_that_cannot_be_read_stops_no_other():
    rig = Rig()
    rig.docked = False
    for number in range(3):
        rig.tap(bytes([4, 4, 4, number]))
    [name] = [name for name in rig.card.files if name.startswith("/taps/0")]
    spoilt = bytearray(rig.card.files[name])
    spoilt[50] ^= 1
    rig.card.files[name] = bytes(spoilt)
    rig.docked = True
    clock = Clock(rig)
    talk(rig, clock, 3000)
    assert clock.unreadable == [2] and rig.scanner.log.used == 0


def test_adoption_is_stored_answered_with_the_new_key_and_begun_anew():
    rig = Rig(adopted=False)
    clock = Clock(rig)
    assert rig.tap() == ["unadopted"] and rig.scanner.log.next == 1
    talk(rig, clock, 1500)
    assert clock.key_in_use == frame.NO_KEY
    clock.say(frame.FORGET)
    clock.say(frame.ADOPT, KEY + "Süd".encode() + bytes(20))
    lost = []
    talk(rig, clock, 200, lambda data: lost.append(data) or b"")  # the answer is lost
    talk(rig, clock, 2500)
    assert rig.scanner.key == KEY == clock.key_in_use and rig.scanner.name == "Süd"
    assert rig.tap() == ["stored"]
    rig.boot()
    assert rig.scanner.adopted and rig.scanner.log.used == 1


def test_a_name_that_was_cut_within_a_letter_is_kept_up_to_there():
    for name, expected_name in (("Südtor".encode()[:2], "S"), (b"\xff" * 24, ""), ("Tür 1".encode(), "Tür 1")):
        rig = Rig(adopted=False)
        clock = Clock(rig)
        talk(rig, clock, 1500)
        clock.say(frame.ADOPT, KEY + (name + bytes(24))[:24])
        talk(rig, clock, 300)
        yield expected_name, [rig.scanner.name, rig.scanner.adopted], [expected_name, True]


def test_adoption_that_cannot_be_stored_is_refused():
    rig = Rig(adopted=False)
    clock = Clock(rig)
    talk(rig, clock, 1500)
    rig.card.full = True
    clock.say(frame.ADOPT, KEY + bytes(24))
    talk(rig, clock, 500)
    assert clock.heard[-1][0] == frame.REFUSED and clock.heard[-1][3] == b"\2" and not rig.scanner.adopted


def test_a_scanner_is_forgotten_only_when_nothing_waits():
    rig = Rig()
    clock = Clock(rig)
    talk(rig, clock, 1500)
    rig.chip.tag = UID
    rig.run(200)
    clock.say(frame.FORGET)
    rig.run(100)
    assert rig.scanner.adopted
    talk(rig, clock, 2000)
    assert (frame.REFUSED, b"\1") in [(kind, body) for kind, _, _, body in clock.heard]
    clock.say(frame.FORGET)
    talk(rig, clock, 2500)
    assert not rig.scanner.adopted and clock.key_in_use == frame.NO_KEY
    assert rig.scanner.log.next == 2


def test_what_the_clock_says_of_a_tap_is_shown():
    rig = Rig()
    clock = Clock(rig)
    clock.feedback = True
    talk(rig, clock, 1500)
    rig.chip.tag = UID
    talk(rig, clock, 500)
    assert rig.played == ["stored", "double"]


def test_a_line_of_noise_takes_no_memory_and_no_session():
    rig = Rig()
    clock = Clock(rig)
    talk(rig, clock, 1500)
    noise = Chance(5)
    for _ in range(20):
        rig.line.arriving += noise(400)
        rig.run(60)
    assert rig.scanner.link.up
    assert isinstance(rig.line, Line) and len(rig.scanner.link._splitter._open) <= 224
