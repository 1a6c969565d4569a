"""The documents and the programs agree on commands, options and settings, and the documents are complete."""

import contextlib
import dataclasses
import io
import json
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from stempelwerk_cloud.__main__ import main as cloud
from stempelwerk_cloud.configuration import PREFIX
from stempelwerk_cloud.configuration import Settings as CloudSettings
from stempelwerk_edge.__main__ import main as edge
from stempelwerk_edge.configuration import Settings as EdgeSettings
from stempelwerk_tools.__main__ import COMMANDS
from stempelwerk_tools.__main__ import main as tools

ROOT = Path(__file__).resolve().parents[3]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SAMPLES = [path for path in sorted((ROOT / "cloud/deploy").rglob("*")) if path.is_file()]
OPERATIONS = ROOT / "docs/operations.md"
PAGES = {"stempelwerk-cloud": OPERATIONS, "stempelwerk-edge": ROOT / "docs/clock.md"}
TOOLS = ROOT / "docs/guides/tools.md"
# not a setting of the service: the package's scripts read it at an update
OF_THE_PACKAGE = "STEMPELWERK_WITHOUT_BACKUP"

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
_CALL = re.compile(r"(?:^|`|/bin/)(stempelwerk(?:-cloud|-edge)?) ([a-z][a-z-]*)([^`\n|#;]*)", re.MULTILINE)
_SETTING = re.compile(rf"{PREFIX}[A-Z_]+")

Options = dict[str, set[str]]


def _help(main: Callable[[list[str]], object], *arguments: str) -> str:
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.suppress(SystemExit):
        main([*arguments, "--help"])
    return output.getvalue()


def _options(main: Callable[[list[str]], object], names: Sequence[str]) -> Options:
    """Returns the options in each command's help."""
    return {name: set(_OPTION.findall(_help(main, name))) - {"--help"} for name in names}


def _command_names(main: Callable[[list[str]], object]) -> list[str]:
    return re.findall(r"^    ([a-z][a-z-]+)(?: |$)", _help(main), re.MULTILINE)


@pytest.fixture(scope="module")
def programs() -> dict[str, Options]:
    """Returns the options by program and command."""
    return {
        "stempelwerk-cloud": _options(cloud, _command_names(cloud)),
        "stempelwerk-edge": _options(edge, _command_names(edge)),
        "stempelwerk": _options(tools, list(COMMANDS)),
    }


def _calls(document: Path) -> list[tuple[str, str, set[str]]]:
    """Returns the calls in a document: program, command, options."""
    text = document.read_text("utf-8")
    return [(program, name, set(_OPTION.findall(arguments))) for program, name, arguments in _CALL.findall(text)]


def test_the_programs_have_commands(programs: dict[str, Options]) -> None:
    assert {"serve", "migrate", "backup"} <= programs["stempelwerk-cloud"].keys()
    assert "--port" in programs["stempelwerk-cloud"]["serve"]
    assert programs["stempelwerk-edge"].keys() == {"run", "check", "rescue", "adopt", "fill", "is-set-up"}
    assert "--seeds" in programs["stempelwerk"]["simulate"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_call_in_a_document_is_one_that_the_program_takes(document: Path, programs: dict[str, Options]) -> None:
    wrong = [
        f"{program} {name} {' '.join(sorted(options))}"
        for program, name, options in _calls(document)
        if name not in programs[program] or not options <= programs[program][name]
    ]
    assert not wrong


def test_every_option_in_a_documents_text_exists(programs: dict[str, Options]) -> None:
    """As `--workers N` in the running text."""
    all_options = {"--help"} | {
        option for commands in programs.values() for options in commands.values() for option in options
    }
    alone = {
        option
        for document in (*PAGES.values(), TOOLS, ROOT / "README.md")
        for option in re.findall(r"`(--[a-z][a-z-]*)", document.read_text("utf-8"))
    }
    assert alone
    assert alone <= all_options


def test_the_table_of_the_services_commands_is_the_programs_own(programs: dict[str, Options]) -> None:
    assert _table(OPERATIONS).keys() == programs["stempelwerk-cloud"].keys()


def test_the_table_of_tools_is_the_programs_own(programs: dict[str, Options]) -> None:
    assert _table(TOOLS) == programs["stempelwerk"]


@pytest.mark.parametrize("program", PAGES)
def test_every_command_and_option_stands_on_its_page(program: str, programs: dict[str, Options]) -> None:
    text = PAGES[program].read_text("utf-8")
    for name, options in programs[program].items():
        assert re.search(rf"(?:{program} |`){name}\b", text, re.MULTILINE), name
        unsaid = {option for option in options if not re.search(rf"{option}(?![\w-])", text)}
        assert not unsaid, (name, unsaid)


def _table(document: Path) -> Options:
    """Returns the options in each row of a document's table of commands."""
    text = document.read_text("utf-8")
    table = text[text.index("| command | does |") :].split("\n\n")[0]
    rows = re.findall(r"^\| `(?:stempelwerk )?([a-z-]+)[^\n]*$", table, re.MULTILINE)
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    return {name: set(_OPTION.findall(line)) for name, line in zip(rows, lines, strict=True)}


def test_the_services_settings_are_those_of_its_table() -> None:
    setting_names = [PREFIX + name.upper() for name in CloudSettings.model_fields]
    rows = re.findall(rf"^\| `({PREFIX}[A-Z_]+)` \|", OPERATIONS.read_text("utf-8"), re.MULTILINE)
    assert sorted(rows) == sorted(setting_names)


def test_no_document_names_a_setting_that_there_is_not() -> None:
    setting_names = {PREFIX + name.upper() for name in CloudSettings.model_fields}
    documented = {name for path in (*DOCUMENTS, *SAMPLES) for name in _SETTING.findall(path.read_text("utf-8"))}
    assert documented == setting_names | {OF_THE_PACKAGE}


def test_all_programs_are_of_the_version_that_the_changelog_tells_of_first() -> None:
    releases = json.loads((ROOT / "web/src/app/public/releases/releases.json").read_text("utf-8"))
    projects = [
        tomllib.loads((ROOT / name / "pyproject.toml").read_text("utf-8")) for name in ("cloud", "edge", "tools")
    ]
    assert {f"v{project['project']['version']}" for project in projects} == {releases[0]["version"]}
    assert (
        re.findall(r"^## (v\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[0] == releases[0]["version"]
    )


def test_the_packages_that_documents_name_are_of_this_version() -> None:
    version = tomllib.loads((ROOT / "cloud/pyproject.toml").read_text("utf-8"))["project"]["version"]
    documented = {v for path in DOCUMENTS for v in re.findall(r"stempelwerk-\w+_([0-9.]+)_a", path.read_text("utf-8"))}
    assert documented == {version, "1.4.9"}, "and of an older one, to which somebody goes back"


def test_the_clocks_sample_configuration_has_every_setting_and_no_other() -> None:
    text = (ROOT / "edge/deploy/stempelwerk-edge.toml").read_text("utf-8")
    configuration = tomllib.loads(re.sub(r"^# (?=\w+ = |\[\w+\])", "", text, flags=re.MULTILINE))
    assert _names(configuration) == _fields(EdgeSettings) - {"unknown"}, (
        "which is no setting but what the file has besides"
    )


def _names(table: dict[str, Any]) -> set[str]:
    return {
        f"{name}.{inner}" if inner else name
        for name, value in table.items()
        for inner in (_names(value) if isinstance(value, dict) else [""])
    }


def _fields(settings: Any) -> set[str]:
    names = set()
    for setting in dataclasses.fields(settings):
        inner = setting.type if dataclasses.is_dataclass(setting.type) else None
        names |= {f"{setting.name}.{name}" for name in _fields(inner)} if inner else {setting.name}
    return names
