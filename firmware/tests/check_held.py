"""One tap for a tag that stays, however unsteadily it is seen."""

from kit import Chance
from scanner.held import AWAY, AWAY_LOOKS, BRIDGE, LONGEST_AWAY, MOST, NO_TAG, HeldTags

A, B = b"AAAA", b"BBBB"
EVERY = (60, 250, 500, 1200)  # of scanner/power.py's states


class Looks:
    """A reader that looks every `interval` milliseconds of its own clock, and its taps."""

    def __init__(self, interval=60):
        self.held, self.interval, self.at, self.taps = HeldTags(), interval, 0, []

    def look(self, *tags):
        for tag in tags:
            self.at += self.interval
            tap = self.held.observe(tag, self.at)
            if tap is not None:
                self.taps.append(tap)

    def find_nothing(self, milliseconds):
        self.look(*[None] * max(AWAY_LOOKS, milliseconds // self.interval))


def test_flickers_of_one_presence_are_one_tap():
    for interval in EVERY:
        for seed in range(1, 60):
            chance, looks = Chance(seed), Looks(interval)
            for _ in range(100):
                missed = chance.below(max(AWAY_LOOKS, AWAY // interval))
                looks.look(*[A] * (1 + chance.below(5)) + [None] * missed)
            assert looks.taps == [A], "every %d, seed %d" % (interval, seed)


def test_a_tag_that_was_really_away_is_a_new_tap_whatever_was_before():
    for interval in EVERY:
        for seed in range(1, 60):
            chance, looks = Chance(seed), Looks(interval)
            looks.look(*[(A, B, NO_TAG, None)[chance.below(4)] for _ in range(chance.below(200))])
            looks.find_nothing(LONGEST_AWAY + 2 * interval)
            looks.taps = []
            looks.look(*[A] * (1 + chance.below(50)))
            looks.find_nothing(AWAY + 2 * interval)
            looks.look(A, B)
            assert looks.taps == [A, A, B], "every %d, seed %d" % (interval, seed)


def test_the_last_signal_of_a_card_with_a_phone_is_the_cards_in_every_order():
    for interval in EVERY:
        for seed in range(1, 60):
            chance, looks = Chance(seed), Looks(interval)
            looks.look(*[(A, NO_TAG, None)[chance.below(3)] for _ in range(20)] + [A])
            looks.look(*[(A, NO_TAG, NO_TAG)[chance.below(3)] for _ in range(20)])
            looks.find_nothing(LONGEST_AWAY + 2 * interval)
            assert looks.taps[-1] == A, "every %d, seed %d" % (interval, seed)


def test_a_phone_beside_a_card_is_never_refused_while_the_card_is_present():
    for interval in EVERY:
        for seed in range(1, 60):
            chance, looks = Chance(seed), Looks(interval)
            looks.look(A)
            for _ in range(100):
                phones = chance.below(max(AWAY_LOOKS, AWAY // interval))
                looks.look(*[(NO_TAG, None)[chance.below(2)] for _ in range(phones)] + [A])
            looks.find_nothing(LONGEST_AWAY + 2 * interval)
            assert looks.taps == [A], "every %d, seed %d" % (interval, seed)


def test_a_tag_at_the_edge_of_the_field_is_a_few_taps_at_most():
    for percent in (10, 20, 50, 90):
        taps = []
        for seed in range(1, 30):
            chance, looks = Chance(seed), Looks(150)
            looks.look(*[A if chance.below(100) < percent else None for _ in range(900)])
            taps.append(len(looks.taps))
        assert sum(taps) < 3 * len(taps) and max(taps) <= 8, "%d percent: %s" % (percent, taps)


def test_a_phone_alone_is_refused_once_and_again_when_it_was_away():
    looks = Looks()
    looks.look(*[NO_TAG] * 200)
    looks.find_nothing(AWAY + 120)
    looks.look(NO_TAG, None)
    assert looks.taps == [NO_TAG, NO_TAG]


def test_a_slow_look_takes_no_tag_for_removed():
    looks = Looks(4000)
    looks.look(A, None, None, A)
    assert looks.taps == [A]


def test_after_a_long_pause_a_tag_is_answered_again_and_after_a_short_one_it_is_not():
    for pause, taps in ((BRIDGE, 1), (BRIDGE + 1, 2)):
        looks = Looks()
        looks.look(A, None, None, None)
        looks.at += pause
        looks.held.resume(pause)
        looks.look(A)
        yield "%d ms" % pause, len(looks.taps), taps


def test_a_crowd_of_tags_does_not_fill_the_heap():
    looks = Looks()
    crowd = [bytes([4, 0, 0, number]) for number in range(100)]
    looks.look(*crowd)
    assert looks.taps == crowd
    assert len([tag for tag in crowd if looks.held.holds(tag)]) == MOST
