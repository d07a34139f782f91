"""A model as the user: each trial's own line to it, and what it used."""

from __future__ import annotations

from dataclasses import replace

from mystery_shopper.engine.casting import MODEL
from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.providers import open_named
from mystery_shopper.engine.lasting.stage import Casting, TrialCast
from mystery_shopper.engine.plan import ModelOptions, PlannedTrial, RunPlan, UserOptions
from mystery_shopper.engine.speakers import guarded
from mystery_shopper.suites.tau_rec.modeluser import ModelVoice
from mystery_shopper.suites.tau_rec.modeluser.prompt import user_rules
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.user import RuleUser


def with_users(plan: RunPlan, casting: Casting) -> Casting:
    """The casting with the plan's user where that is a model. Raises InputError with what Inspect
    says of a provider that is unknown or lacks its package or key."""
    if not plan.user.startswith(MODEL):
        return casting
    wanted = plan.user_options or UserOptions()
    model = open_named(plan.user.removeprefix(MODEL), wanted.base_url, f"--user {plan.user}")
    options = ModelOptions(
        temperature=wanted.temperature, max_tokens=wanted.max_tokens, cache=plan.model.cache
    )

    def play(planned: PlannedTrial, seed: int) -> TrialCast:
        cast = casting(planned, seed)
        own = plan.seed_for(planned.task, planned.number, "user")
        lines: list[InspectModel] = []

        def voice(rule: RuleUser, shelf: Shelf) -> ModelVoice:
            # A trial that its user has spoilt is played again, and not with the same draws.
            line = InspectModel(model, options, (own + len(lines)) % 2**31)
            lines.append(line)
            rules = user_rules(rule.task, shelf.wording, persona=wanted.voice_persona)
            return ModelVoice(line, rules)

        return replace(cast, speaker=guarded(plan, voice), meters={**cast.meters, "user": lines})

    return play
