"""`stempelwerk provision` writes what the clock reads, and does not overwrite settings that were filled in."""

import errno
import os
import stat
from pathlib import Path

import pytest
from stempelwerk_edge.configuration import Settings
from stempelwerk_tools import provision
from stempelwerk_tools.provision import PLACE, SAMPLE, main

URL = "https://zeit.example.de"


def test_a_card_gets_what_its_clock_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / PLACE
    place.parent.mkdir(parents=True)
    place.write_text(SAMPLE.read_text("utf-8"), "utf-8")  # the package is on the card
    options = [
        "--serial",
        'SW-"C1\\000417',
        "--proxy",
        "http://proxy:3128",
        "--ca-file",
        "/etc/stempelwerk-edge/ca.pem",
    ]
    assert main([str(tmp_path), "--url", f"{URL}/", *options, "--profile", "go"]) == 0
    read = Settings.load(place)
    assert (read.cloud.url, read.cloud.proxy, read.unknown) == (URL, "http://proxy:3128", ())
    assert read.cloud.ca_file == Path("/etc/stempelwerk-edge/ca.pem")
    assert (read.device.serial, read.device.profile) == ('SW-"C1\\000417', "go")
    assert (read.reader.kind, read.reader.path) == ("pn532", "/dev/stempelwerk-reader")
    assert str(place) in capsys.readouterr().out


def test_omitted_settings_keep_the_packages_values(tmp_path: Path) -> None:
    place = tmp_path / "uhr.toml"
    assert main([str(place), "--url", URL]) == 0
    assert (Settings.load(place).device.serial, Settings.load(place).device.profile) == (None, "core")


def test_existing_settings_are_replaced_only_by_force(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "uhr.toml"
    assert main([str(place), "--url", URL, "--serial", "SW-1"]) == 0
    assert main([str(place), "--url", URL, "--serial", "SW-1"]) == 0
    assert main([str(place), "--url", URL, "--serial", "SW-2"]) == 1
    assert "--force" in capsys.readouterr().err
    assert Settings.load(place).device.serial == "SW-1"
    assert main([str(place), "--url", URL, "--serial", "SW-2", "--force"]) == 0
    assert Settings.load(place).device.serial == "SW-2"


@pytest.mark.parametrize("url", ["zeit.example.de", "https://zeit.example.de/app", ""])
def test_an_address_that_no_clock_takes_is_written_nowhere(
    tmp_path: Path, url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "uhr.toml"), "--url", url]) == 1
    assert "[cloud] url" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_no_card_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path), "--url", URL]) == 1
    assert "keine Karte" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_address_without_tls_is_written_only_when_told_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "uhr.toml"
    assert main([str(place), "--url", "http://zeit.holz.lan"]) == 1
    assert "Namen und Zeiten" in capsys.readouterr().err
    assert not place.exists()
    assert main([str(place), "--url", "http://zeit.holz.lan", "--without-tls"]) == 0
    assert Settings.load(place).cloud.url == "http://zeit.holz.lan"
    assert main([str(tmp_path / "own.toml"), "--url", "http://localhost:8000"]) == 0
    assert main([str(tmp_path / "broken.toml"), "--url", "http://[::1"]) == 1
    assert "ist keine Adresse" in capsys.readouterr().err


def test_a_proxys_password_is_readable_by_its_owner_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "uhr.toml"
    place.write_text(SAMPLE.read_text("utf-8"), "utf-8")
    place.chmod(0o644)
    assert main([str(place), "--url", URL, "--proxy", "http://gerda:hidden@proxy:3128"]) == 0
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    output = capsys.readouterr().out
    assert "sudo chown root:stempelwerk-edge /etc/stempelwerk-edge/stempelwerk-edge.toml" in output
    assert "hidden" not in output
    assert [path.name for path in tmp_path.iterdir()] == ["uhr.toml"]


def test_a_proxys_password_is_readable_by_the_program_on_a_card_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc" / "group").write_text("root:x:0:\nstempelwerk-edge:x:994:\n", "utf-8")
    owners: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: owners.append((user, group)))
    assert main([str(tmp_path), "--url", URL, "--proxy", "http://gerda:hidden@proxy:3128"]) == 0
    assert (stat.S_IMODE((tmp_path / PLACE).stat().st_mode), owners) == (0o640, [(0, 994)])


def test_a_full_card_keeps_no_half_of_a_file_with_a_password(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="full"):
        provision.write(tmp_path / "uhr.toml", "geheim", replacing=False, is_secret=True)
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_the_configuration_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.toml").touch()
    (tmp_path / "uhr.toml").symlink_to("real.toml")
    provision.write(tmp_path / "uhr.toml", "text", replacing=True, is_secret=False)
    assert (tmp_path / "uhr.toml").is_symlink()
    assert (tmp_path / "real.toml").read_text() == "text"


def test_a_file_without_a_password_is_readable_by_the_touchscreen(tmp_path: Path) -> None:
    place = tmp_path / "uhr.toml"
    assert main([str(place), "--url", URL, "--proxy", "http://proxy:3128"]) == 0
    assert stat.S_IMODE(place.stat().st_mode) == 0o644


def test_a_folder_that_takes_no_file_is_named_in_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert main([str(tmp_path / "file" / "uhr.toml"), "--url", URL]) == 1
    assert "file: gibt es schon" in capsys.readouterr().err


def test_a_profile_that_no_hardware_has_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        main([str(tmp_path / "uhr.toml"), "--url", URL, "--profile", "gross"])
    assert refused.value.code == 2
    assert "'gross' gibt es nicht. Möglich sind: 'core', 'go'" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
