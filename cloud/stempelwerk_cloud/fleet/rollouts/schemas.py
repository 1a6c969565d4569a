"""Request and response bodies of rollouts."""

from typing import Annotated, Literal

from pydantic import Field, Strict

from stempelwerk_cloud.domain.rollouts import Stage
from stempelwerk_cloud.fleet.rollouts.tables import VERSION_LIMIT
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire

Channel = Literal["stable", "beta"]
State = Literal["running", "paused", "stopped", "done", "rolled_back"]


class StageChoice(Wire):
    """The size of a stage, including all stages before it: either a number of clocks or a percentage of the channel's
    clocks.
    """

    clocks: Annotated[int | None, Field(ge=1, le=100_000)] = None
    percent: Annotated[int | None, Field(ge=1, le=100)] = None

    def stage(self) -> Stage | None:
        """Returns the stage; None if neither or both of the fields are given."""
        return Stage(self.clocks, self.percent) if (self.clocks is None) != (self.percent is None) else None


class NewRollout(Wire):
    """A rollout to start. `stageDays`: for how many whole working days at least a stage is judged before the next one
    opens; 0: no minimum. `now`: clocks switch to the version while no one taps, without waiting for their company's
    closing time.
    """

    version: Annotated[str, Field(min_length=1, max_length=VERSION_LIMIT)]
    channel: Channel
    stages: Annotated[list[StageChoice], Field(min_length=1, max_length=10)] | None = None
    stage_days: Annotated[int, Field(ge=0, le=5)] = 1
    now: Annotated[bool, Strict()] = False


class StageRow(Wire):
    """A stage with numbers of its clocks: all of them, those that were offered the version (`told`), updated and failed
    ones.
    """

    clocks: int | None
    percent: int | None
    size: int
    told: int
    updated: int
    failed: int


class RolloutRow(Wire):
    """A rollout. `stage`: number of the open stage, from 1. `settledAt`: since when enough clocks of that stage have
    the version. `days`: how many working days were judged since then, of the `stageDays` needed.

    `reason`: why the rollout was stopped. `platforms`: the platforms that the version had at the start; only clocks of
    these take part. `clocks`: how many of the channel's clocks run the version now, also after a rollback.
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
