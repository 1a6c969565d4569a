"""The days of a stored request: conversion between its columns and `LeaveSpan`."""

from datetime import date

import msgspec

from stempelwerk_cloud.domain.leave import DayRange, LeaveSpan
from stempelwerk_cloud.planning.facts.tables import VacationRequest

_RANGES = msgspec.json.Decoder(tuple[DayRange, ...])


def span_of(request: VacationRequest) -> LeaveSpan:
    """Returns the days of the request, without the days of company holidays that it leaves out."""
    left_out = read_ranges(request.left_out)
    return LeaveSpan(request.start_date, request.end_date, request.start_half, request.end_half, left_out)


def set_span(request: VacationRequest, span: LeaveSpan) -> None:
    """Stores these days in the request."""
    request.start_date, request.end_date = span.start, span.end
    request.start_half, request.end_half = span.start_half, span.end_half
    request.left_out = write_ranges(span.left_out)


def end_on(request: VacationRequest, last: date) -> None:
    """Shortens the request, so that `last` is its last day. That day is before its present end."""
    left_out = tuple((start, min(end, last)) for start, end in read_ranges(request.left_out) if start <= last)
    set_span(request, LeaveSpan(request.start_date, last, request.start_half, left_out=left_out))


def read_ranges(text: str | None) -> tuple[DayRange, ...]:
    """Decodes `[["2026-08-10", "2026-08-14"]]`; None becomes an empty tuple."""
    return () if text is None else _RANGES.decode(text)


def write_ranges(ranges: tuple[DayRange, ...]) -> str | None:
    """Encodes ranges as JSON; an empty tuple becomes None."""
    return msgspec.json.encode(ranges).decode() if ranges else None
