"""A sample of mutants depends only on seed and source, and its score is the share that the tests find."""

from pathlib import Path

import pytest
from stempelwerk_tools.mutation import command
from stempelwerk_tools.mutation.command import Wing
from stempelwerk_tools.mutation.drawing import draw_mutants

WING = Wing("toy", "tests/", "tests/")
PROGRAM = """\
def greater(one, other):
    return one > other

def reaches(one, other):
    return one >= other

def smaller(one, other):
    return one < other

def nobody_asks(one, other):
    return one <= other
"""
TESTS = """\
import pytest
from toy.program import greater, reaches, smaller

def test_greater():
    assert greater(2, 1) and not greater(1, 1)

def test_reaches():
    assert reaches(2, 1)

def test_smaller():
    assert smaller(1, 2)

@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_on(database):
    assert database == "sqlite"
"""
OPTIONS = "--import-mode=importlib -p no:cacheprovider -p no:schemathesis"
JUDGED = """\
[[mutant]]
file = "toy/program.py"
inside = "smaller"
before = "return one < other"
after = "return one <= other"
reason = "nobody compares what is the same"
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    for name, content in {
        "pyproject.toml": f"[tool.pytest.ini_options]\naddopts = '{OPTIONS}'\n",
        "toy/__init__.py": "",
        "toy/program.py": PROGRAM,
        "tests/test_program.py": TESTS,
        "judged.toml": JUDGED,
        "none.toml": "mutant = []",
    }.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(content, "utf-8")
    return tmp_path / "tree"


def test_each_mutant_is_told_what_became_of_it_and_the_tree_stays_as_it_is(
    toy: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.run(toy, ["."], [WING], 4, 1, toy / "judged.toml") == 1
    *verdicts, score = capsys.readouterr().out.splitlines()
    assert sorted(verdicts) == [
        "equivalent  toy/program.py:8: return one < other → return one <= other",
        "killed      toy/program.py:2: return one > other → return one >= other",
        "not run     toy/program.py:11: return one <= other → return one < other",
        "survived    toy/program.py:5: return one >= other → return one > other",
    ]
    assert score == "score 33 %: 1 of 3 killed (0 hung), 1 equivalent, 2 survived"
    assert (toy / "toy/program.py").read_text("utf-8") == PROGRAM


def test_tests_that_fail_as_they_are_say_nothing_of_mutants(toy: Path) -> None:
    (toy / "tests/test_program.py").write_text("def test_it():\n    assert not 'as it is'\n", "utf-8")
    with pytest.raises(command.Unusable, match="as it is"):
        command.run(toy, ["."], [WING], 1, 1, toy / "none.toml")


def test_a_run_over_its_limit_is_ended(toy: Path, tmp_path: Path) -> None:
    (toy / "tests/test_program.py").write_text("def test_it():\n    while True: pass\n", "utf-8")
    copy = command._Copy(toy, tmp_path / "copy", ["."])
    copy.took = {"tests/test_program.py::test_it": -command._PATIENCE_S / 10}
    assert copy._verdict(list(copy.took)) == "hung"


def _texts(root: Path, seed: int = 1) -> list[tuple[str, str]]:
    return [(mutant.original, mutant.mutated) for mutant in draw_mutants(root, "toy", 2, seed)]


def test_the_sample_hangs_on_seed_and_source_and_not_on_where_a_line_stands(toy: Path) -> None:
    first = _texts(toy)
    assert len(first) == 2
    assert len({tuple(_texts(toy, seed)) for seed in range(20)}) > 1
    (toy / "toy/program.py").write_text("# moved\n\n" + PROGRAM, "utf-8")
    assert _texts(toy) == first


@pytest.mark.parametrize(
    "passed_over",
    [
        "def it(one: int | None, other: bool = None) -> str | None: ...",
        "Alias = dict[str, bool | None]",
        "log.info('said', times=1)",
        "assert one == 1",
        "one = cast('X | None', not other)",
        "@dataclass(frozen=True)\nclass One: ...",
        "if TYPE_CHECKING:\n    one = 1",
        "one = 'a text'",
        "'''What it is, 1 or 2.'''",
    ],
)
def test_code_that_tests_need_not_cover_is_skipped(toy: Path, passed_over: str) -> None:
    (toy / "toy/program.py").write_text(passed_over, "utf-8")
    mutants = draw_mutants(toy, "toy", 10, 1)
    assert mutants == []


def test_a_call_that_is_made_for_what_it_does_can_be_left_out(toy: Path) -> None:
    (toy / "toy/program.py").write_text("def it(rows):\n    rows.sort()\n", "utf-8")
    assert _texts(toy) == [("rows.sort()", "...")]
