"""The packages as `make packages` makes them, installed on a server and a clock."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from stempelwerk_tools.packages import command

from tools.tests.installed.machine import missing
from tools.tests.installed.site import Site, site, with_version

OLDER = "1.4.9"


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Returns the packages of both programs, by `cloud` and `edge`, and of an older version by `older cloud`, `older
    edge`.
    """
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("packages")
    assert command.main(["cloud", "clock", "--without-root", "--out", str(folder)]) == 0
    packages_by_program = {path.name.split("_")[0].removeprefix("stempelwerk-"): path for path in folder.glob("*.deb")}
    return packages_by_program | {
        f"older {name}": with_version(path, OLDER, folder) for name, path in packages_by_program.items()
    }


@pytest.fixture(scope="session")
def image_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The image as `make packages` makes it, next to its compose file."""
    if reason := missing():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("image")
    assert command.main(["image", "--out", str(folder)]) == 0
    (file,) = folder.glob("*.oci.tar")
    return file


@pytest.fixture(scope="session")
def installed(packages: dict[str, Path]) -> Iterator[Site]:
    """Yields a server and a clock, set up by the documents."""
    with site(packages["cloud"], packages["edge"]) as running_site:
        yield running_site
