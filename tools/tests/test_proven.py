"""A proof counts until a file that it depends on changes, by a byte, by its name, or by its existence."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from stempelwerk_tools import proven

from tools.tests import conftest

TESTS = Path(__file__).resolve().parent


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a tree with one recorded proof."""
    (tmp_path / "service/rooms").mkdir(parents=True)
    (tmp_path / "service/rooms/one.py").write_text("1")
    (tmp_path / "service/two.py").write_text("2")
    (tmp_path / "lock").write_text("3")
    monkeypatch.setattr(proven, "ROOT", tmp_path)
    monkeypatch.setattr(proven, "DIGESTS_FILE", tmp_path / "proven.toml")
    monkeypatch.setattr(proven, "PROOFS", {"whole": ("service", "lock"), "part": ("lock",)})
    assert proven.main(["write", "whole"]) == 0
    return tmp_path


CHANGES: dict[str, Callable[[Path], object]] = {
    "a byte": lambda house: (house / "service/rooms/one.py").write_text("4"),
    "a new file": lambda house: (house / "service/rooms/three.py").touch(),
    "a file less": lambda house: (house / "service/two.py").unlink(),
    "another name": lambda house: (house / "service/two.py").rename(house / "service/second.py"),
    "another place": lambda house: (house / "service/two.py").rename(house / "service/rooms/two.py"),
    "a file named by itself": lambda house: (house / "lock").write_text("4"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_of_a_dependency_voids_the_proof(house: Path, change: str) -> None:
    assert proven.main(["check", "whole"]) == 0
    CHANGES[change](house)
    assert proven.main(["check", "whole"]) == 1


def test_bytecode_and_unrelated_files_do_not_void_a_proof(house: Path) -> None:
    (house / "service/__pycache__").mkdir()
    (house / "service/__pycache__/two.cpython-311.pyc").touch()
    (house / "pages").touch()
    assert proven.main(["check", "whole"]) == 0


def test_each_proof_is_written_down_by_itself(house: Path) -> None:
    assert proven.main(["check", "part"]) == 1
    proven.main(["write", "part"])
    (house / "service/two.py").write_text("4")
    assert proven.main(["check", "part"]) == 0
    assert proven.main(["check", "whole"]) == 1


def test_a_path_that_is_not_there_is_a_mistake(house: Path) -> None:
    with pytest.raises(FileNotFoundError):
        proven.digest(["service", "gone"])


@pytest.mark.parametrize("name", proven.PROOFS)
def test_each_path_of_a_proof_exists(name: str) -> None:
    assert len({proven.digest([path]) for path in proven.PROOFS[name]}) == len(proven.PROOFS[name])


@pytest.mark.parametrize("name", proven.PROOFS)
def test_each_proof_has_its_tests(name: str) -> None:
    assert any(f'pytest.mark.proof("{name}")' in file.read_text("utf-8") for file in TESTS.rglob("test_*.py"))


def test_no_test_names_a_proof_that_does_not_exist() -> None:
    sources = [file.read_text("utf-8") for file in TESTS.glob("*/**/test_*.py")]
    names = {name for source in sources for name in re.findall(r'pytest\.mark\.proof\("(\w+)"\)', source)}
    assert names == set(proven.PROOFS)


class Collected:
    """An item of a test run, with the markers that the selection reads and adds."""

    def __init__(self, path: Path, *markers: pytest.MarkDecorator) -> None:
        self.path = path
        self.markers = {marker.name: marker.mark for marker in markers}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.markers.get(name)

    def add_marker(self, name: str) -> None:
        self.markers[name] = pytest.Mark(name, (), {}, _ispytest=True)


UNMARKED, WHOLE_MARKED, PART_MARKED = (), (pytest.mark.proof("whole"),), (pytest.mark.proof("part"),)


class Run:
    """The options of a test run."""

    hook = type("Hook", (), {"pytest_deselected": staticmethod(lambda items: None)})

    def __init__(self, options: dict[str, str]) -> None:
        self.options = options

    def getoption(self, name: str) -> str | None:
        return self.options.get(name)


def _selected(folder: Path, **options: str) -> tuple[list[bool], list[bool]]:
    """Runs the selection over a plain test and one of each proof. Returns who is collected, who waits for a release."""
    items = [Collected(folder / "test_all.py", *markers) for markers in (UNMARKED, WHOLE_MARKED, PART_MARKED)]
    collected = list(items)
    conftest.pytest_collection_modifyitems(Run(options), collected)  # type: ignore[arg-type]
    return [item in collected for item in items], ["prove" in item.markers for item in items]


@pytest.fixture
def folder(house: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the folder of the tree's tests."""
    (house / "tests").mkdir()
    (house / "tests/test_all.py").write_text('pytest.mark.proof("whole")')
    monkeypatch.setattr(conftest, "TESTS", house / "tests")
    return house / "tests"


def test_the_tests_of_a_proof_wait_for_a_release_while_it_counts(folder: Path) -> None:
    assert _selected(folder) == ([True, True, True], [False, True, False])


def test_the_tests_of_a_proof_run_after_a_change(folder: Path, house: Path) -> None:
    (house / "lock").write_text("4")
    assert _selected(folder) == ([True, True, True], [False, False, False])


def test_a_proof_is_made_by_its_own_tests_also_while_it_counts(folder: Path) -> None:
    assert _selected(folder, **{"--proves": "whole"}) == ([False, True, False], [False, False, False])


def test_a_part_of_a_proof_is_refused(folder: Path) -> None:
    with pytest.raises(pytest.UsageError):
        _selected(folder, **{"--proves": "whole", "keyword": "planted"})
    (folder / "test_more.py").write_text('pytest.mark.proof("whole")')
    with pytest.raises(pytest.UsageError, match=r"test_more\.py"):
        _selected(folder, **{"--proves": "whole"})
