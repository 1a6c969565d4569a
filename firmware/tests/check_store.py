"""The log of taps: nothing signalled is lost, whatever the power does and when."""

from kit import Card, Chance, PowerCut, mounted, raises
from scanner.store import RECORD, Files, Log, LogFull, load, save

BOOT = bytes(range(16))
SEGMENTS, RECORDS = 3, 4


def opened(card, seed=1):
    mounted(card)
    return Log(Files("/card/taps"), Chance(seed), SEGMENTS, RECORDS)


def uid_of(number):
    return bytes([4, number % 251, number // 251, 9])


class Life:
    """What somebody saw who held tags to a scanner: what was signalled, acknowledged, refused."""

    def __init__(self):
        self.signalled = {}
        self.acked = self.refused = self.tried = 0
        self.epoch = None

    def live(self, log, taps=34):
        self.epoch = log.epoch if self.epoch is None else self.epoch
        for _ in range(taps):
            self.tried += 1
            try:
                number = log.append(BOOT, self.tried, uid_of(self.tried))
            except LogFull:
                self.refused += 1
                self._acknowledge(log, log.acked + 5)
            else:
                self.signalled[number] = self.tried
                if not self.tried % 9:
                    self._acknowledge(log, number - 2)

    def _acknowledge(self, log, number):
        self.acked = max(self.acked, number)  # known to the clock, whatever comes of it here
        log.acknowledge(number)

    def check(self, log, cuts=1):
        assert not self.signalled or log.epoch == self.epoch, "another epoch"
        highest = max(self.signalled) if self.signalled else 0
        assert highest < log.next <= highest + 1 + cuts, "next %d after %d" % (log.next, highest)
        assert log.acked <= self.acked, "forgotten though not acknowledged"
        assert self.refused <= log.overflow <= self.refused + cuts, "overflow"
        for number in range(log.first, log.next):
            kept = log.read(number)
            assert kept is not None, "number %d cannot be read" % number
            if number in self.signalled:
                assert kept == (BOOT, self.signalled[number], uid_of(self.signalled[number])), "another tap"


def whole_life():
    # How much a life writes.
    card = Card()
    Life().live(opened(card))
    return card.used


def cut_everywhere(step, torn, start=0):
    end = whole_life()
    points = 0
    for at in range(start, end, step):
        life = Life()
        card = Card({}, at, torn)
        try:
            life.live(opened(card))
        except PowerCut:
            pass
        points += 1
        again = opened(Card(card.files, torn=torn))
        if life.epoch is None or not life.signalled:
            life.epoch = again.epoch
        life.check(again)
        life.acked = again.acked
        life.refused = again.overflow
        life.signalled = {number: tap for number, tap in life.signalled.items() if number >= again.first}
        life.live(again, 6)
        life.check(again)
    return points


STEP = 5  # the gate's; run.mjs sets 1 for `prove`


def test_a_power_cut_at_any_byte_loses_nothing_that_was_signalled():
    for torn in (False, True):
        assert cut_everywhere(STEP, torn, STEP // 3) > 1000 // STEP


def test_a_second_power_cut_while_it_mends_loses_nothing_either():
    end = whole_life()
    for at in range(50, end, 8 * STEP + 1):
        for then in range(0, 200, 1 + STEP):
            life = Life()
            card = Card({}, at, True)
            try:
                life.live(opened(card))
            except PowerCut:
                pass
            second = Card(card.files, then, True)
            known = life.acked
            try:
                life.live(opened(second), 5)
            except PowerCut:
                pass
            life.acked = max(known, life.acked)
            life.check(opened(Card(card.files)), 2)


def test_a_control_without_closing_in_time_would_be_found():
    # A log that signals before it closed its file, as the mistake would be made: the check must see it.
    class Hasty(Log):
        def append(self, boot, tick, uid):
            self.early = self.next
            seen.signalled[self.next] = seen.tried
            return Log.append(self, boot, tick, uid)

    found = 0
    for at in range(60, 600, 13):
        seen = Life()
        card = Card({}, at)
        mounted(card)
        try:
            seen.live(Hasty(Files("/card/taps"), Chance(1), SEGMENTS, RECORDS))
        except PowerCut:
            pass
        try:
            seen.check(opened(Card(card.files)))
        except AssertionError:
            found += 1
    assert found > 10


def test_a_full_log_refuses_and_counts_and_overwrites_nothing():
    card = Card()
    log = opened(card)
    for number in range(1, SEGMENTS * RECORDS + 1):
        assert log.append(BOOT, number, uid_of(number)) == number
    for _ in range(3):
        raises(LogFull, log.append, BOOT, 99, uid_of(99))
    again = opened(Card(card.files))
    assert (again.overflow, again.used, again.first) == (3, SEGMENTS * RECORDS, 1)
    assert again.acknowledge(1) and again.append(BOOT, 13, uid_of(13)) == 13


def test_a_flash_that_takes_no_more_refuses_and_goes_on_where_it_was():
    card = Card()
    log = opened(card)
    log.append(BOOT, 1, uid_of(1))
    card.full = True
    for _ in range(3):
        raises(OSError, log.append, BOOT, 2, uid_of(2))
    card.full = False
    assert log.append(BOOT, 3, uid_of(3)) == 2
    again = opened(Card(card.files))
    assert [again.read(number)[1] for number in (1, 2)] == [1, 3]


def test_an_append_that_was_kept_and_not_reported_does_not_shift_the_next():
    card = Card()
    log = opened(card)
    log.append(BOOT, 1, uid_of(1))
    name = [name for name in card.files if card.files[name]][0]
    card.full = True
    raises(OSError, log.append, BOOT, 2, uid_of(2))
    card.files[name] += bytes(RECORD)
    card.full = False
    assert log.append(BOOT, 3, uid_of(3)) == 2 and log.read(2)[1] == 3


def test_numbers_go_on_after_all_is_acknowledged_and_the_power_is_gone():
    card = Card()
    log = opened(card)
    for number in range(1, 10):
        log.append(BOOT, number, uid_of(number))
        log.acknowledge(number)
    assert log.used == 0 and len([name for name in card.files if card.files[name]]) == 1
    assert opened(Card(card.files)).append(BOOT, 10, uid_of(10)) == 10


def test_a_worn_record_and_a_lost_segment_keep_their_numbers_and_read_as_nothing():
    card = Card()
    log = opened(card)
    for number in range(1, 10):
        log.append(BOOT, number, uid_of(number))
    names = sorted([name for name in card.files if card.files[name]])
    spoilt = bytearray(card.files[names[1]])
    spoilt[RECORD + 20] ^= 1
    card.files[names[1]] = bytes(spoilt)
    again = opened(Card(card.files))
    assert [again.read(number) is None for number in range(4, 8)] == [False, False, True, False]
    del card.files[names[1]]
    again = opened(Card(card.files))
    assert [again.read(number) is None for number in range(4, 10)] == [False, True, True, True, True, False]
    assert again.append(BOOT, 10, uid_of(10)) == 10


def test_a_record_in_anothers_place_or_from_another_log_is_not_taken_for_it():
    card, other = Card(), Card()
    log = opened(other, 2)
    log.append(BOOT, 1, uid_of(1))
    foreign = [bytes(content) for content in other.files.values() if content][0]
    log = opened(card)
    for number in (1, 2, 3):
        log.append(BOOT, number, uid_of(number))
    name = [name for name in card.files if card.files[name]][0]
    first, second = card.files[name][:RECORD], card.files[name][RECORD : 2 * RECORD]
    for content in (second + first, foreign + second):
        card.files[name] = content + card.files[name][2 * RECORD :]
        assert opened(Card(card.files)).read(1) is None


def test_a_wiped_log_counts_from_1_in_another_epoch():
    card = Card()
    assert opened(card, 1).epoch != opened(Card(), 2).epoch
    assert opened(Card(card.files), 3).epoch == opened(card, 4).epoch


def test_an_acknowledgement_of_what_is_not_there_says_nothing():
    log = opened(Card())
    log.append(BOOT, 1, uid_of(1))
    assert [log.acknowledge(number) for number in (0, 2, 99, 1, 1)] == [False, False, False, True, False]


def test_settings_are_as_they_were_or_as_they_should_be_at_every_cut():
    for torn in (False, True):
        for at in range(0, 60):
            card = mounted(Card({"/scanner.json": b'{"name": "old"}'}, at, torn))
            try:
                save(Files("/card"), "scanner.json", {"name": "new"})
            except PowerCut:
                pass
            mounted(Card(card.files))
            assert load(Files("/card"), "scanner.json")["name"] in ("old", "new")
    assert load(Files("/card"), "nothing.json") == {}
