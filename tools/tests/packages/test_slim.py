"""A package holds what its program reads: no tests of libraries, no C sources, no stubs of types."""

from pathlib import Path

from stempelwerk_tools.packages.closure import required_packages
from stempelwerk_tools.packages.program import slim


def test_tests_sources_and_stubs_of_libraries_are_left_out_and_nothing_else(tmp_path: Path) -> None:
    kept_files = {
        "lib/__init__.py",
        "lib/fast.so",
        "lib/data.txt",
        "lib/testing/__init__.py",
        "lib/contest.py",
        "lib/py.typed",
    }
    left_out = {
        "lib/tests/test_a.py",
        "lib/deep/test/data/x.json",
        "lib/SelfTest/Hash/t.py",
        "lib/test_data/key",
        "lib/fast.c",
        "lib/a.pyi",
    }
    for name in kept_files | left_out:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    slim(tmp_path)
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == kept_files


def test_the_service_brings_the_parser_of_signatures_and_not_the_verifier_of_its_tests() -> None:
    names = required_packages("stempelwerk-cloud")
    assert "http-sf" in names
    assert "http-message-signatures" not in names
