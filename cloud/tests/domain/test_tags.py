"""Signs in a text that a spreadsheet or a program has damaged an identifier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.tags import TagDamage, find_damage, normalise


@pytest.mark.parametrize(
    ("text", "damage"),
    [
        ("1,2345E+07", TagDamage.SCIENTIFIC),
        (" 1.2345e+07 ", TagDamage.SCIENTIFIC),
        ("1,23E+123", TagDamage.SCIENTIFIC),
        ("1.2345E7", TagDamage.SCIENTIFIC),
        ("1.2345E-07", TagDamage.SCIENTIFIC),
        ("12,345E+06", TagDamage.SCIENTIFIC),
        ("12345E+03", TagDamage.SCIENTIFIC),
        ("4E-05", TagDamage.SCIENTIFIC),
        ("12345678.0", TagDamage.NUMBER_FORMAT),
        ("12345678,00", TagDamage.NUMBER_FORMAT),
        ("12.345.678", TagDamage.NUMBER_FORMAT),
        ("12 345 678,00", TagDamage.NUMBER_FORMAT),
        ("1.234.567,89", TagDamage.NUMBER_FORMAT),
        ("1234567890123000", TagDamage.ROUNDED),
        ("1234567890123450", TagDamage.ROUNDED),
        ("14112233445566700000", TagDamage.ROUNDED),
        ("14112233445566779000", TagDamage.ROUNDED),
        ("0x04A1B2C3", TagDamage.HEX_PREFIX),
        ("0X04a1b2c3d4e5f6", TagDamage.HEX_PREFIX),
        ("0x04 0xA1 0xB2 0xC3", TagDamage.HEX_PREFIX),
        ("0x04:0xA1:0xB2:0xC3", TagDamage.HEX_PREFIX),
    ],
)
def test_a_number_of_a_spreadsheet_or_a_program_is_known_by_its_form(text: str, damage: TagDamage) -> None:
    assert find_damage(text) is damage


@pytest.mark.parametrize(
    "text",
    [
        "12345E03",
        "12-34-5E-03",
        "04-A2-2E-05",
        "12345000",
        "04112233445566",
        "14112233445566778899",
        "14:11:22:33:44:55:66:77:80:00",
        "AUSWEIS.12.2026",
        "KARTE_7.0",
        "2024.0",
        "0XENON",
        "FOUNDER",
    ],
)
def test_a_legal_identifier_is_no_damage_whatever_it_looks_like(text: str) -> None:
    assert find_damage(text) is None
    assert normalise(text)


@given(st.sampled_from([4, 7, 10]).flatmap(lambda size: st.binary(min_size=size, max_size=size)))
def test_no_identifier_of_a_reader_is_damage_when_its_bytes_are_separated(identifier: bytes) -> None:
    assert find_damage(identifier.hex(":")) is None
    assert find_damage(identifier.hex("-")) is None


@given(st.integers(10**7, 10**19))
def test_every_number_in_scientific_notation_is_damage(number: int) -> None:
    for text in (f"{number:.5E}", f"{number:.2e}".replace(".", ","), f"{number:.0E}"):
        assert find_damage(text) is TagDamage.SCIENTIFIC
