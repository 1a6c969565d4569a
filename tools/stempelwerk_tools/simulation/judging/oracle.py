"""Judges a healed world: what the service holds against what really happened.

It reads the service's tables and its API and compares them with `truth`. Three numbers sum up a run: taps that are
lost, taps that are there more than once (or that nobody made), and whatever still waits and should not. Everything
else that contradicts the truth (times, entries, forks, failed loops) is a `wrong` line.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.timekeeping.stamps.placing.taps import Tap as StoredTap
from stempelwerk_cloud.timekeeping.stamps.placing.taps import read_content
from stempelwerk_cloud.timekeeping.status_bits import BOOKED_BY_HAND, CLOCK

from stempelwerk_tools.simulation.administrator import Employee
from stempelwerk_tools.simulation.judging.plan import DOUBLE_TAP, PlainEntry, expected
from stempelwerk_tools.simulation.judging.truth import Tap, Truth
from stempelwerk_tools.simulation.machines.service import SimulatedService
from stempelwerk_tools.simulation.machines.station import TapKey

_STAMPS = """SELECT b.boot, s.boottime_ms, s.id, s.at, s.status, t.tag, s.company_id FROM stamps s
    JOIN streams m ON m.no = s.stream_no JOIN boots b ON b.no = m.boot_no
    JOIN tag_numbers t ON t.company_id = s.company_id AND t.no = s.tag_no"""
_UNASSIGNED = """SELECT b.boot, s.boottime_ms, s.id, s.at, s.certain, s.content FROM unassigned_stamps s
    JOIN boots b ON b.no = s.boot_no"""
_ENTRIES = """SELECT p.user_id, e.start_at, e.end_at FROM entries e
    JOIN person_numbers p ON p.company_id = e.company_id AND p.no = e.person_no"""
_FORKED = "SELECT d.keyid FROM devices d JOIN device_leases l ON l.device_no = d.no WHERE l.forked"
_KEYS = """SELECT d.hardware_id, d.keyid, d.identity_conflict, p.device_no IS NULL FROM devices d
    LEFT JOIN device_predecessors p ON p.predecessor_no = d.no"""
_SURE = timedelta(seconds=4)
_DRIFT = 70e-6  # twice an oscillator's error: the clock's own, and that of the clock it is compared with


@dataclass(frozen=True)
class Fact:
    """A stamp as the service has it. `company` None: held for the system administrator."""

    key: TapKey
    id: str
    at: datetime
    certain: bool
    tag: str
    company: str | None


@dataclass
class Verdict:
    """What came of a run. `trace` is the hash of everything that happened.

    `returned`: so many taps a database that was set back had again before anybody tapped.
    """

    seed: int
    taps: int = 0
    lost: int = 0
    doubled: int = 0
    stuck: int = 0
    wrong: list[str] = field(default_factory=list)
    forks: int = 0
    variants: int = 0
    excused: int = 0
    returned: int = 0
    checked_people: int = 0
    trace: str = ""
    faults: Counter[str] = field(default_factory=Counter)
    lines: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether nothing at all is to be said against the run."""
        return not (self.lost or self.doubled or self.stuck or self.wrong)


def stored(service: SimulatedService) -> list[Fact]:
    """Everything that the service holds of stamps, wherever it has put it."""
    facts = [
        Fact(
            (boot, boottime_ms),
            ident,
            from_ms(at),
            not status & CLOCK or bool(status & BOOKED_BY_HAND),
            tag,
            company,
        )
        for boot, boottime_ms, ident, at, status, tag, company in service.query(_STAMPS)
    ]
    facts += [
        Fact((boot, boottime_ms), ident, from_ms(at), bool(certain), read_content(content).tag, None)
        for boot, boottime_ms, ident, at, certain, content in service.query(_UNASSIGNED)
    ]
    return facts


def keys(service: SimulatedService) -> set[TapKey]:
    """The taps that the service holds."""
    return {fact.key for fact in stored(service)}


def judge(verdict: Verdict, truth: Truth, service: SimulatedService, people: dict[str, Employee]) -> None:
    """Fill in the verdict. `people` by their tags."""
    facts = stored(service)
    found = Counter(fact.key for fact in facts)
    needed = {tap.key for tap in truth.taps.values() if tap.acknowledged} - truth.excused
    verdict.taps, verdict.excused = len(needed), len(truth.excused)
    missing = needed - found.keys()
    verdict.lost = len(missing)
    verdict.doubled = sum(count - 1 for count in found.values()) + len(found.keys() - truth.taps.keys())
    verdict.wrong += [f"lost: {truth.taps[key]}" for key in sorted(missing)[:5]]
    verdict.wrong += truth.groundless
    unassigned = [fact for fact in facts if fact.company is None]
    verdict.stuck += len(unassigned)
    verdict.wrong += [f"still without a company: {fact}" for fact in unassigned[:3]]
    quarantined = service.query("SELECT count(*) FROM quarantined_stamps")[0][0]
    if quarantined:
        verdict.wrong.append(f"{quarantined} stamps of a real clock were unreadable")
    _judge_times(verdict, truth, facts)
    _judge_forks(verdict, truth, service)
    _judge_identity_conflicts(verdict, service)
    _judge_variants(verdict, service)
    _judge_entries(verdict, truth, facts, service, people)


def tolerance(truth: Truth, tap: Tap) -> timedelta:
    """How far the service may be off about a tap's time: the contract's error, over the whole length of the boot."""
    longest_ms = max(other.key[1] for other in truth.taps.values() if other.key[0] == tap.key[0])
    return _SURE + timedelta(milliseconds=longest_ms) * _DRIFT


def _judge_times(verdict: Verdict, truth: Truth, facts: Iterable[Fact]) -> None:
    """Certain times must be right, and a boot that met the service must have certain times."""
    for fact in facts:
        tap = truth.taps.get(fact.key)
        if tap is None:
            continue
        if fact.certain and abs(fact.at - tap.at) > tolerance(truth, tap):
            verdict.wrong.append(f"a tap at {tap.at} is taken for certain to have been at {fact.at}: {tap}")
        if not fact.certain and fact.key[0] in truth.contacts:
            verdict.wrong.append(f"uncertain although its boot met the service: {tap}")
        if fact.tag != tap.tag:
            verdict.wrong.append(f"{tap} is stored with the tag {fact.tag}")


def _judge_forks(verdict: Verdict, truth: Truth, service: SimulatedService) -> None:
    """Every second life of a card that the service could see is flagged, and nothing else is."""
    flagged = {str(row[0]) for row in service.query(_FORKED)}
    real = truth.forks()
    verdict.forks = len(real)
    verdict.wrong += [f"a fork was not found: {device}" for device in sorted(real - flagged)]
    verdict.wrong += [f"a fork where there was none: {device}" for device in sorted(flagged - truth.branched())]


def _judge_identity_conflicts(verdict: Verdict, service: SimulatedService) -> None:
    """Machines with two keys are shown as conflicts, and no other machine is: old cards of other machines make keys.

    A replaced device is no rival of the key that its machine makes later.
    """
    machines: defaultdict[str, dict[str, tuple[bool, bool]]] = defaultdict(dict)
    for hardware_id, keyid, has_conflict, is_active in service.query(_KEYS):
        machines[hardware_id][keyid] = (bool(has_conflict), bool(is_active))
    for devices in machines.values():
        active = {keyid: has_conflict for keyid, (has_conflict, is_active) in devices.items() if is_active}
        if len(active) > 1 and not all(active.values()):
            verdict.wrong.append(f"two keys of one machine were not found: {sorted(active)}")
        if len(devices) == 1 and any(has_conflict for has_conflict, _ in devices.values()):
            verdict.wrong.append(f"an identity conflict where there was none: {sorted(devices)}")


def _judge_variants(verdict: Verdict, service: SimulatedService) -> None:
    """Of different stamps with one id the one with the smallest digest counts, whatever came first.

    What a clock says under an assignment that is neither its own nor that of one in whose place it stands takes nothing
    away: a spare in whose card an old one's stamps were, of which a database that was set back knows nothing any more.
    """
    holders = dict(service.query("SELECT id, device_no FROM device_assignments"))
    heirs = set(service.query("SELECT device_no, predecessor_no FROM device_predecessors"))
    variants: defaultdict[str, list[tuple[bool, bytes, str]]] = defaultdict(list)
    for device_no, content in service.query("SELECT device_no, content FROM stamp_claims"):
        tap = read_content(content)
        holder = holders.get(tap.assignment)
        strange = holder not in {None, device_no} and (device_no, holder) not in heirs
        variants[tap.id].append((strange, _canonical_digest(tap), tap.via))
    verdict.variants = sum(len({digest for _, digest, _ in one}) > 1 for one in variants.values())
    counted = {ident: via or "reader" for ident, via in service.query("SELECT id, via FROM stamps")}
    for ident, one in variants.items():
        if ident in counted and counted[ident] != min(one)[2]:
            verdict.wrong.append(f"of the variants of {ident} another one counts than the one with the smallest digest")


def _canonical_digest(tap: StoredTap) -> bytes:
    members = {
        "assignment": tap.assignment,
        "boot": tap.boot,
        "boottimeMs": tap.boottime_ms,
        "direction": tap.direction,
        "id": tap.id,
        "quality": tap.quality,
        "seq": tap.seq,
        "shown": tap.shown,
        "tag": tap.tag,
        "via": tap.via,
        "wall": tap.wall,
    }
    return hashlib.sha256(json.dumps(members, ensure_ascii=False, separators=(",", ":")).encode()).digest()


def _judge_entries(
    verdict: Verdict, truth: Truth, facts: list[Fact], service: SimulatedService, people: dict[str, Employee]
) -> None:
    """The entries of everybody whose taps leave no doubt are those that the plain reading makes of the truth.

    A tap on a scanner is the company's whose the clock was when it was brought: elsewhere it is nobody's entry. So is a
    tap at a clock of nobody that another company has adopted.
    """
    by_tag: defaultdict[str, list[Tap]] = defaultdict(list)
    doubtful = {fact.tag for fact in facts if not fact.certain}
    for fact in facts:
        if fact.key in truth.taps and fact.company == people[fact.tag].company_id:
            by_tag[fact.tag].append(truth.taps[fact.key])
        elif fact.key in truth.taps and fact.company is not None and fact.company not in truth.met_by[fact.key]:
            tap = truth.taps[fact.key]
            if not any(adopted.takes(tap, fact.company) for adopted in truth.adopted):
                verdict.wrong.append(f"another company's: {tap}")
    entries: defaultdict[str, list[PlainEntry]] = defaultdict(list)
    for user_id, start, end in service.query(_ENTRIES):
        entries[user_id].append(PlainEntry(start and from_ms(start), end and from_ms(end)))
    for tag, person in people.items():
        taps = sorted(by_tag[tag], key=lambda tap: tap.at)
        if not taps or tag in doubtful or _too_close(taps):
            continue
        verdict.checked_people += 1
        wanted = expected((tap.at, tap.direction) for tap in taps)
        allowed = max((tolerance(truth, tap) for tap in taps), default=_SURE)
        if not _alike(wanted, entries[person.user_id], allowed):
            found = sorted(entries[person.user_id], key=_when)
            verdict.wrong.append(f"entries of {tag}\n  wanted {_told(wanted)}\n  found  {_told(found)}")


def _too_close(taps: list[Tap]) -> bool:
    """Whether two taps lie so near to each other, on different boots, that the contract's error may swap them."""
    return any(
        later.at - sooner.at <= DOUBLE_TAP * 2 and later.key[0] != sooner.key[0] for sooner, later in pairwise(taps)
    )


def _when(entry: PlainEntry) -> datetime:
    return entry.start or entry.end or datetime.min.replace(tzinfo=UTC)


def _alike(wanted: list[PlainEntry], found: list[PlainEntry], allowed: timedelta) -> bool:
    def near(one: datetime | None, other: datetime | None) -> bool:
        return (one is None and other is None) or (
            one is not None and other is not None and abs(one - other) <= allowed
        )

    pairs = zip(sorted(wanted, key=_when), sorted(found, key=_when), strict=False)
    return len(wanted) == len(found) and all(near(a.start, b.start) and near(a.end, b.end) for a, b in pairs)


def _told(entries: Iterable[PlainEntry]) -> str:
    def clock(at: datetime | None) -> str:
        return f"{at:%d. %H:%M:%S}" if at else "…"

    return ", ".join(f"{clock(entry.start)}–{clock(entry.end)}" for entry in entries)
