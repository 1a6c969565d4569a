"""A program that takes serial readers to itself is named where the reader is missing."""

from pathlib import Path

import pytest
from stempelwerk_edge.check import check_reader
from stempelwerk_edge.configuration import Settings
from stempelwerk_edge.probe import Cloud
from stempelwerk_edge.readers import rivals


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Processes and units of a machine: a shell and nothing else."""
    (tmp_path / "proc/77").mkdir(parents=True)
    (tmp_path / "proc/77/comm").write_text("bash\n")
    (tmp_path / "units").mkdir()
    (tmp_path / "units/invocation:ssh.service").symlink_to("0f" * 16)
    monkeypatch.setattr(rivals, "PROC", tmp_path / "proc")
    monkeypatch.setattr(rivals, "UNITS", tmp_path / "units")
    return tmp_path


def sentence_about_the_reader(folder: Path) -> str:
    (folder / "clock.toml").write_text(
        'data_dir = "data"\n[cloud]\nurl = "http://127.0.0.1:9"\n[reader]\nkind = "pn532"\npath = "/dev/no-such-line"\n'
    )
    [finding] = check_reader(Settings.load(folder / "clock.toml"), Cloud())
    assert not finding.well
    return finding.sentence


def test_no_program_is_suspected_where_none_runs(machine: Path) -> None:
    assert sentence_about_the_reader(machine) == "An /dev/no-such-line ist kein Leser. Kabel und [reader] path prüfen."


def test_a_process_that_takes_readers_is_named_with_the_way_out(machine: Path) -> None:
    (machine / "proc/78").mkdir()
    (machine / "proc/78/comm").write_text("brltty\n")
    assert sentence_about_the_reader(machine).endswith(
        " Hier läuft brltty, das serielle Leitungen für Braillezeilen hält und sich nimmt: "
        "sudo systemctl disable --now brltty.service"
    )


def test_a_unit_that_runs_is_named_although_its_process_is_hidden(machine: Path) -> None:
    (machine / "units/invocation:ModemManager.service").symlink_to("1f" * 16)
    assert "Hier läuft ModemManager, das" in sentence_about_the_reader(machine)
