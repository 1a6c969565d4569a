"""The configuration: what is wrong in it is said by name."""

from pathlib import Path

import pytest
from stempelwerk_edge.errors import SettingsError
from stempelwerk_edge.settings import Settings

DEPLOYED = Path(__file__).parents[1] / "deploy" / "stempelwerk-edge.toml"


def load(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "clock.toml"
    path.write_text(text, "utf-8")
    return Settings.load(path)


def test_the_example_that_is_delivered_can_be_read() -> None:
    settings = Settings.load(DEPLOYED)
    assert (settings.reader.kind, settings.display.port, settings.device.profile) == ("pn532", 8090, "core")


def test_little_is_needed_and_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    settings = load(tmp_path, 'data_dir = "d"\n[cloud]\nurl = "http://127.0.0.1:8000/"\nca_file = "ca.pem"')
    assert settings.data_dir == tmp_path / "d"
    assert settings.cloud.url == "http://127.0.0.1:8000"
    assert settings.cloud.ca_file == tmp_path / "ca.pem"
    assert (settings.reader.kind, settings.display.host) == ("none", "127.0.0.1")


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "url"),
        ('[cloud]\nurl = "zeit.example.de"', "http"),
        ('[cloud]\nurl = "https://x/?a=1"', "url"),
        ("[cloud]\nurl = 5", "url"),
        ('cloud = "x"', "cloud"),
        ('[cloud]\nurl = "http://x"\n[reader]\nkind = "magic"', "kind"),
        ('[cloud]\nurl = "http://x"\n[reader]\nkind = "pn532"', "path"),
        ('[cloud]\nurl = "http://x"\n[display]\nport = 70000', "port"),
        ('[cloud]\nurl = "http://x"\n[display]\nport = true', "port"),
        ("[cloud", "TOML"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        load(tmp_path, text)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        Settings.load(tmp_path / "missing.toml")
