"""Dated settings: what a company can set, from a local day on, and what holds on a day.

A room declares the settings that it owns; each is also the key by which its value is read. Pure: changes come in as
rows. Each setting has its own history, so that a change of one from an earlier day does not undo another's later one.
"""

import json
from collections.abc import Callable, Iterable, Sequence
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
    it, so that a change from a past day means that they are derived again. `from_beginning`: it is no dated value, so
    that whatever day a change names, it holds from the beginning. `refuse`: the German sentence by which a change from
    one value, as stored, to another is refused; None where it is allowed.
    """

    name: str
    type: Any
    default: Value
    least: int | None = None
    most: int | None = None
    among: AbstractSet[str] | None = None
    shapes_entries: bool = False
    from_beginning: bool = False
    refuse: Callable[[Any, Any], str | None] = lambda _old_value, _new_value: None

    @property
    def accepted(self) -> Any:
        """The type with its limits, as a body is held to it. JSON's `true` is no number, and 1 no truth."""
        strict = [Strict()] if self.type in (int, bool) else []
        limits = [Field(ge=self.least, le=self.most)] if self.type is int else []
        return Annotated[(self.type, *strict, *limits, AfterValidator(self._check_choice))]

    def _check_choice(self, value: Any) -> Any:
        if self.among is not None and value is not None and value not in self.among:
            raise ValueError(f"unknown {self.name}")
        return value


def declared(settings: Iterable[Setting[Any]]) -> tuple[Setting[Any], ...]:
    """All settings, in order. ValueError for one that is declared twice, or whose default it would not accept."""
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
"""What no value equals."""


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
            latest = self._latest.get(change.setting)
            if change.valid_from <= day and (latest is None or latest.valid_from <= change.valid_from):
                self._latest[change.setting] = change

    def __getitem__(self, setting: Setting[Value]) -> Value:
        change = self._latest.get(setting.name)
        if change is None:
            return setting.default
        value: Value = json.loads(change.value)
        return value

    def since(self, settings: Iterable[Setting[Any]]) -> date | None:
        """The day of the newest change of one of these; None if all hold from the beginning."""
        changes = (self._latest.get(setting.name) for setting in settings if not setting.from_beginning)
        return max((change.valid_from for change in changes if change is not None), default=None)


class History(NamedTuple):
    """Everything that was ever said of one thing, oldest first; `unsaid` is what holds where nothing was."""

    name: str
    said: Sequence[Change]
    unsaid: Any = UNKNOWN

    @property
    def given(self) -> bool:
        """Whether it ever was anything but null."""
        return any(json.loads(change.value) is not None for change in self.said)

    def say(self, value: Any, day: date | None, today: date, *, given: bool | None = None) -> Change | None:
        """The change by which the value is to hold from a day on: the one that is named, else today; None if it does.

        The first that is given without a day, be it 0, holds from the beginning, for it was so before anybody said it.
        `given`: whether one was, where that is not `self.given`. What was said from the beginning and gave none is
        replaced by it. What holds already is not written again: it would end a change that somebody makes later from an
        earlier day.
        """
        first = not (self.given if given is None else given) and all(
            change.valid_from == date.min for change in self.said
        )
        start = day or (date.min if first else today)
        effective = [change for change in self.said if change.valid_from <= start]
        holds = json.loads(effective[-1].value) if effective else UNKNOWN if self.said else self.unsaid
        return None if holds == value else Change(self.name, start, json.dumps(value))


def histories(changes: Iterable[Change], *settings: Setting[Any]) -> dict[Setting[Any], History]:
    """The history of each of these settings, of changes that are in order."""
    all_changes = tuple(changes)
    changes_by_setting = {
        setting: [change for change in all_changes if change.setting == setting.name] for setting in settings
    }
    return {setting: History(setting.name, changes, setting.default) for setting, changes in changes_by_setting.items()}


DEFAULTS = InForce((), date.min)
"""What holds where nobody has set anything."""
