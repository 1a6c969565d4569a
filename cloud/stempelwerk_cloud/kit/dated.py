"""Dated settings: values that a company sets from a local day on, and the values in force on a day.

A room declares the settings that it owns; a `Setting` is also the key of its value in `InForce`. The module uses no
database: callers pass the stored changes. Each setting has its own history, so that a change of one from an earlier day
does not undo another's later change.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

from pydantic import AfterValidator, Field, Strict, TypeAdapter, ValidationError

from stempelwerk_cloud.kit import german

Value = TypeVar("Value")

NAME_LIMIT = 40


@dataclass(frozen=True, slots=True, eq=False)
class Setting(Generic[Value]):
    """A setting of a company. A new company has the default.

    `type` is the API's: a number, a bool, a text or one of a few words (`Literal`). A number may have limits. `among`:
    the allowed texts, where they are too many for the API's description. `shapes_entries`: time entries depend on the
    setting, so a change from a past day derives them again. `from_beginning`: the setting is not dated; a change holds
    from the beginning, whatever day is given. `refuse`: returns the German sentence that refuses a change from one
    value, as stored, to another; None if it is allowed.

    `label` and `in_words`: its German name, and its value, in the companies' papers. `retention`: the German line there
    about the data whose retention it sets, and the unit of its value.
    """

    name: str
    type: Any
    default: Value
    minimum: int | None = None
    maximum: int | None = None
    among: AbstractSet[str] | None = None
    shapes_entries: bool = False
    from_beginning: bool = False
    refuse: Callable[[Any, Any], str | None] = lambda _old_value, _new_value: None
    label: str = ""
    in_words: Callable[[Value], str] = german.value
    retention: tuple[str, str] | None = None

    @property
    def accepted(self) -> Any:
        """The type with its limits, for the validation of a body. JSON's `true` is no number, and 1 no bool."""
        strict = [Strict()] if self.type in (int, bool) else []
        limits = [Field(ge=self.minimum, le=self.maximum)] if self.type is int else []
        return Annotated[(self.type, *strict, *limits, AfterValidator(self._check_choice))]

    def _check_choice(self, value: Any) -> Any:
        if self.among is not None and value is not None and value not in self.among:
            raise ValueError(f"unknown {self.name}")
        return value


def declared(settings: Iterable[Setting[Any]]) -> tuple[Setting[Any], ...]:
    """Returns all settings, in order. ValueError for one that is declared twice, or with an invalid default."""
    by_name: dict[str, Setting[Any]] = {}
    for setting in settings:
        if setting.name in by_name:
            raise ValueError(f"the setting {setting.name} is declared twice")
        if len(setting.name) > NAME_LIMIT:
            raise ValueError(f"the setting {setting.name} has a name of more than {NAME_LIMIT} characters")
        try:
            TypeAdapter(setting.accepted).validate_python(setting.default)
        except ValidationError as error:
            raise ValueError(f"the default of the setting {setting.name} is outside its own limits") from error
        by_name[setting.name] = setting
    return tuple(by_name.values())


UNKNOWN = object()
"""A default that equals no value, for a setting whose value without changes is unknown."""


class Change(NamedTuple):
    """A setting's value from a day on, as stored: `value` is JSON."""

    setting: str
    valid_from: date
    value: str


class InForce:
    """The settings in force on a local day: `in_force[SETTING]`."""

    __slots__ = ("_latest",)

    def __init__(self, changes: Iterable[Change], day: date) -> None:
        self._latest: dict[str, Change] = {}
        for change in changes:
            latest = self._latest.get(change.setting)
            if change.valid_from <= day and (latest is None or latest.valid_from <= change.valid_from):
                self._latest[change.setting] = change

    def __getitem__(self, setting: Setting[Value]) -> Value:
        change = self._latest.get(setting.name)
        if change is None:
            return setting.default
        value: Value = json.loads(change.value)
        return value

    def newest_change_day(self, settings: Iterable[Setting[Any]]) -> date | None:
        """Returns the day of the newest change of one of these; None if all hold from the beginning."""
        changes = (self._latest.get(setting.name) for setting in settings if not setting.from_beginning)
        return max((change.valid_from for change in changes if change is not None), default=None)


class History(NamedTuple):
    """All changes of one setting, oldest first; `default` is the value without any change."""

    name: str
    changes: Sequence[Change]
    default: Any = UNKNOWN

    @property
    def has_value(self) -> bool:
        """Whether any change set a value other than null."""
        return any(json.loads(change.value) is not None for change in self.changes)

    def set_from(self, value: Any, day: date | None, today: date, *, has_value: bool | None = None) -> Change | None:
        """Returns the change that makes the value hold from a day on, by default today; None if it holds already.

        The first value without a day, even 0, holds from the beginning, because it was true before it was entered. It
        overwrites an initial null instead of keeping it as history. `has_value` replaces the property of that name. A
        value that holds already is not written again: that would end a change that is made later from an earlier day.
        """
        first = not (self.has_value if has_value is None else has_value) and all(
            change.valid_from == date.min for change in self.changes
        )
        start = day or (date.min if first else today)
        effective = [change for change in self.changes if change.valid_from <= start]
        holds = json.loads(effective[-1].value) if effective else UNKNOWN if self.changes else self.default
        return None if holds == value else Change(self.name, start, json.dumps(value))


def histories(changes: Iterable[Change], *settings: Setting[Any]) -> dict[Setting[Any], History]:
    """Returns the history of each of these settings, from changes in order."""
    all_changes = tuple(changes)
    changes_by_setting = {
        setting: [change for change in all_changes if change.setting == setting.name] for setting in settings
    }
    return {setting: History(setting.name, changes, setting.default) for setting, changes in changes_by_setting.items()}


DEFAULTS = InForce((), date.min)
"""The settings of a company without any change."""
