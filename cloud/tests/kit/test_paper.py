"""Names of every script on paper: in headings, lines and tables of either kind."""

from io import BytesIO

import pytest
from fpdf import FPDF
from pypdf import PdfReader
from stempelwerk_cloud.kit.paper import Column
from stempelwerk_cloud.kit.paper.pages import Paper

_COLUMNS: tuple[Column, ...] = (("Tag", 30, "LEFT"), ("Hinweise", 100, "LEFT"))
_SAID = "? steht für ein Zeichen, das dieses Papier nicht zeigen kann."


def page_text(name: str, fonts_for: str | None = None) -> str:
    """Returns the text of a page that has the name everywhere."""
    pages = Paper("Probe", None, name if fonts_for is None else fonts_for)
    pages.add_page()
    pages.set_text_style(10)
    pages.paragraph(name, 5)
    pages.dense(_COLUMNS, [("01.09.", name)], 8, 4)
    pages.grid(name, _COLUMNS, [("01.09.", name)])
    return PdfReader(BytesIO(bytes(pages.output()))).pages[0].extract_text()


@pytest.mark.parametrize(
    "name", ["王小明", "陳大文", "佐藤 ゆい", "김민준", "สมชาย", "राम", "রহিম", "குமார்", "రాము", "😀", "Łukasz Müller"]
)
def test_a_name_can_be_read_wherever_it_stands(name: str) -> None:
    text = page_text(name)
    assert "?" not in text
    bases = {letter for letter in name if letter.isalpha() or ord(letter) > 0xFFFF}
    assert all(text.count(letter) >= 4 for letter in bases), "the paragraph, a table, a title and the other table"


@pytest.mark.parametrize("name", ["👍🏽", "❤\ufe0f", "👨\u200d👩\u200d👧", "Anna\u200b"])
def test_modifiers_of_neighbouring_characters_leave_no_mark(name: str) -> None:
    text = page_text(name)
    assert "?" not in text
    assert _SAID not in text


@pytest.mark.parametrize("fonts_for", [None, ""])
def test_a_letter_that_cannot_be_shown_is_a_question_mark_everywhere_and_the_page_says_so(
    fonts_for: str | None,
) -> None:
    text = page_text("Ben \U00013000", fonts_for)
    assert text.count("Ben ?") == 4
    assert _SAID in text


def test_signs_are_put_around_their_letters_and_nothing_after_them_is_drawn_so(monkeypatch: pytest.MonkeyPatch) -> None:
    shaping_flags: list[bool] = []
    shape = FPDF.set_text_shaping

    def noted(pages: FPDF, use_shaping_engine: bool = True) -> None:
        shaping_flags.append(use_shaping_engine)
        shape(pages, use_shaping_engine)

    monkeypatch.setattr(FPDF, "set_text_shaping", noted)
    page_text("हिन्दी")
    assert shaping_flags.count(True) == 6  # drawn four times, and measured in the title and in the dense table
    assert shaping_flags[-1] is False
    shaping_flags.clear()
    page_text("Müller 王")
    assert True not in shaping_flags, "it takes three times as long"
