"""The configuration: an error in it is reported by name."""

import re
from pathlib import Path

import pytest
from stempelwerk_edge.configuration import Settings, in_words
from stempelwerk_edge.errors import SettingsError

DEPLOYED = Path(__file__).parents[1] / "deploy" / "stempelwerk-edge.toml"


def load(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "clock.toml"
    path.write_text(text, "utf-8")
    return Settings.load(path)


def test_the_example_that_is_delivered_can_be_read_and_names_only_settings(tmp_path: Path) -> None:
    settings = load(tmp_path, re.sub(r"^# (\[?\w+(\]| = ))", r"\1", DEPLOYED.read_text("utf-8"), flags=re.MULTILINE))
    assert settings.cloud.url == "https://zeit.example.de"
    assert settings.signals.buzzer is not None
    assert settings.satellites.paths == ("/dev/stempelwerk-scanner-*",)
    assert settings.unknown == ()
    assert (settings.reader.kind, settings.display.port, settings.device.profile) == ("pn532", 8090, "core")


def test_little_is_needed_and_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    settings = load(tmp_path, 'data_dir = "d"\n[cloud]\nurl = "http://127.0.0.1:8000/"\nca_file = "ca.pem"')
    assert settings.data_dir == tmp_path / "d"
    assert settings.cloud.url == "http://127.0.0.1:8000"
    assert settings.cloud.ca_file == tmp_path / "ca.pem"
    assert (settings.reader.kind, settings.display.host) == ("none", "127.0.0.1")
    assert settings.satellites.paths == ()
    assert settings.satellites.firmware is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "url"),
        ('[cloud]\nurl = "zeit.example.de"', "http"),
        ('[cloud]\nurl = "https://"', "http"),
        ('[cloud]\nurl = "https://x y"', "http"),
        ('[cloud]\nurl = "https://x:0"', "http"),
        ('[cloud]\nurl = "https://x:99999"', "http"),
        ('[cloud]\nurl = "https://[::1"', "http"),
        ('[cloud]\nurl = "https://x/?a=1"', "'https://x'"),
        ('[cloud]\nurl = "https://x?"', "'https://x'"),
        ('[cloud]\nurl = "https://x/#"', "'https://x'"),
        ('[cloud]\nurl = "https://x:8443/stempelwerk/"', "'https://x:8443'"),
        ('[cloud]\nurl = "https://x//"', "'https://x'"),
        ("[cloud]\nurl = 5", "url"),
        ('cloud = "x"', "cloud"),
        ('[cloud]\nurl = "http://x"\n[reader]\nkind = "magic"', "kind"),
        ('[cloud]\nurl = "http://x"\n[reader]\nkind = "pn532"', "path"),
        ('[cloud]\nurl = "http://x"\n[display]\nport = 70000', "port"),
        ('[cloud]\nurl = "http://x"\n[display]\nport = true', "port"),
        ('[cloud]\nurl = "http://x"\n[satellites]\npaths = "/dev/a"', "paths"),
        ('[cloud]\nurl = "http://x"\n[satellites]\npaths = [""]', "paths"),
        ('data_dir = "~no-such-user/data"\n[cloud]\nurl = "http://x"', "data_dir"),
        ('[cloud]\nurl = "http://x"\nca_file = "/ca\\u0000.pem"', "ca_file"),
        ("[cloud", "TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        load(tmp_path, text)


def test_a_password_in_the_address_is_refused_and_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"ohne Pfad, Abfrage oder Benutzer: 'https://x'") as refused:
        load(tmp_path, '[cloud]\nurl = "https://gerda:hidden@x"')
    assert "hidden" not in str(refused.value)


def test_a_file_of_an_editor_on_windows_is_read(tmp_path: Path) -> None:
    settings = load(tmp_path, '\ufeff[cloud]\r\nurl = "http://x"\r\n[display]\r\nport = 8099\r\n')
    assert (settings.cloud.url, settings.display.port, settings.unknown) == ("http://x", 8099, ())


@pytest.mark.parametrize("url", ["https://zeit.example.de", "https://zeit.example.de/", "HTTPS://zeit.example.de/"])
def test_the_address_is_the_one_that_is_signed(tmp_path: Path, url: str) -> None:
    assert load(tmp_path, f'[cloud]\nurl = "{url}"').cloud.url == "https://zeit.example.de"


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("[readr]\nkind = 'none'", "[readr] (perhaps [reader])"),
        ("[cloud.ca]\nfile = 'x'", "[cloud] ca"),
        (
            "[display]\nPort = 1\nhsot = '::1'",
            "[display] Port (perhaps [display] port), [display] hsot (perhaps [display] host)",
        ),
        ("[device]\ndata_dir = 'x'", "[device] data_dir (perhaps data_dir)"),
        ("[device]\npath = 'x'", "[device] path (perhaps [reader] path)"),
        ("[signals]\nreader = 'x'", "[signals] reader (perhaps [reader])"),
        ("[something]\nelse = 1", "[something]"),
    ],
)
def test_what_is_no_setting_is_named_with_what_is_most_like_it_and_stops_nothing(
    tmp_path: Path, text: str, unknown: str
) -> None:
    settings = load(tmp_path, f'data_dri = "x"\n[cloud]\nurl = "http://x"\n{text}')
    assert in_words(settings.unknown, "perhaps") == f"data_dri (perhaps data_dir), {unknown}"


def test_where_a_setting_is_missing_what_is_written_in_its_place_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError,
        match=r"url fehlt: .* Keine Einstellungen sind: \[cloud\] uri \(gemeint ist vielleicht \[cloud\] url\)\.$",
    ):
        load(tmp_path, '[cloud]\nuri = "http://x"')


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="lässt sich nicht lesen: gibt es nicht"):
        Settings.load(tmp_path / "missing.toml")
