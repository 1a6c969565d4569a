"""The scanner's golden vectors match their page, and are not edited by hand."""

import json
from pathlib import Path

import pytest

from tools.tests.contract.scanner_vectors import NAMES, VECTORS, documents

FILES = sorted(VECTORS.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_file_of_vectors_is_what_the_page_makes_of_its_inputs(path: Path) -> None:
    assert json.loads(path.read_text("utf-8")) == documents()[path.stem]


def test_every_topic_has_its_file_and_its_description() -> None:
    described = (VECTORS / "README.md").read_text("utf-8")

    assert {path.stem for path in FILES} == set(documents())
    assert all(f"## {topic}\n" in described for topic in documents())


def test_every_frame_is_shown_and_the_longest_fits() -> None:
    frames = documents()["frames"]["cases"]

    assert {case["input"]["type"] for case in frames} == set(NAMES)
    assert max(len(case["expected"]["body"]) for case in frames) == 400
    assert all("00" not in _bytes(case["expected"]["wire"][2:-2]) for case in frames)


def _bytes(digits: str) -> list[str]:
    return [digits[index : index + 2] for index in range(0, len(digits), 2)]
