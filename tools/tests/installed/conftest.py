"""The packages as `make packages` makes them, and a server and a clock on which they are installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from stempelwerk_tools.packages import command

from tools.tests.installed.machine import missing
from tools.tests.installed.site import Site, site, with_version

OLDER = "1.4.9"


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The packages of both programs, by `cloud` and `edge`, and of an older version by `older cloud`, `older edge`."""
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("packages")
    assert command.main(["cloud", "clock", "--without-root", "--out", str(folder)]) == 0
    found = {path.name.split("_")[0].removeprefix("stempelwerk-"): path for path in folder.glob("*.deb")}
    return found | {f"older {name}": with_version(path, OLDER, folder) for name, path in found.items()}


@pytest.fixture(scope="session")
def image_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image as `make packages` makes it, beside its compose file."""
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("image")
    assert command.main(["image", "--out", str(folder)]) == 0
    (file,) = folder.glob("*.oci.tar")
    return file


@pytest.fixture(scope="session")
def installed(packages: dict[str, Path]) -> Iterator[Site]:
    """A server and a clock, as the documents have them set up."""
    with site(packages["cloud"], packages["edge"]) as made:
        yield made
