"""Each file, folder, symbol and decision that a page or a docstring names exists."""

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from stempelwerk_tools import english

ROOT = english.ROOT
THIS = "tools/tests/documents/test_map.py"
ROOMS = ROOT / "cloud" / "stempelwerk_cloud"
INVENTED = {
    "docs/guides/add-a-room.md": {
        *("planning/notes", "notes_calls", "notes_calls.py", "cloud/tests/planning/notes_calls.py"),
        *("test_notes.py", "web/src/features/notes/"),
        *("office/trips", "trips_calls", "test_trips"),
    },
    "docs/guides/english.md": {"Merges", "test_a_correction_outside_the_shift_makes_a_new_one"},
    "docs/guides/change-the-contract.md": {"docs/contract/vN"},
    "firmware/README.md": {"edge/stempelwerk_edge/firmware/"},
    "docs/operations.md": {"stempelwerk2"},
    "docs/key-ceremony.md": {"RELEASE_STABLE"},
    "tools/stempelwerk_tools/contract.py": {"docs/contract/vN", "docs/contract/scanner/vN"},
    "cloud/stempelwerk_cloud/domain/passwords.py": {"Frühling", "fruehling", "fruhling", "tischlereiholm"},
    "cloud/tests/people/test_mail_codes.py": {"strasse.example"},
}
"""Examples, by page. They need not exist."""
FOREIGN = {
    "pg_dump": "PostgreSQL",
    "pg_hint_plan": "PostgreSQL",
    "lc_messages": "PostgreSQL",
    "commit_delay": "PostgreSQL",
    "timestamptz": "PostgreSQL",
    "NOTIFY": "PostgreSQL",
    "SERIALIZABLE": "PostgreSQL",
    "timedatectl": "systemd",
    "sudoedit": "sudo",
    "git": "git",
    "LimitNOFILE": "systemd",
    "limit_conn": "nginx",
    "batch_alter_table": "Alembic",
    "include_router": "FastAPI",
    "useBlocker": "React Router",
    "page.clock.runFor": "Playwright",
}
"""Names of other programs, by the program."""
MADE = re.compile(r"^(var/|/|web/dist|stempelwerk/var/)")
"""Paths of files that commands make, or of a machine."""
_FILE = re.compile(r"[\w.@/-]+\.(?:py|ts|tsx|mjs|css|html|sh|toml|service|md)")
_FOLDER = re.compile(r"[\w-]+(?:/[\w-]+)+/?")
_SYMBOL = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*(?:\(\))?")
_DECISION = re.compile(r"\b(?:[Dd]ecisions?|ADR) (\d+)\b")
_PYTHON = re.compile(r'([rR]?"""(?:\\.|[^\\])*?"""|#[^\n]*)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'')
"""A docstring or a comment, or another string, which may hold a number sign."""
_BACKTICKS = re.compile(r"`([^`\n]+)`")


@cache
def tracked() -> frozenset[str]:
    return frozenset(all_files("."))


def all_files(part: str) -> list[str]:
    command = ["git", "ls-files", "--", part]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@cache
def folders() -> frozenset[str]:
    return frozenset(str(parent) for path in tracked() for parent in Path(path).parents)


@cache
def endings(of_folders: bool = False) -> frozenset[str]:
    """Returns every path, and every part of one that begins after a slash: a page may shorten a path."""
    paths = folders() if of_folders else tracked()
    return frozenset(
        "/".join(parts[index:]) for parts in (path.split("/") for path in paths) for index in range(len(parts))
    )


@cache
def modules() -> frozenset[str]:
    """Returns the endings of files without the suffix."""
    return frozenset(
        f"{ending[: ending.rfind('/') + 1]}{ending.rsplit('/', 1)[-1].split('.')[0]}" for ending in endings()
    )


@cache
def words_of_code() -> frozenset[str]:
    """Returns every word of the code, without docstrings and comments."""
    words: set[str] = set()
    for path in tracked():
        if path != THIS and not path.endswith((".md", ".lock")):
            content = (ROOT / path).read_bytes()
            if b"\0" in content[:4096]:
                continue  # a picture or a font
            words.update(re.findall(r"\w+", code_of(path, content.decode(errors="replace"))))
    return frozenset(words)


def code_of(path: str, source: str) -> str:
    if path.endswith(".py"):
        return _PYTHON.sub(lambda match: " " if match[1] else match[0], source)
    if path.endswith((".ts", ".tsx", ".mjs", ".js")):
        return re.sub(r"/\*.*?\*/|(?m:(?<![:\"'`])//[^\n]*$)", " ", source, flags=re.DOTALL)
    return source


def exists(path: str, name: str) -> bool:
    """Returns whether a name in backticks on `path` is a file, a folder or a symbol of this repository."""
    if name in INVENTED.get(path, ()) or name in FOREIGN or MADE.match(name):
        return True
    if name.startswith("STEMPELWERK_"):  # test_commands.py compares settings
        return True
    bare = name.rstrip("/")
    if _FILE.fullmatch(name):
        here = (ROOT / path).parent / name
        return here.exists() or bare in endings()
    root = bare.split("/")[0]
    if _FOLDER.fullmatch(name) and (root in folders() or (ROOMS / root).is_dir()):
        return bare in modules() or bare in endings(of_folders=True)
    if _SYMBOL.fullmatch(name):
        return all(part in words_of_code() for part in name.removesuffix("()").split("."))
    return True


def missing_on(path: str) -> Iterator[str]:
    """Yields what a file names that does not exist, with the line."""
    for line, text in english.prose(path, (ROOT / path).read_text(encoding="utf-8")):
        for name in _BACKTICKS.findall(text):
            if not exists(path, name.strip()):
                yield f"{path}:{line}: `{name}`"
        for number in _DECISION.findall(text):
            if not list((ROOT / "docs/decisions").glob(f"{int(number):04d}-*.md")):
                yield f"{path}:{line}: decision {number}"


@pytest.mark.parametrize("part", [*english.PARTS, "hardware"])
def test_each_file_folder_symbol_and_decision_that_a_part_names_exists(part: str) -> None:
    pages = [path for path in all_files(part) if path.endswith((".py", ".md", ".ts", ".tsx", ".mjs"))]
    assert pages
    assert [line for path in pages if "handbuch" not in path for line in missing_on(path)] == []


def test_each_decision_has_a_number_of_its_own() -> None:
    numbers = [path.name[:4] for path in sorted((ROOT / "docs/decisions").glob("*.md"))]
    assert sorted(set(numbers)) == numbers


def test_what_does_not_exist_is_found() -> None:
    assert exists("docs/architecture.md", "kit/database/statements.py")
    assert exists("docs/architecture.md", "kit/database")
    assert exists("docs/architecture.md", "Database.merge")
    assert not exists("docs/architecture.md", "kit/database/gone.py")
    assert not exists("docs/architecture.md", "kit/gone_with_it")
    assert not exists("docs/architecture.md", "Database.gone_with_it")
