"""Reads the suites' JUnit reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree


@dataclass(frozen=True)
class Case:
    """One test. `place` is its file, as its runner names it; `why` is the message of a failure."""

    place: str
    name: str
    seconds: float = 0
    skipped: bool = False
    why: str | None = None

    @property
    def title(self) -> str:
        """The test's name for people."""
        return f"{self.place}: {self.name}"


@dataclass(frozen=True)
class Counts:
    """The numbers of a suite's tests by outcome."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped)

    def __str__(self) -> str:
        tail = f", {self.skipped} skipped" if self.skipped else ""
        return f"{self.passed} passed, {self.failed} failed{tail}"


def count_cases(cases: Iterable[Case]) -> Counts:
    """Counts the tests by outcome."""
    number = Counter("skipped" if case.skipped else "passed" if case.why is None else "failed" for case in cases)
    return Counts(number["passed"], number["failed"], number["skipped"])


def cases_in(report: Path) -> list[Case]:
    """Returns the tests of a report; an empty list without a report."""
    if not report.exists():
        return []
    testcases = ElementTree.parse(report).getroot().iter("testcase")  # noqa: S314 - our own file
    return [
        Case(
            place=case.get("classname") or "",
            name=case.get("name") or "",
            seconds=float(case.get("time") or 0),
            skipped=case.find("skipped") is not None,
            why=_why(case),
        )
        for case in testcases
    ]


def _why(case: ElementTree.Element) -> str | None:
    messages = [part.text or part.get("message") or "" for part in case if part.tag in ("failure", "error")]
    return "\n".join(messages) if messages else None
