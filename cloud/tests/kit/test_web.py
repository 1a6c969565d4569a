"""The web app beside the API: pages, assets, and what never becomes a page."""

import gzip
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.settings import Settings


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database plays no part here."""
    return sqlite_url


@pytest.fixture
def web(settings: Settings, client: TestClient) -> TestClient:
    folder = settings.web_dir
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Stempelwerk</title>")
    (folder / "sw.js").write_text("// worker")
    (folder / "manifest.webmanifest").write_text("{}")
    (folder / "assets" / "app-1a2b.js").write_text("console.log('ä');" * 200)
    (folder.parent / "secret.txt").write_text("secret")
    return client


@pytest.mark.parametrize("path", ["/", "/dashboard", "/company-dashboard/x", "/apix", "/v1.2/x"])
def test_any_path_is_the_page_and_asked_for_again(web: TestClient, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 200
    assert "<title>Stempelwerk" in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_asset_may_be_kept_for_ever(web: TestClient) -> None:
    answer = web.get("/assets/app-1a2b.js")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize("path", ["/sw.js", "/manifest.webmanifest"])
def test_worker_and_manifest_are_asked_for_again(web: TestClient, path: str) -> None:
    assert web.get(path).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/assets/app-old.js", "/assets/", "/favicon.ico", "/api", "/api/", "/api/nothing", "/api/x.js", "/api/health/"],
)
def test_what_is_missing_is_never_the_page(web: TestClient, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", ["/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "/assets/%00"])
def test_nothing_outside_of_the_folder_is_served(web: TestClient, path: str) -> None:
    assert "secret" not in web.get(path).text


def test_a_path_that_can_be_no_file_is_the_page_or_missing(web: TestClient) -> None:
    assert web.get(f"/{'a' * 300}").text.startswith("<!doctype html>")
    assert web.get(f"/assets/{'a' * 300}").status_code == 404
    assert web.get(f"/{'a/' * 3000}").status_code in {200, 404}
    assert web.post(f"/{'a' * 300}").status_code == 404


def test_a_link_out_of_the_folder_is_not_followed(web: TestClient, settings: Settings) -> None:
    (settings.web_dir / "assets" / "leak.txt").symlink_to(settings.web_dir.parent / "secret.txt")
    assert web.get("/assets/leak.txt").status_code == 404


def test_text_is_squeezed_for_those_who_take_it(web: TestClient) -> None:
    squeezed = web.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"
    plain = web.get("/assets/app-1a2b.js", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert squeezed.text == plain.text
    assert int(squeezed.headers["content-length"]) < len(gzip.decompress(gzip.compress(plain.content)))


def test_a_page_that_did_not_change_is_not_sent_again(web: TestClient, settings: Settings) -> None:
    tag = web.get("/").headers["etag"]
    assert web.get("/", headers={"If-None-Match": tag}).status_code == 304
    (settings.web_dir / "index.html").write_text("new")
    assert web.get("/", headers={"If-None-Match": tag}).text == "new"


def test_head_has_no_body_and_other_methods_no_place(web: TestClient) -> None:
    assert web.head("/").content == b""
    assert web.post("/").status_code == 404
    assert web.post("/index.html").status_code == 405


def test_without_a_build_there_is_no_page(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/").status_code == 404
