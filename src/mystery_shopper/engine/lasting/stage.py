"""What the samples of one lasting run share: who plays, what has ended, and whether to go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from typing import Protocol, TypeAlias

from msgspec.structs import replace

from mystery_shopper.agents.http import Line
from mystery_shopper.dialogue import Agent, Fault
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting.allowance import Allowance
from mystery_shopper.engine.lasting.telling import to_stderr
from mystery_shopper.engine.plan import PlannedTrial, TrialLimits
from mystery_shopper.engine.player import Player
from mystery_shopper.engine.suites import Maker, Scene
from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import Usage, by_party
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.stage import UserFactory

IN_A_ROW = 5
"""So many trials lost to the infrastructure, with none finished between them, end a run."""
EARLY = 5
"""After so many trials a person is told what is amiss; and again at the end."""


class Meter(Protocol):
    """Counts what one party's model used in one trial."""

    @property
    def usage(self) -> Usage:
        """So far."""
        ...


@dataclass(slots=True)
class TrialCast:
    """Who plays one trial: the agent's factory, the meters of each party that has a model, the
    lines to a server, and what is done once the trial is over: an InputError from there ends the
    run, and the trial is not kept. `speaker` speaks in the rule-based user's place. `notice` gives
    what a person should know of the run so far, empty where that is nothing."""

    agent: Maker
    meters: Mapping[str, Sequence[Meter]] = field(default_factory=dict[str, list[Meter]])

    lines: Sequence[Line] = ()
    after: Callable[[], Awaitable[None]] | None = None
    speaker: UserFactory | None = None
    notice: Callable[[], str] | None = None

    def statuses(self) -> dict[str, int]:
        """What the server answered, over every attempt: status -> how often."""
        total: Counter[str] = Counter()
        for line in self.lines:
            total += line.statuses
        return dict(sorted(total.items()))

    def usage(self) -> dict[str, Usage]:
        """What each party used, over every attempt of the trial."""
        return by_party(
            {party: meter.usage} for party, meters in self.meters.items() for meter in meters
        )


@dataclass(frozen=True, slots=True)
class _Limited:
    """A cast's agents under the plan's limits. `before`: the meters of earlier plays."""

    cast: TrialCast
    seconds: float
    limits: TrialLimits
    before: int = 0

    def agent(self, scene: Scene, task: str) -> Agent:
        """A fresh one, for one play of the trial."""
        play = replaced(self, before=len(self.cast.meters.get("agent", ())))
        return Allowance(self.cast.agent(scene, task), self.limits, self.seconds, play.used)

    def used(self) -> Usage:
        """What the agent's model used in this play."""
        meters = self.cast.meters.get("agent", ())[self.before :]
        return by_party({"agent": meter.usage} for meter in meters).get("agent", Usage())


Casting: TypeAlias = Callable[[PlannedTrial, int], TrialCast]
"""A planned trial and its seed -> who plays it."""
Ended: TypeAlias = Callable[[Trial, Timing], None]


@dataclass
class Stage:
    """Plays planned trials, hands each on as soon as it has ended, and gives up where the
    infrastructure fails again and again: those last trials are not kept, so that the same command
    plays them later.

    `seconds` are what the agent may take in a trial; None leaves that, and the plan's other limits,
    to Inspect. `most` is the highest number of trials that were in flight. `over` is how many have
    come to an end, those that were lost included. `tell` hears the cast's notice.
    """

    player: Player
    casting: Casting
    ended: Ended
    down: str = ""
    problem: InputError | None = None
    seconds: float | None = None
    most: int = 0
    over: int = 0
    tell: Callable[[str], None] = to_stderr
    _playing: int = 0
    _finished: int = 0
    _notice: Callable[[], str] | None = None
    _told: str = ""
    _lost: list[tuple[Trial, Timing]] = field(default_factory=list[tuple[Trial, Timing]])

    async def play(self, planned: PlannedTrial) -> Trial | None:
        """The finished trial; None where the run has been given up."""
        if self.down:
            return None
        seed = self.player.plan.seed_for(planned.task, planned.number, "agent")
        cast = self.casting(planned, seed)
        self._playing += 1
        self.most = max(self.most, self._playing)
        try:
            agent = self._limited(cast)
            trial, timing = await self.player.play_async(planned, agent, cast.speaker)
        finally:
            self._playing -= 1
        if cast.after is not None:
            try:
                await cast.after()
            except InputError as error:
                self.problem, self.down = error, str(error)
                return None
        timing = replace(timing, usage=cast.usage(), statuses=cast.statuses())
        if trial.fault is Fault.INFRASTRUCTURE:
            self._lost.append((trial, timing))
            if len(self._lost) >= IN_A_ROW:
                self._give_up()
        else:
            self._keep_lost()
            self.ended(trial, timing)
            self._finished += 1
        self.over += 1
        self._notice = cast.notice
        if self.over == EARLY:
            self._tell()
        return trial

    def _give_up(self) -> None:
        ending = self._lost[-1][0].transcript.ended
        self.down = (ending.detail if ending else "") or "no reason was given"

    def _tell(self) -> None:
        """Tell the notice, unless those were the last words."""
        text = self._notice() if self._notice is not None else ""
        if text and text != self._told:
            self._told = text
            self.tell(text)

    def _limited(self, cast: TrialCast) -> Maker:
        """The cast's agents, each play's held to the plan's limits anew."""
        if self.seconds is None:
            return cast.agent
        return _Limited(cast, self.seconds, self.player.plan.limits).agent

    def close(self) -> None:
        """At the end of a run that was not given up, trials that were lost are kept as excluded.
        Where all were lost, the run is given up now, however few they were."""
        if self._lost and not self._finished:
            self._give_up()
        if not self.down:
            self._keep_lost()
        self._tell()

    def _keep_lost(self) -> None:
        for trial, timing in self._lost:
            self.ended(trial, timing)
        self._lost.clear()
