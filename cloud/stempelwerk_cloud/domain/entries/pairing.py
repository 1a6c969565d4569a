"""The pairing of stamps: double taps, replacements, and which stamp opens or closes which.

One pass over one person's stamps in their order. It knows no breaks, no shifts and no decisions, except the stamps that
decisions exclude and the borders that no pair may cross (`borders`).
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from stempelwerk_cloud.domain.entries.stamps import Reason, Stamp
from stempelwerk_cloud.domain.settings import DatedRules, Rules

ANSWER_WINDOW = timedelta(seconds=60)
"""An answer on the touchscreen confirms or replaces within this time at least, however short the company's window."""


class Border(NamedTuple):
    """The end of a correction, which means "gegangen" at `end`: no stamp from `until` on closes an entry begun before
    `end`.
    """

    end: datetime
    until: datetime


class Absorbed(NamedTuple):
    """A stamp that does not count, and the id of its counted host.

    `replaced`: it, or its host, counted until the person replaced it.
    """

    stamp: Stamp
    host: str
    replaced: bool = False


class Pair:
    """Two counted stamps that belong together, or one whose partner is missing. `rules`: those in force at its
    beginning.

    `left`: open, and a later stamp passed it by. `long`: closed by an automatic stamp after the time to ask, without an
    answer. `absorbed`: the stamps that do not count because of these two.
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
    excluded: Mapping[str, Reason] | None = None,
    borders: Sequence[Border] = (),
) -> Pairing:
    """Pairs stamps that are sorted by `stamps.order`, without repetition.

    An `excluded` stamp does not count, and an entry that was open before it stays without an end: the entry that the
    stamp made is settled elsewhere. A stamp that arrived late in a deleted entry is ignored.
    """
    run = _Run(rules, borders)
    for stamp in stamps:
        if excluded and stamp.id in excluded:
            run.settle(stamp, excluded[stamp.id])
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
        """Returns the pairs. An entry that is open before a correction's end was left, because the correction means
        "gegangen".
        """
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
        """Undoes the last counted stamp. Returns the stamps that move to the stamp that replaces it."""
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
        """Leaves the open entry without an end. Beyond the maximal shift its age shows this (`entries.view`)."""
        open_pair = self.open
        if (
            open_pair is not None
            and open_pair.start is not None
            and stamp.at - open_pair.start.at <= open_pair.rules.max_shift
        ):
            open_pair.left = True
