"""Every kind of decision is declared by a room, and the page has a German word and a German sentence for it."""

import re
from collections import Counter
from pathlib import Path

import stempelwerk_cloud
from stempelwerk_cloud.app import ROOMS

TEXTS = Path(__file__).parents[3] / "web" / "src" / "features" / "audit" / "texts.ts"
PROGRAM = Path(stempelwerk_cloud.__file__).parent
ACTIONS = [action for room in ROOMS for action in room.audit_actions]


def _texts(table: str) -> set[str]:
    """The keys of one of the page's tables."""
    content = TEXTS.read_text(encoding="utf-8")
    (body,) = re.findall(rf"export const {table}\b.*? = {{\n(.*?)\n}}", content, re.DOTALL)
    return set(re.findall(r"^  '?([a-z_.]+)'?: ", body, re.MULTILINE))


def test_every_action_has_its_word_and_its_sentence_on_the_page() -> None:
    assert len(ACTIONS) > 20
    assert _texts("kindTexts") == set(ACTIONS)
    assert set(ACTIONS) <= _texts("sentenceTexts")
    assert {action.partition(".")[0] for action in ACTIONS} == _texts("groupTexts")


def test_an_action_belongs_to_one_room() -> None:
    assert [action for action, rooms in Counter(ACTIONS).items() if rooms > 1] == []


def test_actions_are_made_where_rooms_declare_them_alone() -> None:
    made = {
        path.relative_to(PROGRAM).as_posix()
        for path in PROGRAM.rglob("*.py")
        if re.search(r"\bAction\(", path.read_text(encoding="utf-8"))
    }
    assert {path for path in made if not path.endswith("/actions.py")} == {"people/audit/service.py"}
