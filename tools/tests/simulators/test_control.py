"""The handle on a simulated reader: another process can tap, break and unplug; nonsense is answered, not obeyed."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from stempelwerk_edge.readers.nfc import NfcReader
from stempelwerk_tools.simulators.control import serve_reader
from stempelwerk_tools.simulators.lines import LineServer, Unreachable, ask
from stempelwerk_tools.simulators.pty_reader import PtyReader


@pytest.fixture
def line(tmp_path: Path) -> Iterator[PtyReader]:
    with PtyReader(tmp_path / "reader") as reader:
        yield reader


@pytest.fixture
def control(tmp_path: Path, line: PtyReader) -> Iterator[LineServer]:
    # A project may lie deeper than a socket's address allows (107 bytes).
    folder = tmp_path / ("a-long-name-" * 10) / ("and-another-" * 5)
    server = serve_reader(line, folder / "reader.sock")
    yield server
    server.close()


@pytest.fixture
def socket_path(control: LineServer) -> Path:
    return control.path


@pytest.mark.parametrize(
    "request_line",
    [b"\n", b"{\n", b"[]\n", b'{"do": "burn"}\n', b'{"do": "hold"}\n', b'{"do": "hold", "tag": "04"}\n', b"\xff\xff\n"],
)
def test_nonsense_is_refused_and_the_reader_stays_as_it_was(
    line: PtyReader, control: LineServer, request_line: bytes
) -> None:
    assert "error" in control.answer(request_line)
    assert line.chip.tag is None


def test_a_refused_request_says_why(socket_path: Path) -> None:
    with pytest.raises(ValueError, match="4, 7, 8 or 10 bytes"):
        ask(socket_path, {"do": "hold", "tag": "0405"})


def test_a_reader_that_is_not_there_is_told_from_one_that_refuses(tmp_path: Path) -> None:
    with pytest.raises(Unreachable):
        ask(tmp_path / "reader.sock", {"do": "remove"})
    with pytest.raises(Unreachable):
        ask(tmp_path / "no" / "such" / "folder" / "reader.sock", {"do": "remove"})


def test_a_tap_from_another_process_is_read_by_the_driver(line: PtyReader, socket_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from stempelwerk_tools.simulators.lines import ask;"
        "print(ask(Path(sys.argv[1]), {'do': 'tap', 'tag': '04:a1:b2:c3:d4:e5:f6', 'forS': 20}))"
    )
    reader = NfcReader(line.path)
    reader.open()
    with subprocess.Popen([sys.executable, "-c", code, str(socket_path)], stdout=subprocess.PIPE, text=True) as process:
        assert line.wait_until(lambda: line.chip.tag is not None)
        assert reader.poll() == "04A1B2C3D4E5F6"
        output, _ = process.communicate(timeout=60)
    assert line.chip.tag is None
    reader.close()
    assert "'read': True" in output


def test_a_tap_that_nobody_reads_says_so(socket_path: Path) -> None:
    assert ask(socket_path, {"do": "tap", "tag": "A1B2C3D4", "forS": 0.05})["read"] is False


def test_a_held_tag_lies_there_until_it_is_taken_away(line: PtyReader, socket_path: Path) -> None:
    ask(socket_path, {"do": "hold", "tag": "A1B2C3D4", "forS": 60})
    assert line.chip.tag is not None
    ask(socket_path, {"do": "remove"})
    assert line.chip.tag is None


def test_faults_and_the_cable_are_within_reach(line: PtyReader, socket_path: Path) -> None:
    assert ask(socket_path, {"do": "unplug"}) == {"ok": True}
    assert not Path(line.path).exists()
    ask(socket_path, {"do": "plug"})
    assert Path(line.path).exists()
    ask(socket_path, {"do": "fault", "kind": "silent", "times": None})
    reader = NfcReader(line.path)
    with pytest.raises(Exception, match="reader"):
        reader.open()
    ask(socket_path, {"do": "recover"})
    reader.open()
    reader.close()
