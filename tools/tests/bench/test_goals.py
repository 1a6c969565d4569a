"""How a run is judged: a missed goal must read as missed, and what was not measured as neither."""

import gzip

from stempelwerk_tools.bench.goals import Finding, at_least, at_most, goals_table
from stempelwerk_tools.bench.measures.pages import first_load


def test_bounds_hold_at_their_limit_and_break_beyond_it():
    assert at_least(3).met_by(3)
    assert not at_least(3).met_by(2.99)
    assert at_most(600, "bytes").met_by(600)
    assert not at_most(600, "bytes").met_by(600.1)


def test_what_was_not_measured_is_neither_met_nor_missed():
    finding = Finding("against a peer", at_least(3), None, "the peer could not be installed")
    assert finding.met is None
    assert finding.as_json()["met"] is None
    assert "the peer could not be installed" in goals_table([finding])
    assert "not measured" in goals_table([finding])


def test_a_missed_goal_stands_out_in_the_table():
    head, _, row = goals_table([Finding("rate", at_least(3), 2.5)]).splitlines()
    assert head.startswith("goal")
    assert row.endswith("MISSED")
    assert "2.5×" in row


def test_the_first_load_is_what_the_page_names_and_what_that_imports_statically(tmp_path):
    assets = tmp_path / "assets"
    assets.mkdir()
    (tmp_path / "index.html").write_text(
        '<link rel="modulepreload" href="/assets/vendor.js"><script type="module" src="/assets/main.js"></script>'
        '<link rel="stylesheet" href="/assets/main.css">'
    )
    (assets / "main.js").write_text('import{a}from"./shared.js";const later=()=>import("./page.js");a(later)')
    (assets / "shared.js").write_text("export const a=1")
    (assets / "vendor.js").write_text("export const v=1")
    (assets / "page.js").write_text("export const p=" + "1" * 1000)
    expected = sum(len(gzip.compress((assets / f"{n}.js").read_bytes(), 6)) for n in ("main", "shared", "vendor"))
    assert first_load(tmp_path) == expected


def test_a_page_that_is_not_built_has_no_size(tmp_path):
    assert first_load(tmp_path) is None
