"""The command refuses what it cannot make before it makes anything."""

import pytest
from stempelwerk_tools.packages import command


def test_an_unknown_name_is_refused_with_those_that_there_are(capsys):
    with pytest.raises(SystemExit) as refused:
        command.main(["clock", "clok"])
    assert refused.value.code == 2
    assert "there is no clok; there are cloud, clock, image" in capsys.readouterr().err


def test_an_image_for_another_kind_of_machine_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(command, "_own_architecture", lambda: "amd64")
    with pytest.raises(SystemExit) as refused:
        command.main(["--arch", "arm64", "image"])
    assert refused.value.code == 2
    assert "on such a machine alone" in capsys.readouterr().err


def test_a_step_that_fails_ends_the_command_with_its_words(monkeypatch, tmp_path, capsys):
    def fails(*_how: object) -> list[object]:
        raise command.NotBuilt("The pages are not built: run 'make build' first.")

    monkeypatch.setitem(command.MAKES, "clock", fails)
    assert command.main(["clock", "--out", str(tmp_path)]) == 1
    assert "run 'make build' first" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
