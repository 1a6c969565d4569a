"""The installation's configuration: invalid values are refused where they are read, and valid ones are unchanged."""

import pytest
from pydantic import ValidationError
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.configuration import Settings

ORIGIN_WANTED = (
    "STEMPELWERK_PUBLIC_URL: An address like https://zeit.example.de is expected: http or https, a host, no path.\n"
)


@pytest.mark.parametrize(
    "url",
    [
        "zeit.example.de",
        "zeit.example.de:8000",
        "//zeit.example.de",
        "ftp://zeit.example.de",
        "https://",
        "https:///",
        "https://:443",
        "https://zeit.example.de//",
        "https://zeit.example.de/zeit",
        "https://zeit.example.de/?a=1",
        "https://zeit.example.de?a=1",
        "https://zeit.example.de#oben",
        "https://anna@zeit.example.de",
        "https://anna:geheim@zeit.example.de",
        "https://zeit.example .de",
        "https://zeit.example.de /",
        "https://zeit\u00a0.example.de",
        "https://zeit\x00.example.de",
        "https://zeit.example.de:",
        "https://zeit.example.de:0",
        "https://zeit.example.de:65536",
        "https://zeit.example.de:https",
        "https://[::1",
        "https://[zeit]",
        "https://[1:2]",
        '"https://zeit.example.de"',
        "https://<zeit>",
        "https://zeit%20.de",
        "https://zeit&'.de",
    ],
)
def test_an_invalid_address_of_a_service_is_refused_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], url: str
) -> None:
    if "\0" in url:  # impossible in an environment
        with pytest.raises(ValidationError):
            Settings(public_url=url)
        return
    monkeypatch.setenv("STEMPELWERK_PUBLIC_URL", url)
    assert main(["migrate"]) == 1
    assert capsys.readouterr().err == ORIGIN_WANTED


@pytest.mark.parametrize("url", ["", " ", "\t\n"])
def test_a_blank_public_address_is_none(url: str) -> None:
    assert Settings(public_url=url).public_url is None


@pytest.mark.parametrize(
    "url",
    [
        "https://zeit.example.de",
        "http://localhost:8000",
        "http://192.168.1.5:8000",
        "https://[2001:db8::1]:8443",
        "HTTPS://Zeit.Example.DE:443",
        "https://zeit.müller.example",
        "https://a_b",
    ],
)
def test_the_public_address_stays_as_it_was_written_but_for_the_slash_at_its_end(url: str) -> None:
    assert Settings(public_url=url).public_url == url
    assert Settings(public_url=f" {url}/\n").public_url == url
