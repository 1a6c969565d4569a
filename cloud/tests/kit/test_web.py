"""The web app next to the API: pages, assets, and paths that never become a page."""

import gzip
import json
import re
import xml.etree.ElementTree as ET
from base64 import b64encode
from datetime import UTC, datetime
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.http import web as http_web
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.settable_clock import SettableClock

HOSTILE = "Böse & \"Söhne\" </script><script>alert('1')</script> ⟦origin⟧"
PAGE = (
    "<!doctype html><title>{title}</title><a href=\"⟦operator.phoneUri.text⟧\" title='⟦operator.name.text⟧'>x</a>"
    '<i data-sample="⟦operator.name.sample⟧">⟦operator.street.text⟧</i><b>⟦inquiries⟧ ⟦nobody.knows⟧ ⟦operator⟧</b>'
    '<link rel="canonical" href="⟦origin⟧/x"><script type="application/ld+json">⟦organization⟧</script>'
    '<script id="site" type="application/json">⟦site⟧</script>'
)


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """The database does not matter here."""
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


@pytest.fixture
def public(web: TestClient, settings: Settings) -> TestClient:
    """A client of the pages that were built to be read without the app."""
    folder = settings.web_dir
    (folder / "index.html").write_text("<!doctype html><title>Stempelwerk</title>⟦origin⟧")
    (folder / "pages").mkdir()
    for name in ("index", "produkte", "ueber-uns"):
        (folder / "pages" / f"{name}.html").write_text(PAGE.format(title=name))
    (folder / "pages" / "note.txt").write_text("secret")
    (folder / "sitemap.xml").write_text('<?xml version="1.0"?><urlset><url><loc>⟦origin⟧/a</loc></url></urlset>')
    (folder / "robots.txt").write_text("Sitemap: ⟦origin⟧/sitemap.xml")
    for part in ("cards", "shots"):
        (folder / part).mkdir()
        for ending in ("webp", "avif", "png"):
            (folder / part / f"a.{ending}").write_bytes("⟦origin⟧".encode())
    return web


def _inside(page: str, attribute: str) -> Any:
    match = re.search(rf"<script [^>]*{attribute}[^>]*>(.*?)</script>", page, re.DOTALL)
    assert match is not None
    return json.loads(match[1])


def _set(platform: Platform, **values: Any) -> None:
    platform.settings = Settings(**platform.settings.model_dump() | values)


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
def test_a_missing_asset_is_never_the_page(web: TestClient, path: str) -> None:
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
    refused = web.post("/index.html")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")


def test_without_a_build_there_is_no_page(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/pages/index.html",
        "/pages/note.txt",
        "//pages/note.txt",
        "/pages/./note.txt",
        "/x/../pages/note.txt",
        "/%70ages/note.txt",
        "/pages%2Fnote.txt",
    ],
)
def test_a_page_is_not_served_by_its_file_name(public: TestClient, path: str) -> None:
    answer = public.get(path)
    assert "secret" not in answer.text
    if path.endswith(".html"):
        assert "<title>Stempelwerk" in answer.text  # the app's shell, as for any path
    else:
        assert answer.status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/pages",
        "/pages/produkte",
        "/index",
        "/Produkte",
        "/a/produkte",
        "/..%2Fprodukte",
        "/%2e%2e/produkte",
        "/produkte//",
    ],
)
def test_any_other_path_is_the_shell_and_is_not_filled(public: TestClient, path: str) -> None:
    answer = public.get(path)
    assert answer.status_code == 200
    assert answer.text == "<!doctype html><title>Stempelwerk</title>⟦origin⟧"


def test_a_page_that_links_out_of_the_pages_is_not_followed(public: TestClient, settings: Settings) -> None:
    (settings.web_dir / "pages" / "leak.html").symlink_to(settings.web_dir.parent / "secret.txt")
    assert "secret" not in public.get("/leak").text


@pytest.mark.parametrize("host", ['"><script>alert(1)</script>', "a'b", "⟦site⟧", "x\ty"])
def test_a_hostile_host_stands_on_no_page(public: TestClient, host: str) -> None:
    for path in ("/", "/sitemap.xml", "/robots.txt"):
        answer = public.get(path, headers=[("host", host.encode())])
        assert "http://localhost" in answer.text
        assert "alert(1)" not in answer.text
        assert "a&#x27;b" not in answer.text


def test_the_operators_values_are_text_in_every_place(public: TestClient, platform: Platform) -> None:
    _set(platform, imprint_name=HOSTILE, imprint_street="Weg\u00a07 <b>", imprint_phone="+49 30 1234567")
    page = public.get("/produkte").text
    assert page.count("<script") == page.count("</script>") == 2
    title = re.search(r"title='([^']*)'", page)
    assert title is not None
    assert unescape(title[1]) == HOSTILE
    assert "&quot;Söhne&quot;" in page
    assert "<b>alert" not in page
    assert 'data-sample="false">Weg\u00a07 &lt;b&gt;</i>' in page
    assert 'href="tel:+49301234567"' in page
    assert _inside(page, "site") == public.get("/api/site").json()
    assert _inside(page, "ld\\+json")["name"] == HOSTILE


def test_unknown_tokens_stay_and_the_known_are_filled(public: TestClient) -> None:
    page = public.get("/produkte").text
    assert "<b>false ⟦nobody.knows⟧ ⟦operator⟧</b>" in page
    assert 'data-sample="true">Musterstraße 1</i>' in page
    assert 'href="http://testserver/x"' in page
    assert page.count("⟦") == 2


def test_the_organization_leaves_out_what_is_a_sample(public: TestClient, platform: Platform) -> None:
    organization = _inside(public.get("/").text, "ld\\+json")
    assert organization == {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": "Stempelwerk (in Gründung)",
        "url": "http://testserver/",
    }
    _set(
        platform,
        public_url="https://zeit.holz.example/",
        imprint_name="Holz GmbH",
        imprint_street="Weg 7",
        imprint_city="10115 Berlin",
        imprint_email="hallo@holz.example",
        imprint_phone="030 1234567",
    )
    assert _inside(public.get("/").text, "ld\\+json") == {
        "@context": "https://schema.org",
        "@type": "Organization",
        "name": "Holz GmbH",
        "url": "https://zeit.holz.example/",
        "email": "hallo@holz.example",
        "telephone": "+49301234567",
        "address": {
            "@type": "PostalAddress",
            "streetAddress": "Weg 7",
            "postalCode": "10115",
            "addressLocality": "Berlin",
            "addressCountry": "Deutschland",
        },
    }


def test_a_document_of_json_closes_no_script_and_ends_no_line() -> None:
    site_filling = http_web.make_filling({}, site={"a": "</script><!-- & \u2028\u2029"})
    text = http_web.filled("⟦site⟧", site_filling)
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == {"a": "</script><!-- & \u2028\u2029"}


@pytest.mark.parametrize(("path", "title"), [("/", "index"), ("/produkte", "produkte"), ("/ueber-uns/", "ueber-uns")])
def test_a_page_that_was_built_is_served_by_its_name(public: TestClient, path: str, title: str) -> None:
    answer = public.get(path)
    assert f"<title>{title}</title>" in answer.text
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"


def test_the_shell_is_itself_wherever_there_are_no_pages(
    web: TestClient, public: TestClient, settings: Settings
) -> None:
    assert public.get("/index.html").text.endswith("⟦origin⟧")
    (settings.web_dir / "pages" / "index.html").unlink()
    assert public.get("/").text.endswith("⟦origin⟧")


def test_site_map_and_robots_name_the_installation(public: TestClient, platform: Platform) -> None:
    platform.settings = platform.settings.model_copy(update={"public_url": "https://zeit.example/?a=1&b='2'"})
    sitemap = public.get("/sitemap.xml")
    assert sitemap.headers["content-type"].startswith("application/xml")
    assert ET.fromstring(sitemap.text).findtext("url/loc") == "https://zeit.example/?a=1&b='2'/a"
    robots = public.get("/robots.txt", headers={"Accept-Encoding": "identity"})
    assert robots.headers["content-type"] == "text/plain; charset=utf-8"
    assert robots.text == "Sitemap: https://zeit.example/?a=1&amp;b=&#x27;2&#x27;/sitemap.xml"


@pytest.mark.parametrize("part", ["cards", "shots"])
@pytest.mark.parametrize(("ending", "kind"), [("webp", "image/webp"), ("avif", "image/avif"), ("png", "image/png")])
def test_pictures_are_themselves_and_asked_for_again(public: TestClient, part: str, ending: str, kind: str) -> None:
    answer = public.get(f"/{part}/a.{ending}")
    assert answer.headers["content-type"] == kind
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text == "⟦origin⟧"


def test_the_tag_of_a_page_follows_what_it_says(public: TestClient, platform: Platform, clock: SettableClock) -> None:
    first = public.get("/").headers["etag"]
    assert public.get("/", headers={"If-None-Match": first}).status_code == 304
    assert public.get("/", headers={"Host": "other.example"}).headers["etag"] != first
    _set(platform, imprint_name="Holz GmbH")
    second = public.get("/", headers={"If-None-Match": first})
    assert second.status_code == 200
    assert second.headers["etag"] != first
    clock.set(datetime(2026, 11, 21, 8, 0, tzinfo=UTC))
    assert public.get("/", headers={"If-None-Match": second.headers["etag"]}).status_code == 200
    assert public.get("/index.html").headers["etag"] == public.get("/dashboard").headers["etag"]


def test_a_page_is_squeezed_and_asked_for_by_head(public: TestClient, settings: Settings) -> None:
    (settings.web_dir / "pages" / "index.html").write_text("⟦operator.street.text⟧ " * 200)
    squeezed = public.get("/", headers={"Accept-Encoding": "gzip"})
    assert squeezed.headers["content-encoding"] == "gzip"
    assert squeezed.text == "Musterstraße 1 " * 200
    head_answer = public.head("/", headers={"Accept-Encoding": "gzip"})
    assert head_answer.content == b""
    assert head_answer.headers["content-length"] == squeezed.headers["content-length"]
    assert public.post("/produkte").status_code == 405


def test_a_script_that_stands_in_a_page_may_run_by_its_hash_and_none_that_was_filled_in(
    public: TestClient, platform: Platform, settings: Settings
) -> None:
    script = "document.documentElement.dataset.own = ''"
    page = f"<!doctype html><script>{script}</script><p>⟦operator.name.text⟧</p>"
    (settings.web_dir / "pages" / "produkte.html").write_text(page)
    _set(platform, imprint_name="<script>alert(1)</script>")
    policy = public.get("/produkte").headers["content-security-policy"]
    digest = b64encode(sha256(script.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert policy.count("sha256-") == 1
    assert "default-src 'self';" in policy
    assert "frame-ancestors 'none'" in policy


def test_a_page_without_a_script_of_its_own_runs_the_apps_alone(public: TestClient) -> None:
    for path in ("/", "/dashboard", "/sw.js", "/api/health"):
        assert "script-src 'self';" in public.get(path).headers["content-security-policy"]
