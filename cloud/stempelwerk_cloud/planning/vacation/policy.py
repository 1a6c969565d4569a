"""How many vacation days a whole year is worth: the company's policy, uniform or by person, from a day on.

A number is 0 or more; none, or 0, means that vacation is switched off and only wishes are left. The first numbers ever
given hold from the beginning, later ones from today on, and all of them from the day that is named, if one is. Inside
they are half days.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.domain.leave import WorkdaysOn
from stempelwerk_cloud.domain.targets import MONDAY_TO_FRIDAY
from stempelwerk_cloud.kit import dated
from stempelwerk_cloud.kit.dated import UNKNOWN, Change, History, InForce, Setting
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.vacation import actions

Mode = Literal["uniform", "perUser"]
Halves = int | None

MODE: Setting[Mode] = Setting("vacation_mode", Mode, "uniform")
UNIFORM: Setting[Halves] = Setting("vacation_uniform_halves", Halves, None)
CARRY_UNTIL: Setting[str | None] = Setting("vacation_carry_until", str | None, None)
SCALE: Setting[bool] = Setting("vacation_scale_by_workdays", bool, False)
"""Whether the uniform days are those of a five-day week and shrink with fewer workdays."""
SETTINGS: tuple[Setting[Any], ...] = (MODE, UNIFORM, CARRY_UNTIL, SCALE)
"""They are dated like a company's settings, and have a call of their own instead of standing among those."""

UNSAID: Final = ""
"""For `carry_until`: what holds stays."""

OWN = "vacation_halves"
"""The name of `directory.person_values`: half days a year, or null for none."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What holds on a day. `since`: from when; None: from the beginning."""

    mode: Mode
    uniform: Halves
    per_user: Mapping[str, Halves]
    since: date | None
    carry_until: str | None
    scale_by_workdays: bool


class _CompanyRules(NamedTuple):
    mode: Mode
    uniform: Halves
    carry_until: str | None
    scale_by_workdays: bool


def _company_rules(in_force: InForce) -> _CompanyRules:
    return _CompanyRules(in_force[MODE], in_force[UNIFORM], in_force[CARRY_UNTIL], in_force[SCALE])


_DEFAULTS: Final = _company_rules(dated.DEFAULTS)


class Policies:
    """Everything that was ever said of some people's vacation, oldest first. What else was said is left out."""

    def __init__(self, company: Iterable[Change], people: Mapping[str, Sequence[Change]]) -> None:
        names = {setting.name for setting in SETTINGS}
        self._company = [change for change in company if change.setting in names]
        self._people = {
            user_id: [change for change in changes if change.setting == OWN] for user_id, changes in people.items()
        }
        self._days = sorted({change.valid_from for change in self._company})
        self._stretches = [_company_rules(InForce(self._company, day)) for day in self._days]
        self._own = {
            user_id: ([change.valid_from for change in changes], [json.loads(change.value) for change in changes])
            for user_id, changes in self._people.items()
        }

    def on(self, day: date) -> Policy:
        own = {user_id: self._own_on(user_id, day) for user_id in self._people}
        begun = [
            change.valid_from
            for changes in (self._company, *self._people.values())
            for change in changes
            if change.valid_from <= day
        ]
        newest = max(begun, default=date.min)
        since = None if newest == date.min else newest
        mode, uniform, carry_until, scale = self._company_on(day)
        return Policy(mode, uniform, own, since, carry_until, scale)

    def allowance_on(self, user_id: str, workdays_on: WorkdaysOn, day: date) -> int | Fraction:
        """Returns the half days that a whole year is worth to the person by what is in force on a day; 0: switched off.

        Days of one's own are never scaled to the workdays of the week.
        """
        company = self._company_on(day)
        if company.mode == "perUser":
            return self._own_on(user_id, day) or 0
        uniform = company.uniform or 0
        return (
            Fraction(uniform * len(workdays_on(day)), len(MONDAY_TO_FRIDAY)) if company.scale_by_workdays else uniform
        )

    def changes_within(self, user_id: str, first: date, last: date) -> bool:
        """Whether a change of the policy begins after `first` and until `last`."""
        said = self._days, self._own.get(user_id, ((), ()))[0]
        return any(bisect_right(days, first) < bisect_right(days, last) for days in said)

    def carried_until(self, year: int, day: date) -> date | None:
        """The last day of a year on which what is carried into it can be taken, by the policy of a day; None: none."""
        until = self._company_on(day).carry_until
        return None if until is None else date.fromisoformat(f"{year}-{until}")

    def _company_on(self, day: date) -> "_CompanyRules":
        index = bisect_right(self._days, day)
        return self._stretches[index - 1] if index else _DEFAULTS

    def _own_on(self, user_id: str, day: date) -> Halves:
        days, values = self._own.get(user_id, ((), ()))
        index = bisect_right(days, day)
        halves: Halves = values[index - 1] if index else None
        return halves


def policies_of(session: Session, company_id: str, user_ids: Iterable[str] | None = None) -> Policies:
    """What was said of these people's vacation, or of everybody's who is not deleted."""
    asked = [user.id for user in directory.people_in(session, company_id)] if user_ids is None else list(user_ids)
    own = directory.person_values(session, company_id, [OWN], asked)
    return Policies(directory.setting_changes(session, company_id), own)


def change(
    work: Work,
    company_id: str,
    *,
    mode: Mode,
    uniform: Halves,
    per_user: Mapping[str, Halves],
    valid_from: date | None,
    carry_until: str | None = UNSAID,
    scale_by_workdays: bool | None = None,
) -> Policy:
    """Lets the policy hold as a whole: whoever is not named among `per_user` has no days of their own any more.

    What holds from the first day of the change on. 404 for people who are not the company's, or deleted.
    """
    work.plan(company_id)
    session, now = work.session, work.now()
    today = directory.today_of(session, company_id, now)
    people = directory.usernames(session, company_id)
    if not per_user.keys() <= people.keys():
        raise not_found()
    company = directory.setting_changes(session, company_id)
    everybody = directory.person_values(session, company_id, [OWN])
    given = {user_id: said for user_id, said in everybody.items() if user_id in people}
    first = valid_from or today
    history = dated.histories(company, *SETTINGS)
    own = {user_id: History(OWN, given.get(user_id, ())) for user_id in sorted(per_user.keys() | given.keys())}
    days = history[UNIFORM].given or any(one.given for one in own.values())
    said = [
        # Also what is the default is written down: the policy was set on that day.
        *(
            history[one]._replace(unsaid=UNKNOWN).say(value, valid_from, today, given=days and history[one].given)
            for one, value in ((MODE, mode), (UNIFORM, uniform))
        ),
        None if carry_until == UNSAID else history[CARRY_UNTIL].say(carry_until, first, today),
        None if scale_by_workdays is None else history[SCALE].say(scale_by_workdays, valid_from, today, given=days),
    ]
    for new in filter(None, said):
        directory.set_setting_from(session, company_id, new, now, work.by)
    for user_id, known in own.items():
        own_days = known.say(per_user.get(user_id), valid_from, today)
        if own_days is not None:
            directory.set_person_value(session, company_id, user_id, own_days, now, work.by)
    session.flush()
    before, after = Policies(company, given).on(first), policies_of(session, company_id, people).on(first)
    _write_down(work, company_id, first, before, after)
    requests.refresh_pages(work, company_id)
    return after


def _write_down(work: Work, company_id: str, first: date, before: Policy, after: Policy) -> None:
    """What is another now, of the company and of each person."""
    since = {"validFrom": first.isoformat()}
    if _told(before) != _told(after):
        work.audit(company_id, actions.POLICY, company_id, _told(before), _told(after) | since)
    for user_id, halves in after.per_user.items():
        if halves != before.per_user.get(user_id):
            was, became = {"yearlyDays": _days(before.per_user.get(user_id))}, {"yearlyDays": _days(halves)}
            work.audit(company_id, actions.DAYS, user_id, was, became | since)


def _told(policy: Policy) -> dict[str, Any]:
    """The policy as the log keeps it, by the names of the API."""
    lapsing = {} if policy.carry_until is None else {"carryUntil": policy.carry_until}
    scaled = {"scaleByWorkdays": True} if policy.scale_by_workdays else {}
    return {"vacationMode": policy.mode, "uniformDays": _days(policy.uniform)} | lapsing | scaled


def _days(halves: Halves) -> str | None:
    """The log's numbers are whole ones, so days are written as text."""
    return None if halves is None else f"{number_of(halves):g}".replace(".", ",")
