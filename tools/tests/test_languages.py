"""Each command speaks one language: German to workshop and operators, English to developers of the product."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import stempelwerk_tools.__main__ as tools
from stempelwerk_edge.__main__ import main as edge
from stempelwerk_edge.machine.instance import sole_instance

ENGLISH = {
    "the",
    "is",
    "are",
    "not",
    "must",
    "cannot",
    "usage",
    "options",
    "required",
    "show",
    "this",
    "exit",
    "missing",
}
ENGLISH |= {"and", "with", "of"}
GERMAN = {
    "der",
    "die",
    "das",
    "nicht",
    "ist",
    "und",
    "fehlt",
    "aufruf",
    "optionen",
    "zeigt",
    "eine",
    "keine",
    "mit",
    "gibt",
}
QUOTED = r"'[^']*'|„[^“]*“|`[^`]*`|\{[^}]*\}"
NAMES = r"(?<!\w)--?[\w-]+|\S*[/\\.]\S+|\b[A-Z_]{2,}\b|\b\w+(?:-\w+)+\b"
NO_ADDRESS = "keine-adresse"


def words(text: str) -> set[str]:
    """Returns the words of a text without options, paths, names of variables and quotations."""
    plain = re.sub(f"{QUOTED}|{NAMES}", " ", text)
    return set(re.findall(r"[a-zäöüß]+", plain.lower()))


def is_german(text: str) -> bool:
    return not words(text) & ENGLISH


def run(
    main: Callable[[list[str]], int], arguments: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """Returns the exit status and the output."""
    try:
        status = main(list(arguments))
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 1
    output = capsys.readouterr()
    return status, output.out + output.err


# ---- refusals of the tools

REFUSALS = [
    ["gibt-es-nicht"],
    ["provision"],
    ["provision", "{folder}", "--url", "https://zeit.example.de"],
    ["provision", "{folder}/uhr.toml", "--url", NO_ADDRESS],
    ["provision", "{folder}/uhr.toml", "--url", "https://zeit.example.de/app"],
    ["provision", "{folder}/uhr.toml", "--url", "http://zeit.holz.lan"],
    ["provision", "{folder}/uhr.toml", "--url", "https://zeit.example.de", "--proxy", "proxy:3128"],
    ["provision", "{folder}/file/uhr.toml", "--url", "https://zeit.example.de"],
    ["provision", "{folder}/uhr.toml", "--url", "https://zeit.example.de", "--profile", "gross"],
    ["tag"],
    ["tag", "04A1-nope!"],
    ["tag", "--gibt-es-nicht"],
    ["tag", "--reader", "{folder}/no-line"],
    ["scanner", "state", "--port", "{folder}/no-line"],
    ["scanner", "adopt", "--port", "{folder}/no-line"],
    ["flash"],
    ["flash", "rp2040", "--port", "/dev/null"],
    ["flash", "rp2040", "--serial", "klein", "--out", "{folder}"],
    ["flash", "rp2040", "--out", "{folder}/file"],
    ["flash", "rp2040", "--out", "{folder}", "--maker", "{folder}/file"],
    ["release"],
    ["release", "unsinn"],
    ["release", "--dir", "{folder}/file", "sign", "--channel", "beta"],
    ["release", "--dir", "{folder}/r", "init", "--cloud-key", "kurz"],
    ["release", "--dir", "{folder}/r", "sign", "--channel", "beta"],
    ["release", "--dir", "{folder}/r", "rotate", "--drop", "root-1"],
    ["release", "--dir", "{folder}/r", "promote", "1.0.0"],
    ["release", "--dir", "{folder}/r", "build", "--notes", "{folder}/none.txt"],
    ["release", "--dir", "{folder}/r", "publish"],
    ["release", "--dir", "{folder}/r", "publish", "--url", NO_ADDRESS],
    ["release", "--dir", "{folder}/r", "publish", "--url", "https://[::1"],
    ["release", "--dir", "{folder}/r", "publish", "--url", "https://zeit..example.de"],
    ["release", "--dir", "{folder}/r", "publish", "--without-tls=1"],
    ["release", "--dir", "{folder}/r", "publish", "--url", "http://zeit.holz.lan"],
    ["demo", "gibt-es-nicht"],
    ["demo", "--people", "3"],
    ["demo", "--p", "1"],
]


@pytest.mark.parametrize("arguments", REFUSALS, ids=" ".join)
def test_tools_for_workshop_and_operators_refuse_in_german(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no key", "utf-8")
    status, output = run(tools.main, [argument.format(folder=tmp_path) for argument in arguments], capsys)
    output = output.split("\n\n")[0].replace(str(tmp_path), "")
    assert status != 0
    assert output.strip()
    assert is_german(output), words(output) & ENGLISH


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[cloud]\nurl = 5",
        '[cloud]\nurl = "https://x/app"',
        "no toml",
        'data_dir = 3\n[cloud]\nurl = "https://x"',
        None,
    ],
)
@pytest.mark.parametrize("command", ["run", "check", "adopt", "is-set-up"])
def test_a_clock_refuses_its_configuration_in_german(
    command: str, text: str | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "clock.toml"
    if text is not None:
        path.write_text(text, "utf-8")
    status, output = run(edge, [command, "--config", str(path)], capsys)
    output = re.sub(r"TOML: .*", "TOML", output.replace(str(tmp_path), ""))  # the parser's own words follow
    assert status in (1, 2, 3)
    assert is_german(output), words(output) & ENGLISH


def test_a_second_program_on_a_clock_is_refused_in_german(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "clock.toml"
    path.write_text('data_dir = "data"\n[cloud]\nurl = "https://x"\n[reader]\nkind = "none"\n', "utf-8")
    with sole_instance(tmp_path / "data"):
        status, output = run(edge, ["run", "--config", str(path)], capsys)
    assert (status, is_german(output.replace(str(tmp_path), ""))) == (1, True)


@pytest.mark.parametrize("url", ["https://127.0.0.1:9", "http://127.0.0.1:9", "https://cloud.invalid", NO_ADDRESS])
def test_tools_for_developers_refuse_in_english(
    url: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FLEET_TOKEN", "x")
    status, output = run(tools.main, ["fleet", "--clocks", "1", "--people", "1", "--url", url], capsys)
    line = output.splitlines()[-1]
    assert (status, line.startswith(f"stempelwerk fleet: {url} cannot be used")) == (2, True), output
    assert not words(line) & GERMAN


# ---- help texts


def test_the_list_says_which_tool_is_whose() -> None:
    workshop, developers = tools.usage().split("For developers of the product:")
    for name, command in tools.COMMANDS.items():
        assert (f"  {name} " in workshop, f"  {name} " in developers) == (command.is_german, not command.is_german)
    assert is_german(workshop)


@pytest.mark.parametrize("name", tools.COMMANDS)
def test_each_tool_explains_itself_in_its_one_language(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, output = run(tools.main, [name, "--help"], capsys)
    assert status == 0
    assert not words(output) & (ENGLISH if tools.COMMANDS[name].is_german else GERMAN)


@pytest.mark.parametrize("command", ["run", "check", "rescue", "is-set-up", "adopt", "fill"])
def test_each_command_of_a_clock_explains_itself_in_german(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], [command, "--help"], [command, "--gibt-es-nicht"]):
        _, output = run(edge, arguments, capsys)
        assert is_german(output), words(output) & ENGLISH
