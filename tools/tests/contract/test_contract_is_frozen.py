"""The released contract stays as it was; and this check can fail."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_tools import contract


@pytest.mark.parametrize("version", contract.versions(), ids=lambda version: version.name)
def test_no_schema_and_no_vector_of_a_released_version_was_changed_or_removed(version: Path) -> None:
    difference = contract.compare(version)

    assert difference.changed == ()
    assert difference.removed == ()


@pytest.mark.parametrize("version", contract.versions(), ids=lambda version: version.name)
def test_every_schema_and_every_vector_is_frozen(version: Path) -> None:
    assert contract.compare(version).added == ()


def test_version_1_is_released() -> None:
    digests = contract.read_frozen(contract.CONTRACT / "v1")

    assert "schemas/stamps-request.json" in digests
    assert {name.split("#")[0] for name in digests if name.startswith("vectors/")} >= {
        "vectors/tags.json",
        "vectors/signature_check.json",
        "vectors/canonical_form.json",
        "vectors/true_time.json",
        "vectors/lease.json",
        "vectors/batches.json",
        "vectors/delivery.json",
    }


def test_the_scanners_line_is_released_too() -> None:
    digests = contract.read_frozen(contract.CONTRACT / "scanner" / "v1")
    assert {"vectors/frames.json#hello", "vectors/frames.json#tap-seven"} <= set(digests)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    target = tmp_path / "v1"
    shutil.copytree(contract.CONTRACT / "v1", target)
    return target


def edit(path: Path, change: Callable[[Any], None]) -> None:
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document), encoding="utf-8")


FIRST = "vectors/tags.json#seven-bytes-plain"
CHANGES: dict[str, tuple[str, Callable[[Any], None], str]] = {
    "an expected outcome": ("vectors/tags.json", lambda d: d["cases"][0]["expected"].update(tag="04"), "changed"),
    "an input": ("vectors/tags.json", lambda d: d["cases"][0]["input"].update(text="04"), "changed"),
    "a member more in an input": ("vectors/tags.json", lambda d: d["cases"][0]["input"].update(x=None), "changed"),
    "a number in place of a text": (
        "vectors/back_off.json",
        lambda d: d["cases"][0]["input"].update(failures="0"),
        "changed",
    ),
    "a case taken out": ("vectors/tags.json", lambda d: d["cases"].pop(0), "removed"),
    "a case renamed": ("vectors/tags.json", lambda d: d["cases"][0].update(id="renamed"), "removed"),
    "a pattern in a schema": ("schemas/common.json", lambda d: d["$defs"]["uuid"].pop("pattern"), "changed"),
    "a required member more": ("schemas/stamps-request.json", lambda d: d["required"].append("lease"), "changed"),
}


@pytest.mark.parametrize("description", CHANGES)
def test_a_change_is_found_and_cannot_be_frozen(copy: Path, description: str) -> None:
    file, change, kind = CHANGES[description]
    edit(copy / file, change)
    frozen_before = (copy / contract.FROZEN).read_bytes()

    difference = contract.freeze(copy)

    assert difference.broken
    assert [name.split("#")[0] for name in getattr(difference, kind)] == [file]
    assert (copy / contract.FROZEN).read_bytes() == frozen_before


def test_a_file_taken_away_is_found(copy: Path) -> None:
    (copy / "vectors" / "tags.json").unlink()
    (copy / "schemas" / "problem.json").unlink()

    removed = contract.compare(copy).removed

    assert FIRST in removed
    assert "schemas/problem.json" in removed


def test_an_addition_must_be_listed_and_leaves_all_other_lines_alone(copy: Path) -> None:
    case = {"id": "new", "comment": "", "catches": "", "input": {"text": "a"}, "expected": {"refused": "length"}}
    edit(copy / "vectors" / "tags.json", lambda d: d["cases"].insert(0, case))
    digests_before = contract.read_frozen(copy)
    assert contract.compare(copy).added == ("vectors/tags.json#new",)

    contract.freeze(copy)

    digests_after = contract.read_frozen(copy)
    assert contract.compare(copy) == contract.Difference((), (), ())
    assert set(digests_after) - set(digests_before) == {"vectors/tags.json#new"}
    assert {name: digests_after[name] for name in digests_before} == digests_before


def test_comments_and_layout_may_change(copy: Path) -> None:
    edit(copy / "vectors" / "tags.json", lambda d: d["cases"][0].update(comment="Better said.", catches="More."))
    edit(copy / "vectors" / "tags.json", lambda d: d["cases"].reverse())

    assert contract.compare(copy) == contract.Difference((), (), ())


def test_one_name_for_two_cases_is_refused(copy: Path) -> None:
    edit(copy / "vectors" / "tags.json", lambda d: d["cases"].append(d["cases"][0]))

    with pytest.raises(contract.ContractUnreadable, match="twice"):
        contract.compare(copy)


def test_a_case_without_its_reason_is_refused(copy: Path) -> None:
    edit(copy / "vectors" / "tags.json", lambda d: d["cases"][0].pop("catches"))

    with pytest.raises(contract.ContractUnreadable, match="catches"):
        contract.compare(copy)


def test_the_command_says_what_is_wrong(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(contract, "CONTRACT", copy.parent)
    monkeypatch.setattr(contract, "versions", lambda: [copy])
    assert contract.main(["check"]) == 0
    edit(copy / "vectors" / "tags.json", lambda d: d["cases"][0]["expected"].update(tag="04"))

    assert contract.main(["freeze"]) == 1
    assert f"{FIRST} is released and was changed" in capsys.readouterr().out
