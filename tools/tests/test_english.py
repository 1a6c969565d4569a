"""The lint for plain English finds what it names, and lets nothing grow."""

import pytest
from stempelwerk_tools import english
from stempelwerk_tools.english import Counts

LIMITS = """[commits]
since = "0000000"

[limits."edge"]
markers = 5
vague = 2

[limits."tools"]
markers = 1
vague = 1
"""


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.py", '"""Who asks is told."""\n'),
        ("a.py", "x = 1  # of which nobody says anything\n"),
        ("a.ts", "/**\n * It is heard by nobody.\n */\n"),
        ("a.tsx", "const row = 1 // said at once\n"),
        ("a.md", "Whoever asks waits.\n"),
    ],
)
def test_each_kind_of_file_has_its_marked_phrases_found(path: str, source: str) -> None:
    assert english.count_text(path, source).markers >= 1


def test_plain_sentences_and_code_blocks_of_pages_have_no_marker() -> None:
    assert english.count_text("a.py", '"""Returns the rows of a page. Raises NoSuchRow."""\n').markers == 0
    assert english.count_text("a.md", "Run this:\n\n```\nwhoever says nobody\n```\n").markers == 0


@pytest.mark.parametrize(
    ("path", "source", "number"),
    [
        ("a.py", "def rows_of(found): pass\n", 1),
        ("a.py", "def of(device): pass\n", 1),
        ("a.py", "rows = [one for one in devices]\n", 1),
        ("a.py", "def find(self, request): rows = request\n", 0),
        ("a.ts", "const told = 1\nlet rows = 2\n", 1),
    ],
)
def test_a_name_without_a_noun_is_vague(path: str, source: str, number: int) -> None:
    assert english.count_text(path, source).vague == number


def test_a_part_with_more_findings_than_its_limit_is_refused_and_one_with_fewer_is_not() -> None:
    limits = {"edge": {"markers": 5, "vague": 2}}
    assert list(english.exceeded(limits, {"edge": Counts(5, 2)})) == []
    (complaint,) = english.exceeded(limits, {"edge": Counts(6, 2)})
    assert complaint.startswith("edge: 6 markers, at most 5")
    assert len(list(english.exceeded(limits, {"edge": Counts(6, 3)}))) == 2


def test_limits_fall_with_the_counts_and_never_rise() -> None:
    lower = english.lowered(LIMITS, {"edge": Counts(3, 4), "tools": Counts(9, 0)})
    assert lower == LIMITS.replace("markers = 5", "markers = 3").replace(
        "markers = 1\nvague = 1", "markers = 1\nvague = 0"
    )


@pytest.mark.parametrize(
    "source",
    [
        "class Gadget:\n",
        "    def tell(self) -> None:\n",
        "const tell = 1\n",
        "tell: int = 1\n",
        "export type Gadget = 1\n",
    ],
)
def test_a_retired_name_is_found_where_it_is_defined(source: str) -> None:
    (definition,) = english.definitions(source, ["tell", "Gadget"])
    assert definition == (1, "Gadget" if "Gadget" in source else "tell")


def test_a_name_that_only_contains_a_retired_one_or_compares_with_it_is_fine() -> None:
    source = "def retell(): pass\nteller = 1\nassert x == tell == 2\ntelling(tell)\n"
    assert list(english.definitions(source, ["tell"])) == []


@pytest.mark.parametrize(
    ("subject", "body", "is_refused"),
    [
        ("vacation: Refuse requests that overlap approved leave", "Two requests counted the same day.", False),
        ("vacation: Refuse requests that overlap approved leave", "", True),
        ("Refuse requests", "Why.", True),
        ("vacation: refuse requests", "Why.", True),
        ("device api: " + "A" * 61, "Why.", True),
    ],
)
def test_a_commit_names_its_room_and_says_why(subject: str, body: str, is_refused: bool) -> None:
    assert bool(list(english.malformed([(subject, body)]))) == is_refused


def test_git_is_asked_for_the_commits_after_the_first_that_counts() -> None:
    assert english.commits_since("HEAD") == []
    assert english.commits_since("0" * 40) == []
