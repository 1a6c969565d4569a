"""The log of taps: nothing signalled is lost, whatever the power does and when."""

from kit import Card, Chance, PowerCut, cases, mounted, no_watchdog, raises
from scanner.store import MOST_REMEMBERED, RECORD, Files, Log, LogFull, load, save

BOOT = bytes(range(16))
SEGMENTS, RECORDS = 3, 4


STARTS = Chance(7)


def opened(card, segments=SEGMENTS):
    mounted(card)
    return Log(Files("/card/taps", no_watchdog), STARTS, segments, RECORDS)


def uid_of(number):
    return bytes([4, number % 251, number // 251, 9])


def read_taps(log):
    """Returns all taps that a log sends to a clock that takes everything, by (epoch, number)."""
    taps = {}
    while log.used:
        for number in range(log.first, log.next):
            taps[log.epoch, number] = log.read(number)
        assert log.acknowledge(log.next - 1)
    return taps


def segments(card):
    """The names of the log's files that hold something, in their order."""
    return sorted([name for name in card.files if card.files[name] and "-" in name])


def copied(card):
    return Card(dict(card.files), torn=card.torn)


class Life:
    """The record of a person who held tags to a scanner: the signalled, acknowledged and refused taps."""

    def __init__(self):
        self.signalled = {}
        self.acked = set()
        self.refused = self.tried = 0

    def live(self, log, taps=34):
        for _ in range(taps):
            self.tried += 1
            try:
                number = log.append(BOOT, self.tried, uid_of(self.tried))
            except LogFull:
                self.refused += 1
                self._acknowledge(log, log.acked + 5)
            else:
                self.signalled[log.newest.epoch, number] = self.tried
                if not self.tried % 9:
                    self._acknowledge(log, log.next - 3)

    def _acknowledge(self, log, number):
        epoch = log.epoch
        for key in self.signalled:
            if key[0] == epoch and key[1] <= number:
                self.acked.add(key)  # known to the clock, whatever comes of it here
        log.acknowledge(number)

    def check(self, card, cuts=1):
        log = opened(copied(card))
        assert self.refused <= log.overflow <= self.refused + cuts, "overflow"
        taps = read_taps(log)
        for key in self.signalled:
            assert key in taps or key in self.acked, "forgotten though not acknowledged"
        for key in taps:
            tap = self.signalled.get(key)
            assert taps[key] is not None, "number %d cannot be read" % key[1]
            assert tap is None or taps[key] == (BOOT, tap, uid_of(tap)), "another tap"
        assert len([key for key in taps if key not in self.signalled]) <= cuts, "more than was tried"


def whole_life():
    # How much a life writes.
    card = Card()
    Life().live(opened(card))
    return card.used


def cut_everywhere(step, torn, start=0):
    end = whole_life()
    points = 0
    for cut in range(start, end, step):
        life = Life()
        card = Card({}, cut, torn)
        try:
            life.live(opened(card))
        except PowerCut:
            pass
        points += 1
        card = Card(card.files, torn=torn)
        life.check(card)
        reopened = opened(card)
        life.refused = reopened.overflow
        life.live(reopened, 6)
        life.check(card)
    return points


STEP = 5  # the gate's; run.mjs sets 1 for `prove`


def test_a_power_cut_at_any_byte_loses_nothing_that_was_signalled():
    for torn in (False, True):
        assert cut_everywhere(STEP, torn, STEP // 3) > 1000 // STEP


def test_a_second_power_cut_while_it_mends_loses_nothing_either():
    end = whole_life()
    for cut in range(50, end, 8 * STEP + 1):
        for then in range(0, 200, 1 + STEP):
            life = Life()
            card = Card({}, cut, True)
            try:
                life.live(opened(card))
            except PowerCut:
                pass
            second = Card(card.files, then, True)
            try:
                life.live(opened(second), 5)
            except PowerCut:
                pass
            life.check(Card(card.files), 2)


def test_a_control_without_closing_in_time_would_be_found():
    # A log that signals before it closed its file, as the mistake would be made: the check must see it.
    class Hasty(Log):
        def append(self, boot, tick, uid):
            life.signalled[self.newest.epoch, self.next] = life.tried
            return Log.append(self, boot, tick, uid)

    found_count = 0
    for cut in range(60, 600, 13):
        life = Life()
        card = Card({}, cut)
        mounted(card)
        try:
            life.live(Hasty(Files("/card/taps", no_watchdog), STARTS, SEGMENTS, RECORDS))
        except PowerCut:
            pass
        try:
            life.check(Card(card.files))
        except AssertionError:
            found_count += 1
    assert found_count > 10


def test_a_full_log_refuses_and_counts_and_overwrites_nothing():
    card = Card()
    log = opened(card)
    for number in range(1, SEGMENTS * RECORDS + 1):
        assert log.append(BOOT, number, uid_of(number)) == number
    for _ in range(3):
        raises(LogFull, log.append, BOOT, 99, uid_of(99))
    reopened = opened(Card(card.files))
    assert (reopened.overflow, reopened.used, reopened.first) == (3, SEGMENTS * RECORDS, 1)
    assert reopened.acknowledge(1) and reopened.append(BOOT, 13, uid_of(13)) == 1
    assert len(read_taps(reopened)) == SEGMENTS * RECORDS


def test_a_flash_that_takes_no_more_refuses_and_goes_on_where_it_was():
    card = Card()
    log = opened(card)
    log.append(BOOT, 1, uid_of(1))
    card.full = True
    for _ in range(3):
        raises(OSError, log.append, BOOT, 2, uid_of(2))
    card.full = False
    assert log.append(BOOT, 3, uid_of(3)) == 2
    reopened = opened(Card(card.files))
    assert [reopened.read(number)[1] for number in (1, 2)] == [1, 3]


def test_an_append_that_was_kept_and_not_reported_does_not_shift_the_next():
    card = Card()
    log = opened(card)
    log.append(BOOT, 1, uid_of(1))
    [name] = segments(card)
    card.full = True
    raises(OSError, log.append, BOOT, 2, uid_of(2))
    card.files[name] += bytes(RECORD)
    card.full = False
    assert log.append(BOOT, 3, uid_of(3)) == 2 and log.read(2)[1] == 3


def test_what_earlier_starts_left_is_told_in_their_order_before_this_ones():
    card = Card()
    stored = {}
    for start in range(1, 4):
        log = opened(card)
        for number in range(1, 4):
            assert log.append(BOOT, start, uid_of(number)) == number
            stored[log.newest.epoch, number] = (BOOT, start, uid_of(number))
    copy = copied(card)
    log = opened(card)
    told_in = []
    while log.used:
        told_in.append(log.read(log.first)[1])
        log.acknowledge(log.next - 1)
    assert told_in == [1, 2, 3]
    log = opened(copy)
    assert log.used == 9 and log.newest.epoch not in [epoch for epoch, _ in stored]
    assert read_taps(log) == stored and log.epoch == log.newest.epoch
    assert segments(copy) == []


def test_nothing_is_left_of_a_start_without_a_tap():
    card = Card()
    for _ in range(3):
        opened(card)
    card.files["/taps/0001-00000007-00000001"] = b""
    assert opened(card).used == 0 and list(card.files) == ["/taps"]


def test_a_flash_that_lost_its_end_draws_no_number_twice():
    for lost in range(0, 10 * RECORD + 2, STEP):
        for behind in (0, 7, 10):  # the clock has this many
            card = Card()
            log = opened(card, 9)
            journal, tick = {}, 0
            for tick in range(1, 11):
                log.append(BOOT, tick, uid_of(tick))
                if tick == behind:
                    for number in range(1, tick + 1):
                        journal[log.epoch, number] = (BOOT, number, uid_of(number))
                    log.acknowledge(tick - 1)  # it has not heard the last
            cut = lost
            for name in reversed(segments(card)):
                content = card.files.pop(name)
                if len(content) > cut:
                    card.files[name] = content[: len(content) - cut]
                    break
                cut -= len(content)
            later = []
            for _ in range(2):
                log = opened(card, 9)
                for _ in range(3):
                    tick += 1
                    later.append(tick)
                    log.append(BOOT, tick, uid_of(tick))
            taps = read_taps(opened(card, 9))
            for key in taps:
                assert journal.setdefault(key, taps[key]) == taps[key], "two taps under one number"
            ticks = [tap[1] for tap in journal.values()]
            assert len(set(ticks)) == len(ticks), "doubled"
            assert set(later) <= set(ticks), "lost"
            assert set(range(1, behind + 1)) <= set(ticks)


def test_an_epoch_that_the_clock_knows_already_is_drawn_anew_before_the_first_tap():
    log = opened(Card())
    first_epoch = log.epoch
    log.greeted(first_epoch, 0)
    log.greeted(first_epoch ^ 1, 5)
    assert log.epoch == first_epoch
    log.greeted(first_epoch, 5)
    assert log.epoch != first_epoch and log.append(BOOT, 1, uid_of(1)) == 1
    kept_epoch = log.epoch
    log.greeted(kept_epoch, 1)
    assert log.epoch == kept_epoch and log.used == 1


def test_an_epoch_of_an_earlier_start_is_not_drawn_again_when_its_taps_are_gone():
    card = Card()
    epochs = []
    for start in range(6):
        mounted(card)
        log = Log(Files("/card/taps", no_watchdog), Chance(11), SEGMENTS, RECORDS)  # each start has the same luck
        read_taps(log)
        assert log.epoch not in epochs, "start %d" % start
        epochs.append(log.epoch)
        assert log.append(BOOT, start, uid_of(start)) == 1


def test_of_the_epochs_of_earlier_starts_the_last_are_remembered_and_the_flash_is_not_filled():
    epochs = b"".join([epoch.to_bytes(4, "big") for epoch in range(MOST_REMEMBERED + 1)])
    card = Card({"/taps/epochs": epochs, "/taps": None})
    log = opened(card)
    log.append(BOOT, 1, uid_of(1))
    remembered = card.files["/taps/epochs"]
    assert remembered == epochs[-2 * MOST_REMEMBERED :] + log.epoch.to_bytes(4, "big")
    card.files["/taps/epochs"] = b"torn" + remembered[:-2]
    assert opened(card).append(BOOT, 2, uid_of(2)) == 1


def test_a_log_of_an_earlier_program_is_told_and_that_program_would_pass_over_the_new_files():
    card = Card()
    log = opened(card)
    for number in range(1, 7):
        log.append(BOOT, number, uid_of(number))
    for name in segments(card):
        card.files["/taps/" + name[-17:]] = card.files.pop(name)
    epoch, log = log.epoch, opened(card)
    assert log.append(BOOT, 7, uid_of(7)) == 1
    assert len([name for name in segments(card) if len(name) != 23]) == 1
    taps = read_taps(log)
    assert [taps[epoch, number][1] for number in range(1, 7)] == [1, 2, 3, 4, 5, 6] and len(taps) == 7


def test_a_file_that_becomes_shorter_under_way_costs_no_later_tap():
    for size in range(0, 2 * RECORD + 1, STEP):
        for is_gone in (False, True):
            card = Card()
            log = opened(card)
            for number in (1, 2):
                log.append(BOOT, number, uid_of(number))
            [name] = segments(card)
            card.files[name] = card.files[name][:size]
            if is_gone:
                del card.files[name]
            for number in (3, 4, 5):
                assert log.append(BOOT, number, uid_of(number)) == number
            taps = read_taps(opened(card))
            assert [taps[log.epoch, number][1] for number in (3, 4, 5)] == [3, 4, 5], "left %d" % size


def test_a_worn_record_and_a_lost_segment_keep_their_numbers_and_read_as_nothing():
    card = Card()
    log = opened(card)
    for number in range(1, 10):
        log.append(BOOT, number, uid_of(number))
    names = segments(card)
    spoilt = bytearray(card.files[names[1]])
    spoilt[RECORD + 20] ^= 1
    card.files[names[1]] = bytes(spoilt)
    reopened = opened(Card(card.files))
    assert [reopened.read(number) is None for number in range(4, 8)] == [False, False, True, False]
    del card.files[names[1]]
    reopened = opened(Card(card.files))
    assert [reopened.read(number) is None for number in range(4, 10)] == [False, True, True, True, True, False]
    assert reopened.append(BOOT, 10, uid_of(10)) == 1


def test_a_record_in_anothers_place_or_from_another_log_is_not_taken_for_it():
    card, other_card = Card(), Card()
    log = opened(other_card)
    log.append(BOOT, 1, uid_of(1))
    foreign = other_card.files[segments(other_card)[0]]
    log = opened(card)
    for number in (1, 2, 3):
        log.append(BOOT, number, uid_of(number))
    [name] = segments(card)
    first, second = card.files[name][:RECORD], card.files[name][RECORD : 2 * RECORD]
    for content in (second + first, foreign + second):
        card.files[name] = content + card.files[name][2 * RECORD :]
        assert opened(Card(card.files)).read(1) is None


def test_an_acknowledgement_is_heeded_as_the_contract_says():
    for case in cases("heeded"):
        case_input = case["input"]
        card = Card()
        log = opened(card, 9)
        for number in range(1, case_input["next"]):
            log.append(BOOT, number, uid_of(number))
        if case_input["start"] == "earlier":
            log = opened(card, 9)
        run = log.sending
        log.acknowledge(case_input["first"] - 1)
        log.acknowledge(case_input["ack"])
        yield case["id"], run.acked + 1, case["expected"]["first"]


def test_what_the_clock_has_of_an_earlier_start_beyond_what_is_left_here_is_taken_as_all():
    card = Card()
    log = opened(card)
    for number in (1, 2, 3):
        log.append(BOOT, number, uid_of(number))
    reopened = opened(card)
    reopened.append(BOOT, 4, uid_of(4))
    assert reopened.acknowledge(9) and (reopened.epoch, reopened.used) == (reopened.newest.epoch, 1)
    assert not reopened.acknowledge(9)


def test_an_acknowledgement_of_what_is_not_there_says_nothing():
    log = opened(Card())
    log.append(BOOT, 1, uid_of(1))
    assert [log.acknowledge(number) for number in (0, 2, 99, 1, 1)] == [False, False, False, True, False]


def test_settings_are_as_they_were_or_as_they_should_be_at_every_cut():
    for torn in (False, True):
        for cut in range(0, 60):
            card = mounted(Card({"/scanner.json": b'{"name": "old"}'}, cut, torn))
            try:
                save(Files("/card", no_watchdog), "scanner.json", {"name": "new"})
            except PowerCut:
                pass
            mounted(Card(card.files))
            assert load(Files("/card", no_watchdog), "scanner.json")["name"] in ("old", "new")
    assert load(Files("/card", no_watchdog), "nothing.json") == {}
