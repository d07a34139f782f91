"""The conformance kit: what the author of an agent or of a suite runs in their own pytest.

Subclass, say how yours is made, and pytest collects the checks:

    from mystery_shopper.testing import AgentConformance

    class TestMyAgent(AgentConformance):
        deterministic = True

        def make_agent(self):
            return MyAgent()

The agent is tried on a toy shop whose tools are `search`, `get_metadata` and `recommend`; override
`make_episode` to have it tried on a suite's own. The kit imports no pytest: each check is a plain
method that raises AssertionError, and may be called by hand.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from mystery_shopper.dialogue import Agent, Episode, Limits, Transcript
from mystery_shopper.testing import agent_checks, episode_checks
from mystery_shopper.testing.shop import ShopEpisode

T = TypeVar("T")


class AgentConformance:
    """An agent does what the loop needs of it. `make_agent` gives a fresh one for each trial.

    `deterministic`: the agent claims to do the same when it is shown the same. `limits`: within
    which it ends an ordinary trial by itself; their seconds are its time for any one check.
    """

    deterministic: bool = False
    limits: Limits = Limits()

    @abstractmethod
    def make_agent(self) -> Agent:
        """A fresh agent, plain or asynchronous."""
        raise NotImplementedError

    def make_episode(self) -> Episode:
        """The episode that it is tried on, a fresh one each time and always the same."""
        return ShopEpisode()

    def test_it_plays_a_trial_to_its_end(self) -> None:
        """Every view is answered with an act of the right form, the view is left as it was, and
        the agent ends the trial itself."""
        agent_checks.check_plays(self.make_agent, self.make_episode, self.limits)

    def test_it_copes_with_tools_that_find_nothing(self) -> None:
        """Every list in every result is empty."""
        agent_checks.check_empty_results(self.make_agent, self.make_episode, self.limits)

    def test_it_copes_with_tool_errors(self) -> None:
        """Every call is refused."""
        agent_checks.check_tool_errors(self.make_agent, self.make_episode, self.limits)

    def test_it_copes_with_strange_words(self) -> None:
        """Empty, endless, foreign, or made of marks."""
        agent_checks.check_strange_words(self.make_agent, self.make_episode, self.limits)

    def test_it_copes_with_unknown_messages(self) -> None:
        """Messages that follow from nothing it did."""
        agent_checks.check_unknown_messages(self.make_agent, self.make_episode, self.limits)

    def test_it_lasts_for_many_turns(self) -> None:
        """Sixty turns with a customer who says nothing useful."""
        agent_checks.check_many_turns(self.make_agent, self.make_episode, self.limits)

    def test_it_takes_a_long_conversation(self) -> None:
        """Two thousand messages at once."""
        agent_checks.check_long_conversation(self.make_agent, self.make_episode, self.limits)

    def test_it_is_fresh_for_every_trial(self) -> None:
        """Agents of two trials share nothing, one after the other and side by side."""
        agent_checks.check_fresh(
            self.make_agent, self.make_episode, self.limits, self.deterministic
        )

    def test_it_does_the_same_again_if_it_says_so(self) -> None:
        """Two trials are equal byte by byte; nothing is asked where it claims nothing."""
        if self.deterministic:
            agent_checks.check_deterministic(self.make_agent, self.make_episode, self.limits)


class _Episodes:
    """The checks of episodes, over all that there are."""

    hostile_acts: int = 500
    seed: int = 0

    def episodes(self) -> Mapping[str, Callable[[], Episode]]:
        """Each episode's name and how it is made."""
        raise NotImplementedError

    def episode_secrets(self, name: str) -> Iterable[str]:
        """What the agent of one episode must not be shown."""
        del name
        return ()

    def test_it_opens_with_the_user(self) -> None:
        """The agent sees the user's words first, and always the same."""
        self._each(episode_checks.check_opening)

    def test_its_tools_are_well_described(self) -> None:
        """Names, descriptions and schemas."""
        self._each(episode_checks.check_tools)

    def test_it_ends_exactly_once(self) -> None:
        """Nothing comes after the ending, whatever the agent does."""
        self._each(lambda make: episode_checks.check_ends_once(make, self.seed))

    def test_it_shows_no_verdict(self) -> None:
        """Verdicts, readings and the ending stay unseen."""
        self._each(episode_checks.check_shows_no_verdict)

    def test_it_keeps_its_secrets(self) -> None:
        """What the task holds back is nowhere to be read."""
        for name, make in self.episodes().items():
            secrets = tuple(self.episode_secrets(name))
            _named(
                name, lambda make=make, kept=secrets: episode_checks.check_keeps_secrets(make, kept)
            )

    def test_the_same_acts_bring_about_the_same(self) -> None:
        """Byte by byte."""
        self._each(lambda make: episode_checks.check_repeats(make, self.seed))

    def test_its_transcript_survives_json(self) -> None:
        """Written and read again."""
        self._each(lambda make: episode_checks.check_round_trip(make, self.seed))

    def test_hostile_acts_do_not_break_it(self) -> None:
        """`hostile_acts` of them, over all episodes."""
        made = self.episodes()
        for name, make in made.items():
            acts = -(-self.hostile_acts // len(made))
            _named(
                name,
                lambda make=make, acts=acts, name=name: episode_checks.check_hostile(
                    make, acts, self.seed, self._score_of(name)
                ),
            )

    def _score_of(self, name: str) -> Callable[[Transcript], Any] | None:
        del name
        return None

    def _each(self, check: Callable[[Callable[[], Episode]], None]) -> None:
        made = self.episodes()
        assert made, "there is no episode to check"
        for name, make in made.items():
            _named(name, lambda make=make: check(make))


class EpisodeConformance(_Episodes):
    """One episode does what the loop needs of it. `secrets` are texts that its agent must not be
    shown by the opening, the tools, or the user's answers to plain talk."""

    secrets: Sequence[str] = ()

    @abstractmethod
    def make_episode(self) -> Episode:
        """A fresh episode, always the same."""
        raise NotImplementedError

    def episodes(self) -> Mapping[str, Callable[[], Episode]]:
        """The one."""
        return {"the episode": self.make_episode}

    def episode_secrets(self, name: str) -> Iterable[str]:
        """Its secrets."""
        del name
        return self.secrets


class SuiteConformance(_Episodes, Generic[T]):
    """A suite proves itself on some of its tasks: every check of episodes, an oracle that scores
    full marks, a null agent that scores nothing, and scores that follow from transcripts alone."""

    @abstractmethod
    def tasks(self) -> Mapping[str, T]:
        """Some tasks by name, of every kind that the suite has."""
        raise NotImplementedError

    @abstractmethod
    def make_episode(self, task: T) -> Episode:
        """A fresh episode of the task."""
        raise NotImplementedError

    @abstractmethod
    def make_oracle(self, task: T) -> Agent:
        """An agent that knows the task and scores full marks."""
        raise NotImplementedError

    @abstractmethod
    def make_null(self, task: T) -> Agent:
        """An agent that does nothing of use."""
        raise NotImplementedError

    @abstractmethod
    def score(self, task: T, transcript: Transcript) -> Any:
        """What the suite makes of a transcript; something that JSON can hold."""
        raise NotImplementedError

    @abstractmethod
    def succeeded(self, score: Any) -> bool | None:
        """Whether a score is full marks; None for a trial that is not scored."""
        raise NotImplementedError

    def satisfiable(self, task: T) -> bool:
        """Whether doing nothing is wrong on this task."""
        del task
        return True

    def secrets(self, task: T) -> Iterable[str]:
        """What an agent must not be shown by the opening, the tools, or answers to plain talk."""
        del task
        return ()

    def episodes(self) -> Mapping[str, Callable[[], Episode]]:
        """One for each task."""
        return {
            name: lambda task=task: self.make_episode(task) for name, task in self.tasks().items()
        }

    def episode_secrets(self, name: str) -> Iterable[str]:
        """The task's."""
        return self.secrets(self.tasks()[name])

    def test_the_oracle_scores_full_marks(self) -> None:
        """On every task."""
        self._scored(self.make_oracle, self.tasks(), wanted=True)

    def test_the_null_agent_scores_nothing(self) -> None:
        """On every task that can be solved."""
        possible = {n: task for n, task in self.tasks().items() if self.satisfiable(task)}
        self._scored(self.make_null, possible, wanted=False)

    def test_scores_follow_from_the_transcript_alone(self) -> None:
        """Scored again, and from a transcript read back, they are the same."""
        for name, task in self.tasks().items():
            for make in (self.make_oracle, self.make_null):
                transcript = episode_checks.trial_of(make(task), self.make_episode(task))
                score = self._score_of(name)
                _named(
                    name,
                    lambda got=transcript, score=score: episode_checks.check_score_is_pure(
                        got, score
                    ),
                )

    def _score_of(self, name: str) -> Callable[[Transcript], Any]:
        task = self.tasks()[name]
        return lambda transcript: self.score(task, transcript)

    def _scored(self, make: Callable[[T], Agent], tasks: Mapping[str, T], *, wanted: bool) -> None:
        for name, task in tasks.items():
            transcript = episode_checks.trial_of(make(task), self.make_episode(task))
            score = self.score(task, transcript)
            assert self.succeeded(score) is wanted, (
                f"{name}: success is {self.succeeded(score)}, and {wanted} was due: {score}"
            )


def _named(name: str, check: Callable[[], object]) -> None:
    """The check with the episode's name before what it says."""
    try:
        check()
    except AssertionError as error:
        raise AssertionError(f"{name}: {error}") from error
