"""The pairing of stamps: recognises double taps and replacements, and which stamp opens or closes an entry.

It is one pass over one person's stamps in their order. It knows neither breaks nor shifts. The only decisions that it
knows are the excluded stamps and the borders that no pair may cross (`borders`).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from stempelwerk_cloud.domain.entries.stamps import Reason, Stamp
from stempelwerk_cloud.domain.settings import DatedRules, Rules

ANSWER_WINDOW = timedelta(seconds=60)
"""Within this time at least, an answer on the touchscreen confirms or replaces the tap, even if the company's window
for double taps is shorter.
"""


class Border(NamedTuple):
    """The end of a correction, which means that the person went at `end`. A stamp from `until` on cannot close an entry
    that began before `end`.
    """

    end: datetime
    until: datetime


class Absorbed(NamedTuple):
    """A stamp that does not count, and the id (`host`) of the counted stamp that it belongs to.

    `replaced`: this stamp, or the one that it belonged to, counted until the person replaced it.
    """

    stamp: Stamp
    host: str
    replaced: bool = False


class Pair:
    """Two counted stamps that form an entry, or one whose partner is missing. `rules`: those in force at its beginning.

    `left`: the pair stays open, because a later stamp did not close it. `long`: an automatic stamp closed it after the
    time when the clock should have asked, and there was no answer. `absorbed`: the uncounted stamps that belong to it.
    """

    __slots__ = ("absorbed", "end", "left", "long", "rules", "start")

    def __init__(self, start: Stamp | None, end: Stamp | None, rules: Rules) -> None:
        self.start = start
        self.end = end
        self.rules = rules
        self.left = False
        self.long = False
        self.absorbed: list[Absorbed] = []

    @property
    def complete(self) -> bool:
        return self.start is not None and self.end is not None


class Pairing(NamedTuple):
    """The result of the pairing: the pairs in order, and the stamps that do not count, by id."""

    pairs: list[Pair]
    uncounted: dict[str, Reason]


def pair(
    stamps: Sequence[Stamp],
    rules: DatedRules,
    excluded: Mapping[str, Reason] | None = None,
    borders: Sequence[Border] = (),
) -> Pairing:
    """Pairs stamps that are sorted by `stamps.order` and unique.

    An `excluded` stamp does not count. An entry that was open before it stays without an end, because a decision
    settles the entry of the excluded stamp. A stamp that arrived late in a deleted entry is ignored.
    """
    run = _Run(rules, borders)
    for stamp in stamps:
        if excluded and stamp.id in excluded:
            run.settle(stamp, excluded[stamp.id])
        else:
            run.take(stamp)
    return Pairing(run.finish(), run.uncounted)


class _Run:
    """The state of the pass between two stamps: the open pair, the last counted stamp, and what is needed to undo that
    stamp.
    """

    __slots__ = ("before", "borders", "dated", "direction", "last", "open", "pairs", "uncounted")

    def __init__(self, dated: DatedRules, borders: Sequence[Border]) -> None:
        self.dated = dated
        self.borders = borders
        self.pairs: list[Pair] = []
        self.uncounted: dict[str, Reason] = {}
        self.open: Pair | None = None
        self.last: Stamp | None = None
        self.direction: Literal["in", "out"] = "out"
        self.before: Pair | None = None  # the pair that was open before the last counted stamp

    def take(self, stamp: Stamp) -> None:
        last = self.last
        moved: list[Stamp] = []
        if last is not None:
            last_pair = self.pairs[-1]
            window = last_pair.rules.double_tap
            if stamp.answer and window < ANSWER_WINDOW:
                window = ANSWER_WINDOW
            if window and stamp.at - last.at <= window:
                if stamp.direction in ("auto", self.direction):
                    self._absorb(stamp, last, last_pair)
                    return
                moved = self._take_back(last, last_pair)
        self._count(stamp)
        if moved:
            self.pairs[-1].absorbed += [Absorbed(replaced_stamp, stamp.id, True) for replaced_stamp in moved]

    def settle(self, stamp: Stamp, reason: Reason) -> None:
        self.uncounted[stamp.id] = reason
        if reason == "voided_late":
            return
        self._leave(stamp)
        self.open = self.last = self.before = None

    def finish(self) -> list[Pair]:
        """Returns all pairs. An entry that is open at a correction's border stays without an end."""
        start = self.open.start if self.open else None
        if self.open and start and any(start.at < border.end for border in self.borders):
            self.open.left = True
        return self.pairs

    def _absorb(self, stamp: Stamp, last: Stamp, last_pair: Pair) -> None:
        self.uncounted[stamp.id] = "double_tap"
        last_pair.absorbed.append(Absorbed(stamp, last.id))
        if stamp.direction != "auto":
            last_pair.long = False

    def _take_back(self, last: Stamp, last_pair: Pair) -> list[Stamp]:
        """Undoes the last counted stamp. Returns the stamps that from now on belong to the stamp that replaces it."""
        self.uncounted[last.id] = "replaced"
        moved = [last, *(absorbed.stamp for absorbed in last_pair.absorbed if absorbed.host == last.id)]
        if last_pair.end is last and last_pair.start is not None:
            last_pair.end = None
            last_pair.long = False
            last_pair.absorbed = [absorbed for absorbed in last_pair.absorbed if absorbed.host != last.id]
        else:
            self.pairs.pop()
        self.open = self.before
        if self.open is not None:
            self.open.left = False
        return moved

    def _count(self, stamp: Stamp) -> None:
        self.before = self.open
        self.last = stamp
        open_pair = self.open
        if (
            stamp.direction != "in"
            and open_pair is not None
            and open_pair.start is not None
            and self._may_close(open_pair, stamp)
        ):
            open_pair.end = stamp
            open_pair.long = stamp.direction == "auto" and stamp.at - open_pair.start.at > open_pair.rules.ask_after
            self.open, self.direction = None, "out"
            return
        self._leave(stamp)
        rules = self.dated.at(stamp.at)
        if stamp.direction == "out":
            self.pairs.append(Pair(None, stamp, rules))
            self.open, self.direction = None, "out"
        else:
            self.open = Pair(stamp, None, rules)
            self.pairs.append(self.open)
            self.direction = "in"

    def _may_close(self, open_pair: Pair, stamp: Stamp) -> bool:
        assert open_pair.start is not None
        begun = open_pair.start.at
        if stamp.at - begun > open_pair.rules.max_shift:
            return False
        return not any(begun < border.end and border.until <= stamp.at for border in self.borders)

    def _leave(self, stamp: Stamp) -> None:
        """Leaves the open entry without an end. If it is longer than the maximal shift, no mark is necessary, because
        `derivation.view` sees that from its age.
        """
        open_pair = self.open
        if (
            open_pair is not None
            and open_pair.start is not None
            and stamp.at - open_pair.start.at <= open_pair.rules.max_shift
        ):
            open_pair.left = True
