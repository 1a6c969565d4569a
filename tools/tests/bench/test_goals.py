"""How a run is judged: a missed goal must read as missed, and what was not measured as neither."""

from stempelwerk_tools.bench.goals import Finding, at_least, at_most, goals_table


def test_bounds_hold_at_their_limit_and_break_beyond_it():
    assert at_least(3).met_by(3)
    assert not at_least(3).met_by(2.99)
    assert at_most(600, "bytes").met_by(600)
    assert not at_most(600, "bytes").met_by(600.1)


def test_an_unmeasured_goal_is_neither_met_nor_missed():
    finding = Finding("against a peer", at_least(3), None, "the peer could not be installed")
    assert finding.met is None
    assert finding.as_json()["met"] is None
    assert "the peer could not be installed" in goals_table([finding])
    assert "not measured" in goals_table([finding])


def test_a_missed_goal_stands_out_in_the_table():
    head, _, row = goals_table([Finding("rate", at_least(3), 2.5, ground="SQLite: 3 people")]).splitlines()
    assert head.startswith("goal")
    assert row.endswith("MISSED  SQLite: 3 people")
    assert "2.5×" in row
