"""The command refuses what it cannot make before it makes anything."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from stempelwerk_tools.packages import command, debian
from stempelwerk_tools.release import repository
from stempelwerk_tools.release.keys import Keys


def test_an_unknown_name_is_refused_with_those_that_there_are(capsys):
    with pytest.raises(SystemExit) as refused:
        command.main(["clock", "clok"])
    assert refused.value.code == 2
    assert "there is no clok; there are cloud, clock, image" in capsys.readouterr().err


def test_an_image_for_another_kind_of_machine_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(command, "_own_architecture", lambda: "amd64")
    with pytest.raises(SystemExit) as refused:
        command.main(["--arch", "arm64", "image"])
    assert refused.value.code == 2
    assert "on such a machine alone" in capsys.readouterr().err


@pytest.fixture
def made_packages(monkeypatch, tmp_path):
    """Returns the list of packages made, with the clock's root expected at `tmp_path`; nothing is built."""
    packages: list[str] = []
    for name in ("cloud", "clock"):
        monkeypatch.setitem(command.MAKES, name, lambda *_how, name=name: packages.append(name) or [])
    monkeypatch.setattr(debian, "TRUST", tmp_path / "root.json")
    monkeypatch.setattr(debian, "ROOT", tmp_path)
    return packages


def root(tmp_path, days=365):
    """Returns the bytes of a ceremony's root that expires in `days` days."""
    clock_time = datetime.now(UTC) - repository.ROOT_LIVES + timedelta(days=days)
    keys = Keys([tmp_path / "keys"], lambda _name: "sechs kurze Wörter")
    (tmp_path / "keys").mkdir()
    repository.Repository(tmp_path, keys, lambda: clock_time).begin(
        Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    )
    return (tmp_path / "metadata" / "1.root.json").read_bytes()


def test_without_a_root_of_trust_the_clocks_package_is_refused_with_the_remedy(made_packages, capsys):
    assert command.main(["cloud", "clock"]) == 1
    output = capsys.readouterr().out
    assert "root.json is missing" in output
    assert "docs/key-ceremony.md" in output
    assert made_packages == []
    assert command.main(["cloud"]) == 0
    assert command.main(["clock", "--without-root"]) == 0
    assert made_packages == ["cloud", "clock"]


def test_an_unsigned_root_is_refused(made_packages, tmp_path, capsys):
    content = json.loads(root(tmp_path))
    content["signed"]["version"] = 2
    (tmp_path / "root.json").write_text(json.dumps(content))
    assert command.main(["clock"]) == 1
    assert "no root that can be trusted" in capsys.readouterr().out
    assert made_packages == []


@pytest.mark.parametrize("days", [365, -365])
def test_an_expired_root_of_the_ceremony_still_makes_the_package(made_packages, tmp_path, days):
    (tmp_path / "root.json").write_bytes(root(tmp_path, days))
    assert command.main(["clock"]) == 0
    assert made_packages == ["clock"]


def test_a_step_that_fails_ends_the_command_with_its_words(monkeypatch, tmp_path, capsys):
    def fails(*_how: object) -> list[object]:
        raise command.NotBuilt("The pages are not built: run 'make build' first.")

    monkeypatch.setitem(command.MAKES, "clock", fails)
    assert command.main(["clock", "--without-root", "--out", str(tmp_path)]) == 1
    assert "run 'make build' first" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
