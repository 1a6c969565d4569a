"""A copied card lives on only with a key of the machine that holds it."""

import shutil

from stempelwerk_edge.cloud.identity import load_or_make
from stempelwerk_tools.simulation.machines.internals import keyid_on


def test_a_copy_in_the_machine_of_its_key_is_that_device(tmp_path):
    identity = load_or_make(tmp_path / "card", ("board:1",))
    shutil.copytree(tmp_path / "card", tmp_path / "copy")
    assert keyid_on(tmp_path / "copy", "board:1") == identity.keyid


def test_a_copy_in_another_machine_is_not_the_device_of_its_key(tmp_path):
    """The copy was made of a card that has waited in that machine without ever having started there."""
    identity = load_or_make(tmp_path / "card", ("board:1",))
    shutil.copytree(tmp_path / "card", tmp_path / "copy")
    assert keyid_on(tmp_path / "copy", "board:2") is None
    assert load_or_make(tmp_path / "card", ("board:2",)).keyid != load_or_make(tmp_path / "copy", ("board:2",)).keyid
    assert identity.keyid not in {keyid_on(tmp_path / name, "board:2") for name in ("card", "copy")}


def test_an_empty_card_is_no_device(tmp_path):
    assert keyid_on(tmp_path, "board:1") is None
