"""The vacation days of a whole year by the company's policy: uniform or by person, each from a day on.

A number is 0 or more. Null or 0 means that vacation is switched off, and only wishes are possible. The first numbers
ever set apply from the beginning, later ones from today, and all of them from the given day if there is one. Internally
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
from stempelwerk_cloud.people.directory.companies import set_setting_from, setting_changes, today_of
from stempelwerk_cloud.people.directory.people import people_in, person_values, set_person_value, usernames
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.vacation import actions

Mode = Literal["uniform", "perUser"]
Halves = int | None

MODE: Setting[Mode] = Setting("vacation_mode", Mode, "uniform")
UNIFORM: Setting[Halves] = Setting("vacation_uniform_halves", Halves, None)
CARRY_UNTIL: Setting[str | None] = Setting("vacation_carry_until", str | None, None)
SCALE: Setting[bool] = Setting("vacation_scale_by_workdays", bool, False)
"""Whether the uniform days are those of a five-day week and shrink with fewer workdays."""
SETTINGS: tuple[Setting[Any], ...] = (MODE, UNIFORM, CARRY_UNTIL, SCALE)
"""The settings of the policy. They are dated like a company's other settings, but have an endpoint of their own."""

UNCHANGED: Final = ""
"""The default of `carry_until` in `change`: the current value stays."""

OWN = "vacation_halves"
"""The name of a person's own vacation days in `directory.person_values`: half days a year, or null."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy in force on a day. `valid_from`: the first day of its newest change; None: the beginning."""

    mode: Mode
    uniform: Halves
    per_user: Mapping[str, Halves]
    valid_from: date | None
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
    """The vacation policies of a company and some of its people over time. Other settings are ignored."""

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
        own_days = {user_id: self._own_on(user_id, day) for user_id in self._people}
        begun = [
            change.valid_from
            for changes in (self._company, *self._people.values())
            for change in changes
            if change.valid_from <= day
        ]
        newest = max(begun, default=date.min)
        valid_from = None if newest == date.min else newest
        mode, uniform, carry_until, scale = self._company_on(day)
        return Policy(mode, uniform, own_days, valid_from, carry_until, scale)

    def allowance_on(self, user_id: str, workdays_on: WorkdaysOn, day: date) -> int | Fraction:
        """Returns the half days of a whole year by the policy of a day; 0: vacation is switched off.

        A person's own days are never scaled by the workdays of their week.
        """
        company = self._company_on(day)
        if company.mode == "perUser":
            return self._own_on(user_id, day) or 0
        uniform = company.uniform or 0
        return (
            Fraction(uniform * len(workdays_on(day)), len(MONDAY_TO_FRIDAY)) if company.scale_by_workdays else uniform
        )

    def changes_within(self, user_id: str, first: date, last: date) -> bool:
        """Whether a change of the person's policy begins after `first` and up to `last`."""
        day_lists = self._days, self._own.get(user_id, ((), ()))[0]
        return any(bisect_right(days, first) < bisect_right(days, last) for days in day_lists)

    def carried_until(self, year: int, day: date) -> date | None:
        """Returns the last day in `year` for taking carried days, by the policy in force on `day`; None: they do not
        lapse.
        """
        month_day = self._company_on(day).carry_until
        return None if month_day is None else date.fromisoformat(f"{year}-{month_day}")

    def _company_on(self, day: date) -> "_CompanyRules":
        index = bisect_right(self._days, day)
        return self._stretches[index - 1] if index else _DEFAULTS

    def _own_on(self, user_id: str, day: date) -> Halves:
        days, values = self._own.get(user_id, ((), ()))
        index = bisect_right(days, day)
        halves: Halves = values[index - 1] if index else None
        return halves


def policies_of(session: Session, company_id: str, user_ids: Iterable[str] | None = None) -> Policies:
    """Returns the vacation policies of these people; None: of all who are not deleted."""
    person_ids = [user.id for user in people_in(session, company_id)] if user_ids is None else list(user_ids)
    own_values = person_values(session, company_id, [OWN], person_ids)
    return Policies(setting_changes(session, company_id), own_values)


def change(
    work: UnitOfWork,
    company_id: str,
    *,
    mode: Mode,
    uniform: Halves,
    per_user: Mapping[str, Halves],
    valid_from: date | None,
    carry_until: str | None = UNCHANGED,
    scale_by_workdays: bool | None = None,
) -> Policy:
    """Replaces the whole policy from a day on: people who are not in `per_user` lose their own days.

    Returns the policy in force on the first day of the change. 404 for people who are deleted or of another company.
    """
    work.plan(company_id)
    session, now = work.session, work.now()
    today = today_of(session, company_id, now)
    people = usernames(session, company_id)
    if not per_user.keys() <= people.keys():
        raise not_found()
    company = setting_changes(session, company_id)
    everybody = person_values(session, company_id, [OWN])
    own_changes = {user_id: changes for user_id, changes in everybody.items() if user_id in people}
    first = valid_from or today
    history = dated.histories(company, *SETTINGS)
    own_histories = {
        user_id: History(OWN, own_changes.get(user_id, ())) for user_id in sorted(per_user.keys() | own_changes.keys())
    }
    days = history[UNIFORM].has_value or any(own_history.has_value for own_history in own_histories.values())
    new_settings = [
        # The default is stored as well: the policy was set on that day.
        *(
            history[setting]
            ._replace(default=UNKNOWN)
            .set_from(value, valid_from, today, has_value=days and history[setting].has_value)
            for setting, value in ((MODE, mode), (UNIFORM, uniform))
        ),
        None if carry_until == UNCHANGED else history[CARRY_UNTIL].set_from(carry_until, first, today),
        None
        if scale_by_workdays is None
        else history[SCALE].set_from(scale_by_workdays, valid_from, today, has_value=days),
    ]
    for new in filter(None, new_settings):
        set_setting_from(session, company_id, new, now, work.actor_id)
    for user_id, own_history in own_histories.items():
        own_days = own_history.set_from(per_user.get(user_id), valid_from, today)
        if own_days is not None:
            set_person_value(session, company_id, user_id, own_days, now, work.actor_id)
    session.flush()
    old_policy, new_policy = (
        Policies(company, own_changes).on(first),
        policies_of(session, company_id, people).on(first),
    )
    _write_down(work, company_id, first, old_policy, new_policy)
    requests.refresh_pages(work, company_id)
    return new_policy


def _write_down(work: UnitOfWork, company_id: str, first: date, old_policy: Policy, new_policy: Policy) -> None:
    """Writes the differences to the audit log: one entry for the company and one for each person."""
    validity = {"validFrom": first.isoformat()}
    if _audit_values(old_policy) != _audit_values(new_policy):
        work.audit(
            company_id, actions.POLICY, company_id, _audit_values(old_policy), _audit_values(new_policy) | validity
        )
    for user_id, halves in new_policy.per_user.items():
        if halves != old_policy.per_user.get(user_id):
            was, new_days = {"yearlyDays": _days(old_policy.per_user.get(user_id))}, {"yearlyDays": _days(halves)}
            work.audit(company_id, actions.DAYS, user_id, was, new_days | validity)


def _audit_values(policy: Policy) -> dict[str, Any]:
    """Returns the policy for the audit log, with the names of the API."""
    lapsing = {} if policy.carry_until is None else {"carryUntil": policy.carry_until}
    scaled = {"scaleByWorkdays": True} if policy.scale_by_workdays else {}
    return {"vacationMode": policy.mode, "uniformDays": _days(policy.uniform)} | lapsing | scaled


def _days(halves: Halves) -> str | None:
    """Returns half days as days in a German text ("12,5"), because numbers in the log are integers."""
    return None if halves is None else f"{number_of(halves):g}".replace(".", ",")
