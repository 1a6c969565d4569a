"""Makes the OCI image of the service: a small Debian, its Python, and the program as it lies in the Debian package.

Docker, Podman and the like load the file (`docker load`, `podman load`). It has no systemd and no package lists, and
nothing in it runs as root. Its form follows the OCI image specification: layers that are archives, and three documents
that name them by their digests; a fourth, `manifest.json`, is for older releases of Docker. A compose file that names
the image lies next to it.
"""

import gzip
import hashlib
import json
import shutil
import tarfile
from pathlib import Path
from typing import Any

from stempelwerk_tools.packages.program import CLOUD, ROOT, built_pages, lay_down, run

USER = 10_000
DATA = "data"
COMPOSE = ROOT / "cloud" / "deploy" / "compose.yaml"
_OCI = "application/vnd.oci.image"
_BASE = "python3-minimal,libpython3-stdlib,ca-certificates,tzdata"
# 0.0.0.0, because access is controlled outside of the container.
_COMMAND = ["serve", "--host", "0.0.0.0", "--port", "8000", "--workers", "4"]  # noqa: S104


def make(version: str, architecture: str, work: Path, target: Path) -> list[Path]:
    """Makes image and compose file in `target`; `work` is an empty folder for the build. NotBuilt, NotLocked."""
    lay_down(CLOUD, work / "opt", architecture)
    shutil.copytree(built_pages("app"), work / "opt" / CLOUD.name / "web")
    layout = work / "layout"
    (layout / "blobs" / "sha256").mkdir(parents=True)
    layers = [_make_layer(layout, _debian(architecture, work)), _make_layer(layout, _program(work))]
    _write_documents(layout, version, architecture, layers)
    target.mkdir(parents=True, exist_ok=True)
    image = target / f"{CLOUD.name}_{version}_{architecture}.oci.tar"
    with tarfile.open(image, "w") as archive:
        for path in sorted(layout.rglob("*")):
            archive.add(path, path.relative_to(layout), recursive=False)
    compose = target / "compose.yaml"
    compose.write_text(COMPOSE.read_text("utf-8").replace("VERSION", version), encoding="utf-8")
    return [image, compose]


def _debian(architecture: str, work: Path) -> Path:
    """Makes an archive of the base system."""
    archive_path = work / "debian.tar"
    options = [f"--dpkgopt=path-exclude=/usr/share/{part}/*" for part in ("man", "locale", "doc", "info")]
    options += ["--dpkgopt=path-include=/usr/share/doc/*/copyright", f"--architectures={architecture}"]
    options += ["--variant=essential", "--components=main", f"--include={_BASE}"]
    run(["mmdebstrap", "--quiet", *options, "bookworm", str(archive_path)])
    return archive_path


def _program(work: Path) -> Path:
    """Makes an archive of the program, owned by root, and of the folder for its files, owned by its user."""
    archive_path = work / "program.tar"

    def of_root(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid, entry.gid, entry.uname, entry.gname = 0, 0, "", ""
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644  # independent of the builder's umask
        return entry

    with tarfile.open(archive_path, "w") as archive:
        archive.add(work / "opt", "opt", filter=of_root)
        folder = tarfile.TarInfo(DATA)
        folder.type, folder.mode, folder.uid, folder.gid = tarfile.DIRTYPE, 0o700, USER, USER
        archive.addfile(folder)
    return archive_path


def _make_layer(layout: Path, archive: Path) -> tuple[dict[str, Any], str]:
    """Returns the layer's descriptor, and the digest of its uncompressed content."""
    packed = archive.with_suffix(".tar.gz")
    plain = hashlib.sha256()
    with archive.open("rb") as source, gzip.GzipFile(packed, "wb", compresslevel=6, mtime=0) as target:
        while part := source.read(1 << 20):
            plain.update(part)
            target.write(part)
    archive.unlink()
    return _store_blob(layout, packed, f"{_OCI}.layer.v1.tar+gzip"), f"sha256:{plain.hexdigest()}"


def _store_blob(layout: Path, file: Path, media_type: str) -> dict[str, Any]:
    """Moves a file to the path that its digest gives; returns its descriptor."""
    with file.open("rb") as source:
        digest = hashlib.file_digest(source, "sha256").hexdigest()
    size = file.stat().st_size
    file.rename(layout / "blobs" / "sha256" / digest)
    return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": size}


def _write_documents(layout: Path, version: str, architecture: str, layers: list[tuple[dict[str, Any], str]]) -> None:
    plain = [digest for _, digest in layers]
    config = _write_blob(layout, _config(version, architecture, plain), f"{_OCI}.config.v1+json")
    blobs = [descriptor for descriptor, _ in layers]
    media_type = f"{_OCI}.manifest.v1+json"
    manifest = {"schemaVersion": 2, "mediaType": media_type, "config": config, "layers": blobs}
    described = _write_blob(layout, manifest, media_type)
    name = f"{CLOUD.name}:{version}"
    # Two names, because some programs read the one and some the other when they load the file.
    names = {"org.opencontainers.image.ref.name": version, "io.containerd.image.name": f"docker.io/library/{name}"}
    index = {"schemaVersion": 2, "manifests": [{**described, "annotations": names}]}
    older = [{"Config": _path(config), "RepoTags": [name], "Layers": [_path(blob) for blob in blobs]}]
    documents = {"oci-layout": {"imageLayoutVersion": "1.0.0"}, "index.json": index, "manifest.json": older}
    for file, content in documents.items():
        (layout / file).write_text(json.dumps(content), encoding="utf-8")


def _config(version: str, architecture: str, plain: list[str]) -> dict[str, Any]:
    return {
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "ExposedPorts": {"8000/tcp": {}},
            "Env": [
                f"PATH=/opt/{CLOUD.name}/bin:/usr/bin:/bin",
                "LANG=C.UTF-8",
                f"STEMPELWERK_DATA_DIR=/{DATA}",
                f"STEMPELWERK_WEB_DIR=/opt/{CLOUD.name}/web",
            ],
            "Entrypoint": [f"/opt/{CLOUD.name}/bin/{CLOUD.name}"],
            "Cmd": _COMMAND,
            "Volumes": {f"/{DATA}": {}},
            "WorkingDir": f"/{DATA}",
            "StopSignal": "SIGTERM",
            "Labels": {"org.opencontainers.image.title": CLOUD.name, "org.opencontainers.image.version": version},
        },
        "rootfs": {"type": "layers", "diff_ids": plain},
    }


def _write_blob(layout: Path, document: dict[str, Any], media_type: str) -> dict[str, Any]:
    draft = layout / "draft"
    draft.write_text(json.dumps(document), encoding="utf-8")
    return _store_blob(layout, draft, media_type)


def _path(descriptor: dict[str, Any]) -> str:
    return f"blobs/{descriptor['digest'].replace(':', '/')}"
