"""From a user's name to who words its replies: the rule-based user, a model, a person's class."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TypeAlias

from mystery_shopper.engine.casting import MODEL, own_object
from mystery_shopper.engine.plan import RULE_BASED, RunPlan, UserOptions
from mystery_shopper.foundation import InputError, MysteryShopperError
from mystery_shopper.suites.tau_rec.guard import Ear
from mystery_shopper.suites.tau_rec.modeluser import GuardedUser, OwnVoice, Voice
from mystery_shopper.suites.tau_rec.modeluser.own import OwnUserClass
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.stage import UserFactory
from mystery_shopper.suites.tau_rec.user import RuleUser

VoiceMaker: TypeAlias = Callable[[RuleUser, Shelf], Voice]
_REMEDY = "Use rule-based; model:PROVIDER/NAME; or package.module:Class, your own."


def user_problems(name: str) -> list[str]:
    """Why there is no such user, with those there are; empty if there is."""
    if name == RULE_BASED or name.removeprefix(MODEL) not in (name, ""):
        return []
    try:
        own_class(name)
    except InputError as error:
        return [f"--user {name!r} is unknown: {error.problems[0]}. {_REMEDY}"]
    return []


def user_talks(name: str) -> bool:
    """Whether a user of this name has to be waited for, so that it plays through the lasting
    engine: a model, or a class with an asynchronous method."""
    if name == RULE_BASED:
        return False
    if name.startswith(MODEL):
        return True
    found = own_class(name)
    return any(inspect.iscoroutinefunction(getattr(found, part, None)) for part in ("open", "hear"))


def own_class(name: str) -> OwnUserClass:
    """The class (or factory) of `package.module:Class`, whose modules may lie in the current
    folder. Raises InputError where there is none."""
    module, colon, attribute = name.partition(":")
    if not colon:
        raise InputError("there is no user of this name", where="--user", remedy=_REMEDY)
    found: OwnUserClass = own_object(module, attribute, "--user", _REMEDY)
    return found


def speaker_of(plan: RunPlan) -> UserFactory | None:
    """Who speaks in the rule-based user's place; None where that speaks itself. A model's voice
    comes with each trial of a lasting run."""
    if plan.user == RULE_BASED:
        return None
    if plan.user.startswith(MODEL):
        return _no_voice
    found = own_class(plan.user)
    return guarded(plan, lambda rule, shelf: OwnVoice(found(rule.task, shelf.catalogue)))


def guarded(plan: RunPlan, voice: VoiceMaker) -> UserFactory:
    """Users with such voices, under the guard that the plan asks for."""
    ears: dict[str, Ear] = {}
    options = plan.user_options or UserOptions()

    def speak(rule: RuleUser, shelf: Shelf) -> GuardedUser:
        ear = ears.setdefault(plan.catalogue_digest, Ear(shelf.catalogue))
        return GuardedUser(rule, ear, lambda: voice(rule, shelf), options.enforce)

    return speak


def _no_voice(_: RuleUser, __: Shelf) -> GuardedUser:
    raise MysteryShopperError("a model as the user plays through the lasting engine")
