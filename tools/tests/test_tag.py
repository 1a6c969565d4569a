"""`stempelwerk tag` checks whether a number, or a chip at a reader, can be used for stamping."""

import pytest
from stempelwerk_edge.errors import ReaderAbsent
from stempelwerk_edge.tap.tags import TagRefused, from_reader
from stempelwerk_tools import tag
from stempelwerk_tools.tag import check_held_tag, check_typed_tag, main


class Laid:
    """A reader with the tag for each look: an identifier, or nothing."""

    def __init__(self, *looks: bytes | None) -> None:
        self.looks, self.open_now = list(looks), False

    def open(self) -> None:
        self.open_now = True

    def poll(self) -> str | None:
        look = self.looks.pop(0) if self.looks else None
        return None if look is None else from_reader(look)

    def close(self) -> None:
        self.open_now = False


def test_typed_numbers_are_written_as_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["04:a1-b2 c3 d4 e5 f6", "max.1"]) == 0
    assert capsys.readouterr().out == "04A1B2C3D4E5F6\nMAX.1\n"


@pytest.mark.parametrize("typed", ["04A1", "  ", "äöü", "x" * 65])
def test_an_invalid_tag_is_reported_and_valid_ones_are_still_written(
    typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([typed, "04A1B2C3"]) == 1
    output = capsys.readouterr()
    assert "ist keine Tag-ID" in output.err
    assert output.out == "04A1B2C3\n"


def test_a_chip_at_the_reader_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    reader = Laid(None, None, bytes.fromhex("04A1B2C3D4E5F6"))
    assert check_held_tag(reader)
    assert capsys.readouterr().out == "04A1B2C3D4E5F6\n"
    assert not reader.open_now


def test_a_phone_is_none_and_neither_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    phone = Laid(bytes.fromhex("08A1B2C3"))
    assert not check_held_tag(phone)
    assert "Handys" in capsys.readouterr().err
    assert not check_held_tag(Laid(), patience_s=0)
    assert "kein Chip" in capsys.readouterr().err
    assert not phone.open_now


@pytest.mark.parametrize(("text", "words"), [("08:a1:b2:c3", "Handys"), ("88A1B2C3", "Anfang")])
def test_a_typed_number_that_no_clock_takes_is_refused(
    text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not check_typed_tag(text)
    assert words in capsys.readouterr().err


def test_every_reason_has_its_words() -> None:
    with pytest.raises(TagRefused) as refused:
        from_reader(bytes.fromhex("88A1B2C3"))
    assert refused.value.reason in tag._WHY


def test_where_there_is_no_reader_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Absent(Laid):
        def open(self) -> None:
            raise ReaderAbsent("/dev/ttyX is missing")

    monkeypatch.setattr(tag, "reader_for", lambda _: Absent())
    assert main(["--reader", "/dev/ttyX"]) == 1
    assert "Leser" in capsys.readouterr().err
