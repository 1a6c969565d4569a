"""German literals of both Python programs are only in the files that the map names."""

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest
from stempelwerk_tools import english
from tests.documents.test_map import all_files

MAP = (english.ROOT / "docs/architecture.md").read_text(encoding="utf-8")
PROGRAMS = {
    "German texts of the service": "cloud/stempelwerk_cloud/",
    "German texts of the clock": "edge/stempelwerk_edge/",
}
_WORDS = re.compile(
    r"[äöüÄÖÜß„“]|(?<![\w-])(?:und|oder|nicht|ist|sind|wird|werden|wurde|kannst|kann|kein(?:e[nmrs]?)?|dein(?:e[nmrs]?)?"
    r"|eine?[nmrs]?|bitte|noch|schon|jetzt|dann|auf|mit|zum|zur|bei|nach|dem|das|du|wir|dich|dir|sich|neue[nmrs]?"
    r"|fertig|heute|gestern|abbrechen|speichern)(?![\w-])",
    re.IGNORECASE,
)
_NOUNS = re.compile(
    r"\b(?:Uhr|Zeit(?:en)?|Monate?|Stempel(?!werk)\w*|Kommen|Gehen|Fehler|Passwort|Firma|Firmen|Seite|Sitzung(?:en)?"
    r"|Konto|Antwort)\b"
)
"""Words that no other language has, and nouns as only German writes them."""


def places_of(question: str) -> list[str]:
    """Returns the file names, files and folders that the map's row names."""
    row = next(line for line in MAP.splitlines() if line.startswith(f"| {question} |"))
    return re.findall(r"`([^`]+)`", row)


def lies_in(path: str, place: str) -> bool:
    """Returns whether a path of a program is the file, lies in the folder, or has the file name."""
    return path == place or path.startswith(f"{place}/") or path.rsplit("/", 1)[-1] == place


def is_german(text: str) -> bool:
    return bool(_WORDS.search(text) or _NOUNS.search(text))


def literals_of(source: str) -> Iterator[str]:
    """Yields the strings of a Python source, without docstrings."""
    tree = ast.parse(source)
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            yield node.value


@cache
def in_program(root: str) -> dict[str, list[str]]:
    """Returns the German texts by file, without files that have none. A template is one text."""
    german = {}
    for path in all_files(root):
        if path.endswith((".py", ".html")):
            source = (english.ROOT / path).read_text(encoding="utf-8")
            texts = literals_of(source) if path.endswith(".py") else [source]
            german[path.removeprefix(root)] = [text for text in texts if is_german(text)]
    return {path: texts for path, texts in german.items() if texts}


@pytest.mark.parametrize(("question", "root"), PROGRAMS.items())
def test_german_is_only_where_the_map_says(question: str, root: str) -> None:
    elsewhere = {
        path: texts
        for path, texts in in_program(root).items()
        if not any(lies_in(path, place) for place in places_of(question))
    }
    assert elsewhere == {}


@pytest.mark.parametrize(("question", "root"), PROGRAMS.items())
def test_each_place_that_the_map_names_has_german(question: str, root: str) -> None:
    paths = in_program(root)
    assert [place for place in places_of(question) if not any(lies_in(path, place) for path in paths)] == []


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('"""Das ist ein Docstring."""\nx = "Bitte warten."', ["Bitte warten."]),
        ('x = f"{day} wurde storniert"', [" wurde storniert"]),
        ('"""The Stempelwerk."""\nx: "Person" = {"from": "to"}', []),
        ('x = "Kommen"', ["Kommen"]),
    ],
)
def test_a_german_literal_is_recognised(source: str, texts: list[str]) -> None:
    assert [text for text in literals_of(source) if is_german(text)] == texts
