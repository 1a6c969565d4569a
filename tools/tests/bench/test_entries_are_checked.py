"""A service that answers every batch and derives nothing, or something else, is not fast: its figures are void."""

import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from stempelwerk_cloud.__main__ import main as cloud
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation
from stempelwerk_tools.bench import installation as installation_module
from stempelwerk_tools.bench.installation import Installation, furnish
from stempelwerk_tools.bench.sides.product import Product
from stempelwerk_tools.bench.sides.side import Void, Workload
from stempelwerk_tools.ports import reserved_port

NEW = Workload("new", clients=2, size=10)
AGAIN = Workload("again", clients=2, size=10, resend=True)


@pytest.fixture
def product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Product]:
    """The real service in a thread, where a test can spoil it."""
    url = f"sqlite:///{tmp_path / 'bench.db'}"
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", url)
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO(installation_module._PASSWORD))
    assert cloud(["create-founder", "--username", "bench", "--password-stdin"]) == 0
    monkeypatch.setattr(installation_module, "CLOCKS", 2)
    monkeypatch.setattr(installation_module, "PEOPLE_A_CLOCK", 3)
    port = reserved_port()
    app = create_app(Settings(database_url=url, data_dir=tmp_path))
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="critical"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        thread.join(0.05)
    installed = Installation(port, url, pid=1)
    furnish(installed)
    side = Product("product", installed)
    yield side
    side.close()
    server.should_exit = True
    thread.join()
    app.state.platform.database.dispose()


def test_entries_that_are_as_the_taps_are_let_through(product: Product) -> None:
    for workload in (NEW, NEW, AGAIN, AGAIN):
        assert product.slice(workload, 0.05).stamps > 0


def test_a_service_that_derives_nothing_is_void(product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    derive_people = derivation.derive_people

    def derive_nothing(*arguments: object) -> derivation.Difference:
        difference = derive_people(*arguments)  # type: ignore[arg-type]
        return derivation.Difference(statuses=difference.statuses)

    monkeypatch.setattr(derivation, "derive_people", derive_nothing)
    with pytest.raises(Void, match="stands as None"):
        product.slice(NEW, 0.05)


@pytest.mark.parametrize(
    "wrong",
    [{"end_minute": 1}, {"raw_minutes": 481}, {"break_minutes": 0}, {"start_minute": 1}],
    ids=lambda case: next(iter(case)),
)
def test_a_service_that_derives_other_minutes_is_void(
    product: Product, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, int]
) -> None:
    entry_row = derivation.entry_row
    monkeypatch.setattr(derivation, "entry_row", lambda *given: entry_row(*given)._replace(**wrong))
    with pytest.raises(Void, match="the entry"):
        product.slice(NEW, 0.05)


def test_an_entry_of_another_person_is_void(product: Product) -> None:
    product.slice(NEW, 0.05)
    holders = product._installation.holders
    holder, other_holder, *_ = holders
    holders[holder], holders[other_holder] = holders[other_holder], holders[holder]
    with pytest.raises(Void, match="the entry"):
        product.follows(0)


def test_an_entry_that_is_not_of_these_taps_is_void(product: Product) -> None:
    product.slice(NEW, 0.05)
    del product._installation.clocks[0].taps[0]
    with pytest.raises(Void, match="the entry"):
        product.follows(0)
