"""JSON of rollouts."""

from typing import Annotated, Literal

from pydantic import Field, Strict

from stempelwerk_cloud.domain.rollouts import Stage
from stempelwerk_cloud.fleet.rollouts.tables import VERSION_LIMIT
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire

Channel = Literal["stable", "beta"]
State = Literal["running", "paused", "stopped", "done", "rolled_back"]


class StageChoice(Wire):
    """How far a stage reaches, with all before it: so many clocks, or so many of a hundred."""

    clocks: Annotated[int | None, Field(ge=1, le=100_000)] = None
    percent: Annotated[int | None, Field(ge=1, le=100)] = None

    def stage(self) -> Stage | None:
        """None: neither or both are said."""
        return Stage(self.clocks, self.percent) if (self.clocks is None) != (self.percent is None) else None


class NewRollout(Wire):
    """`stageDays`: for how many whole working days at least a stage is judged before the next; 0: none. `now`: clocks
    go over to it while nobody taps, and do not wait for their company to be closed.
    """

    version: Annotated[str, Field(min_length=1, max_length=VERSION_LIMIT)]
    channel: Channel
    stages: Annotated[list[StageChoice], Field(min_length=1, max_length=10)] | None = None
    stage_days: Annotated[int, Field(ge=0, le=5)] = 1
    now: Annotated[bool, Strict()] = False


class StageRow(Wire):
    """A stage, and of its own clocks: how many there are, were told, have the version, took it back."""

    clocks: int | None
    percent: int | None
    size: int
    told: int
    updated: int
    failed: int


class RolloutRow(Wire):
    """`stage`: the open one, from 1. `settledAt`: since when enough clocks of it have the version; `days`: how many
    working days have been judged since, of the `stageDays` it takes. `reason`: why it was stopped.
    `platforms`: those that the version had when it was started; only their clocks are in it. `clocks`: how many of the
    channel run the version now, also after it was rolled back.
    """

    id: str
    version: str
    channel: Channel
    state: State
    stage: int
    stages: list[StageRow]
    stage_days: int
    days: int
    now: bool
    platforms: list[str]
    size: int
    updated: int
    failed: int
    clocks: int
    started_at: InstantField
    settled_at: InstantField | None
    reason: str | None
