"""Each action is declared by a room, and the page has German words for it and for every setting."""

import re
from collections import Counter
from pathlib import Path

import stempelwerk_cloud
from pydantic.alias_generators import to_camel
from stempelwerk_cloud.app import ROOMS, SETTINGS

FEATURES = Path(__file__).parents[3] / "web" / "src" / "features"
PROGRAM = Path(stempelwerk_cloud.__file__).parent
ACTIONS = [action for room in ROOMS for action in room.audit_actions]
TEXTS = [file.read_text(encoding="utf-8") for file in FEATURES.glob("*/auditTexts.ts")]


def _named_keys(part: str) -> set[str]:
    """Returns the keys that the features name: of `groups` or `members`."""
    bodies = [body for text in TEXTS for body in re.findall(rf"^  {part}: {{(.*?)}}", text, re.DOTALL | re.MULTILINE)]
    return {key for body in bodies for key in re.findall(r"(\w+): '", body)}


def test_every_action_has_its_words_on_the_page() -> None:
    """The type `ActionWords` ensures that each has a sentence and a name for the filter."""
    assert len(ACTIONS) > 20
    translated = {key for text in TEXTS for key in re.findall(r"^    '([a-z_]+\.[a-z_]+)': \{", text, re.MULTILINE)}
    assert translated == set(ACTIONS)
    assert _named_keys("groups") == {action.partition(".")[0] for action in ACTIONS}


def test_every_setting_has_its_word_on_the_page() -> None:
    assert {to_camel(setting.name) for setting in SETTINGS} <= _named_keys("members")


def test_an_action_belongs_to_one_room() -> None:
    assert [action for action, rooms in Counter(ACTIONS).items() if rooms > 1] == []


def test_every_action_that_the_program_makes_is_declared_by_a_room() -> None:
    sources = [path.read_text(encoding="utf-8") for path in PROGRAM.rglob("*.py")]
    made = [name for source in sources for name in re.findall(r'\bAction\("([^"]+)"\)', source)]
    assert sorted(made) == sorted(ACTIONS)
