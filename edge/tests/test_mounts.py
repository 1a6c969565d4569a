"""Storage that forgets everything is found out, by the mountinfo of real machines and by real mounts."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from stempelwerk_edge import mounts
from stempelwerk_edge.agent import Agent, system_ports
from stempelwerk_edge.configuration import Settings
from stempelwerk_edge.mounts import Durability, judge
from stempelwerk_edge.ports import AnswerKind

FORGETFUL, LASTING, UNKNOWN = Durability.FORGETFUL, Durability.LASTING, Durability.UNKNOWN
DATA = "/var/lib/stempelwerk-edge"

RASPBERRY_PI = """\
21 26 0:20 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
22 26 0:21 / /proc rw,relatime shared:14 - proc proc rw
25 26 0:24 / /run rw,nosuid,nodev shared:5 - tmpfs tmpfs rw,size=379456k,nr_inodes=819200,mode=755
26 1 179:2 / / rw,noatime shared:1 - ext4 /dev/mmcblk0p2 rw
36 26 0:33 / /var/log rw,nosuid,nodev,noexec shared:30 - tmpfs log2ram rw,size=40960k,mode=755
101 26 179:1 / /boot/firmware rw,relatime shared:53 - vfat /dev/mmcblk0p1 rw,fmask=0022,errors=remount-ro
"""
OVERLAYROOT = """\
23 28 0:22 / /proc rw,relatime shared:13 - proc proc rw
28 1 0:27 / / rw,relatime shared:1 - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay,\
workdir=/media/root-rw/overlay-workdir/_
29 28 179:2 / /media/root-ro ro,relatime shared:2 - ext4 /dev/mmcblk0p2 ro
30 28 0:26 / /media/root-rw rw,relatime shared:3 - tmpfs tmpfs-root rw
31 28 179:3 / /srv/clock\\040data rw,noatime shared:4 - ext4 /dev/mmcblk0p3 rw
"""
OVERLAY_ON_A_DISK = OVERLAYROOT.replace("tmpfs tmpfs-root", "ext4 /dev/sda1")
INITRAMFS_OVERLAY = """\
26 1 0:25 / / rw,relatime - overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/upper/work
30 26 0:24 / /run rw,nosuid,nodev - tmpfs tmpfs rw,size=379456k,mode=755
"""
CONTAINER = """\
640 480 0:52 / / rw,relatime master:254 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/AB:/var/lib/docker/\
overlay2/l/CD,upperdir=/var/lib/docker/overlay2/9f/diff,workdir=/var/lib/docker/overlay2/9f/work
644 640 0:57 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=65536k
647 640 8:1 /docker/volumes/clock/_data /data rw,relatime master:1 - ext4 /dev/sda1 rw,discard
"""
COMPRESSED = "26 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n40 26 254:0 / /var rw - ext4 /dev/zram0 rw\n"
COVERED = """\
26 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw
40 26 0:40 / /var/lib/stempelwerk-edge rw - tmpfs tmpfs rw
41 26 179:3 / /var rw - ext4 /dev/mmcblk0p3 rw
50 41 0:50 / /var/lib rw - tmpfs tmpfs rw
51 50 179:4 / /var/lib rw - ext4 /dev/mmcblk0p4 rw
"""


@pytest.mark.parametrize(
    ("mountinfo", "path", "durability"),
    [
        (RASPBERRY_PI, DATA, LASTING),
        (RASPBERRY_PI, "/run/stempelwerk", FORGETFUL),
        (RASPBERRY_PI, "/running", LASTING),
        (RASPBERRY_PI, "/var/log/stempelwerk", FORGETFUL),
        (OVERLAYROOT, DATA, FORGETFUL),
        (OVERLAYROOT, "/srv/clock data/journal", LASTING),
        (OVERLAY_ON_A_DISK, DATA, LASTING),
        (INITRAMFS_OVERLAY, DATA, UNKNOWN),
        (CONTAINER, DATA, UNKNOWN),
        (CONTAINER, "/data", LASTING),
        (COMPRESSED, DATA, FORGETFUL),
        (COVERED, DATA, LASTING),
        ("", DATA, LASTING),
        ("nonsense\n26 1\n", DATA, LASTING),
    ],
)
def test_a_folder_lasts_as_its_mount_does(mountinfo: str, path: str, durability: Durability) -> None:
    assert judge(mountinfo, path).durability is durability


def test_storage_that_forgets_is_named_with_its_kind_and_its_point() -> None:
    storage = judge(OVERLAYROOT, DATA)
    assert (storage.kind, storage.point) == ("overlay", "/")


def namespaces_allowed() -> bool:
    return subprocess.run(["unshare", "-Urm", "true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not namespaces_allowed(), reason="no mounts of one's own here")
def test_real_mounts_that_forget_are_found_out(tmp_path: Path) -> None:
    for name in ("memory", "overlay", "lower"):
        (tmp_path / name).mkdir()
    program = "import json, sys; from pathlib import Path; from stempelwerk_edge.mounts import storage_of; "
    program += "print(json.dumps([storage_of(Path(name)).durability for name in sys.argv[1:]]))"
    script = (
        "cd $0 && mount -t tmpfs tmpfs memory && mkdir memory/upper memory/work && "
        "mount -t overlay -o lowerdir=lower,upperdir=$0/memory/upper,workdir=$0/memory/work overlay overlay && "
        'exec "$@"'
    )
    folders = [str(tmp_path / name) for name in ("memory/data", "overlay/data/journal")]
    done = subprocess.run(
        ["unshare", "-Urm", "sh", "-c", script, tmp_path, sys.executable, "-c", program, *folders],
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout) == ["forgetful", "forgetful"]


def test_an_agent_refuses_taps_on_a_storage_that_forgets_and_takes_them_once_it_lasts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mountinfo = tmp_path / "mountinfo"
    mountinfo.write_text("26 1 0:26 / / rw - tmpfs tmpfs rw\n")
    monkeypatch.setattr(mounts, "MOUNTINFO", mountinfo)
    (tmp_path / "clock.toml").write_text('data_dir = "data"\n[cloud]\nurl = "http://127.0.0.1:9"\n')
    agent = Agent(settings := Settings.load(tmp_path / "clock.toml"), system_ports(settings))
    refused = agent.tap("04A224B1C2D380")
    assert refused is not None
    assert refused.kind is AnswerKind.NOT_SAVED
    assert any("forgets everything" in entry["message"] for entry in agent.logbook.waiting(10))
    mountinfo.write_text("26 1 179:2 / / rw - ext4 /dev/mmcblk0p2 rw\n")
    answer = agent.tap("04A224B1C2D380")
    assert answer is not None
    assert answer.kind is not AnswerKind.NOT_SAVED


def test_a_kernel_without_mountinfo_is_believed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(mounts, "MOUNTINFO", tmp_path / "none")
    assert mounts.storage_of(tmp_path).durability is LASTING
