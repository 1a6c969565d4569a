"""Dated settings: what a company can set, from a local day on, and what holds on a day.

A room declares the settings that it owns; each is also the key by which its value is read. Pure: changes come in as
rows. Each setting has its own history, so that a change of one from an earlier day does not undo another's later one.
"""

import json
from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from pydantic import AfterValidator, Field, Strict, TypeAdapter, ValidationError

Value = TypeVar("Value")

NAME_LIMIT = 40


@dataclass(frozen=True, slots=True, eq=False)
class Setting(Generic[Value]):
    """Something that a company can set. A new company has the default.

    `type` is the API's: a number, a bool, a text or one of a few words (`Literal`). A number may have limits. `among`:
    the texts that there are, where they are too many for the API's description. `shapes_entries`: entries depend on
    it, so that a change from a past day means that they are derived again.
    """

    name: str
    type: Any
    default: Value
    least: int | None = None
    most: int | None = None
    among: AbstractSet[str] | None = None
    shapes_entries: bool = False

    @property
    def accepted(self) -> Any:
        """The type with its limits, as a body is held to it. JSON's `true` is no number, and 1 no truth."""
        strict = [Strict()] if self.type in (int, bool) else []
        limits = [Field(ge=self.least, le=self.most)] if self.type is int else []
        return Annotated[(self.type, *strict, *limits, AfterValidator(self._known))]

    def _known(self, value: Any) -> Any:
        if self.among is not None and value is not None and value not in self.among:
            raise ValueError(f"unknown {self.name}")
        return value


def declared(settings: Iterable[Setting[Any]]) -> tuple[Setting[Any], ...]:
    """All settings, in order. ValueError for one that is declared twice, or whose default it would not accept."""
    found: dict[str, Setting[Any]] = {}
    for setting in settings:
        if setting.name in found:
            raise ValueError(f"the setting {setting.name} is declared twice")
        if len(setting.name) > NAME_LIMIT:
            raise ValueError(f"the setting {setting.name} has a name of more than {NAME_LIMIT} characters")
        try:
            TypeAdapter(setting.accepted).validate_python(setting.default)
        except ValidationError as error:
            raise ValueError(f"the default of the setting {setting.name} is outside its own limits") from error
        found[setting.name] = setting
    return tuple(found.values())


class Change(NamedTuple):
    """A setting's value from a day on, as stored: `value` is JSON."""

    setting: str
    valid_from: date
    value: str


class InForce:
    """What holds on a local day: `in_force[SETTING]`."""

    __slots__ = ("_latest",)

    def __init__(self, changes: Iterable[Change], day: date) -> None:
        self._latest: dict[str, Change] = {}
        for change in changes:
            before = self._latest.get(change.setting)
            if change.valid_from <= day and (before is None or before.valid_from <= change.valid_from):
                self._latest[change.setting] = change

    def __getitem__(self, setting: Setting[Value]) -> Value:
        change = self._latest.get(setting.name)
        if change is None:
            return setting.default
        found: Value = json.loads(change.value)
        return found

    def since(self, settings: Iterable[Setting[Any]]) -> date | None:
        """The day of the newest change of one of these; None if all are defaults."""
        found = (self._latest.get(setting.name) for setting in settings)
        return max((change.valid_from for change in found if change is not None), default=None)


def days_to_write(said: Iterable[Change], value: Any, first: date, *, whole: bool) -> list[date]:
    """From which days a value is to be written so that it holds on `first`, of which all this was said. None: it does.

    What holds already is not written again: it would end a change that somebody makes later from an earlier day. What
    is said first holds from the beginning. `whole`: so does this, up to what was said of days after `first`.
    """
    known = {change.valid_from: json.loads(change.value) for change in said}
    begun = sorted(day for day in known if day <= first)
    if whole or not known:
        return [day for day in sorted({date.min, *begun}) if day not in known or known[day] != value]
    return [] if begun and known[begun[-1]] == value else [first]


def is_first(said: Collection[Change], number: int | None, asked: date | None) -> bool:
    """Whether a number is still the first of these, where none of them was ever in force.

    Without a day that was named (`asked`) it is, unless it only takes back another one.
    """
    given = any(json.loads(change.value) for change in said)
    if asked is None:
        return bool(number) or not given
    return bool(number) and not given and undated(said)


def undated(said: Iterable[Change]) -> bool:
    """Whether nothing was said but from the beginning on."""
    return all(change.valid_from == date.min for change in said)


DEFAULTS = InForce((), date.min)
"""What holds where nobody has set anything."""
