"""Metrics of delivered stamps for the operator. They are counted after the commit: a rolled-back stamp was not
received.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from stempelwerk_cloud.kit.database.transactions import after_commit
from stempelwerk_cloud.timekeeping.tx import Tx


def count(tx: Tx, outcomes: Iterable[str], lags_ms: Sequence[int] = ()) -> None:
    """Counts stamps by outcome, and for new stamps the delay between their true time and their receipt (ms)."""
    metrics, counts = tx.platform.metrics, Counter(outcomes)

    def write() -> None:
        for outcome, number in counts.items():
            metrics.stamps.labels(outcome).inc(number)
        for lag in lags_ms:
            metrics.stamp_lag_seconds.observe(max(lag, 0) / 1000)

    after_commit(tx.session, write)
