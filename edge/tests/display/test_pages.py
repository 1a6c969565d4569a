"""The page's files: the right types and lifetimes, nothing outside the folder."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_edge.display import pages
from stempelwerk_edge.display.pages import CONTENT_TYPES, Pages
from stempelwerk_edge.display.server import Display
from stempelwerk_edge.display.state import ScreenState


@pytest.fixture
def build(tmp_path: Path) -> Path:
    folder = tmp_path / "kiosk"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>Uhr", "utf-8")
    for suffix in CONTENT_TYPES:
        (folder / "assets" / f"file{suffix}").write_bytes(b"x")
    (folder / "secret.key").write_text("no type, no page")
    (tmp_path / "outside.txt").write_text("outside")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    return folder


def get(screen: ScreenState, finger: Any, folder: Path | None, path: str) -> httpx.Response:
    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(Display(screen, finger, Pages(folder)).app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8090") as client:
            return await client.get(path)

    return asyncio.run(go())


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt",
        "/..%2foutside.txt",
        "/%2e%2e/outside.txt",
        "/assets/../../outside.txt",
        "//etc/passwd",
        "/%00",
        "/link.txt",
        "/secret.key",
        "/assets",
        "/assets/",
        "/assets/missing.js",
    ],
)
def test_nothing_but_the_builds_own_files_is_served(screen: ScreenState, finger: Any, build: Path, path: str) -> None:
    response = get(screen, finger, build, path)
    assert response.status_code == 404
    assert "outside" not in response.text
    assert "root:" not in response.text


def test_the_page_is_asked_for_again_and_its_assets_are_kept(screen: ScreenState, finger: Any, build: Path) -> None:
    page = get(screen, finger, build, "/")
    assert (page.status_code, page.text, page.headers["cache-control"]) == (200, "<!doctype html>Uhr", "no-cache")
    script = get(screen, finger, build, "/assets/file.js")
    assert "immutable" in script.headers["cache-control"]


@pytest.mark.parametrize(("suffix", "content_type"), CONTENT_TYPES.items())
def test_every_kind_of_file_has_its_type(
    screen: ScreenState, finger: Any, build: Path, suffix: str, content_type: str
) -> None:
    assert get(screen, finger, build, f"/assets/file{suffix}").headers["content-type"] == content_type


@pytest.mark.parametrize("folder", [None, Path("/nowhere/at/all")])
def test_without_a_build_the_clock_says_so(screen: ScreenState, finger: Any, folder: Path | None) -> None:
    response = get(screen, finger, folder, "/")
    assert response.status_code == 200
    assert "Gestempelt wird trotzdem" in response.text


def test_the_page_that_the_version_brings_is_shown_whatever_the_settings_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured = tmp_path / "package"
    monkeypatch.setattr(pages, "OWN", tmp_path / "slot")
    assert pages.page_folder(configured) == configured
    assert pages.page_folder(None) is None
    (tmp_path / "slot").mkdir()
    (tmp_path / "slot" / "index.html").write_text("new")
    assert pages.page_folder(configured) == pages.page_folder(None) == tmp_path / "slot"
