"""The wheel of the clock's program brings the touchscreen's page, and is not made without it."""

import shutil
import tomllib
import zipfile

import pytest
from stempelwerk_tools.packages import program
from stempelwerk_tools.packages.program import EDGE, ROOT, NotBuilt, wheel_of

PAGE = "web/dist/kiosk"


@pytest.fixture
def source(tmp_path, monkeypatch):
    """Returns a source tree with the wheel's sources, and no built page."""
    shutil.copytree(ROOT / EDGE.folder, tmp_path / EDGE.folder, ignore=shutil.ignore_patterns("tests", "deploy"))
    monkeypatch.setattr(program, "ROOT", tmp_path)
    return tmp_path


def test_without_the_page_no_wheel_of_the_clock_is_made(source):
    with pytest.raises(NotBuilt, match="make build"):
        wheel_of(EDGE, source)


def test_the_page_lies_beside_the_program(source):
    (source / PAGE / "assets").mkdir(parents=True)
    for name in ("index.html", "assets/x.js"):
        (source / PAGE / name).write_text(name)
    with zipfile.ZipFile(wheel_of(EDGE, source)) as wheel:
        assert wheel.read("stempelwerk_edge/kiosk/index.html") == b"index.html"
        assert wheel.read("stempelwerk_edge/kiosk/assets/x.js") == b"assets/x.js"
        assert "stempelwerk_edge/agent.py" in wheel.namelist()
        assert b"stempelwerk_edge/kiosk/index.html," in wheel.read(
            next(name for name in wheel.namelist() if name.endswith("RECORD"))
        )


def test_a_program_of_before_finds_the_packages_page_where_its_settings_say():
    deploy = ROOT / EDGE.folder / "deploy"
    settings = tomllib.loads((deploy / "stempelwerk-edge.toml").read_text("utf-8"))
    laid = [line.split() for line in (deploy / "debian" / "stempelwerk-edge.install").read_text("utf-8").splitlines()]
    [(page, folder)] = [line for line in laid if line[0].endswith("/kiosk")]
    assert f"/{folder}/kiosk" == settings["display"]["assets"]
    assert page.endswith("site-packages/stempelwerk_edge/kiosk")
