"""Stamps to pairs: double taps, replacements, and which stamp opens or closes what.

One pass over one person's stamps in their order. It knows no breaks, no shifts and no decisions; of those it is told
only which stamps are out of the game (`gone`) and which borders no pair may cross (`borders`).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from stempelwerk_cloud.domain.entries.stamps import Reason, Stamp
from stempelwerk_cloud.domain.settings import DatedRules, Rules

ANSWER_WINDOW = timedelta(seconds=60)
"""An answer on the touchscreen confirms or replaces within this time at least, however short the company's window."""


class Border(NamedTuple):
    """A correction said "gegangen" at `end`: no stamp from `until` on closes what began before `end`."""

    end: datetime
    until: datetime


class Absorbed(NamedTuple):
    """A stamp that does not count, and the id of the counted one it belongs to. `replaced`: it, or its host, had
    counted until the person said otherwise."""

    stamp: Stamp
    host: str
    replaced: bool = False


class Pair:
    """Two counted stamps that belong together, or one whose other is missing. `rules` held at its beginning.

    `left`: open, and a later stamp passed it by. `long`: closed by an automatic stamp after the time to ask, and
    nobody answered. `absorbed`: the stamps that do not count because of these two.
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
    """Pairs in order, and the stamps that do not count."""

    pairs: list[Pair]
    uncounted: dict[str, Reason]


def pair(
    stamps: Sequence[Stamp],
    rules: DatedRules,
    gone: Mapping[str, Reason] | None = None,
    borders: Sequence[Border] = (),
) -> Pairing:
    """Pair stamps that are sorted by `stamps.order`, without repetition.

    A stamp in `gone` does not count, and whatever was open before it stays without an end: the entry that it made is
    settled elsewhere. One that came late into a deleted entry is passed over as if it were not there.
    """
    run = _Run(rules, borders)
    for stamp in stamps:
        if gone and stamp.id in gone:
            run.settle(stamp, gone[stamp.id])
        else:
            run.take(stamp)
    return Pairing(run.finish(), run.uncounted)


class _Run:
    """The state between two stamps: what is open, which stamp counted last, and how to take that one back."""

    __slots__ = ("before", "borders", "dated", "direction", "last", "open", "pairs", "uncounted")

    def __init__(self, dated: DatedRules, borders: Sequence[Border]) -> None:
        self.dated = dated
        self.borders = borders
        self.pairs: list[Pair] = []
        self.uncounted: dict[str, Reason] = {}
        self.open: Pair | None = None
        self.last: Stamp | None = None
        self.direction: Literal["in", "out"] = "out"
        self.before: Pair | None = None  # what was open before the last counted stamp

    def take(self, stamp: Stamp) -> None:
        last = self.last
        moved: list[Stamp] = []
        if last is not None:
            held = self.pairs[-1]
            window = held.rules.double_tap
            if stamp.answer and window < ANSWER_WINDOW:
                window = ANSWER_WINDOW
            if window and stamp.at - last.at <= window:
                if stamp.direction in ("auto", self.direction):
                    self._absorb(stamp, last, held)
                    return
                moved = self._take_back(last, held)
        self._count(stamp)
        if moved:
            self.pairs[-1].absorbed += [Absorbed(other, stamp.id, True) for other in moved]

    def settle(self, stamp: Stamp, reason: Reason) -> None:
        self.uncounted[stamp.id] = reason
        if reason == "voided_late":
            return
        self._leave(stamp)
        self.open = self.last = self.before = None

    def finish(self) -> list[Pair]:
        """The pairs; what stands open before a correction's end was left, for the correction says "gegangen"."""
        start = self.open.start if self.open else None
        if self.open and start and any(start.at < border.end for border in self.borders):
            self.open.left = True
        return self.pairs

    def _absorb(self, stamp: Stamp, last: Stamp, held: Pair) -> None:
        self.uncounted[stamp.id] = "double_tap"
        held.absorbed.append(Absorbed(stamp, last.id))
        if stamp.direction != "auto":
            held.long = False

    def _take_back(self, last: Stamp, held: Pair) -> list[Stamp]:
        """Undo the last counted stamp; answers with what must go along to the stamp that replaces it."""
        self.uncounted[last.id] = "replaced"
        moved = [last, *(one.stamp for one in held.absorbed if one.host == last.id)]
        if held.end is last and held.start is not None:
            held.end = None
            held.long = False
            held.absorbed = [one for one in held.absorbed if one.host != last.id]
        else:
            self.pairs.pop()
        self.open = self.before
        if self.open is not None:
            self.open.left = False
        return moved

    def _count(self, stamp: Stamp) -> None:
        self.before = self.open
        self.last = stamp
        held = self.open
        if stamp.direction != "in" and held is not None and held.start is not None and self._may_close(held, stamp):
            held.end = stamp
            held.long = stamp.direction == "auto" and stamp.at - held.start.at > held.rules.ask_after
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

    def _may_close(self, held: Pair, stamp: Stamp) -> bool:
        assert held.start is not None
        begun = held.start.at
        if stamp.at - begun > held.rules.max_shift:
            return False
        return not any(begun < border.end and border.until <= stamp.at for border in self.borders)

    def _leave(self, stamp: Stamp) -> None:
        """What is open stays without an end. Beyond the maximal shift its age alone says so (`entries.view`)."""
        held = self.open
        if held is not None and held.start is not None and stamp.at - held.start.at <= held.rules.max_shift:
            held.left = True
