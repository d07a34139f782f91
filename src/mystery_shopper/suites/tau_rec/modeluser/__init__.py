"""Users whose words code does not choose: a language model's, and a person's own class."""

from mystery_shopper.suites.tau_rec.modeluser.guarded import GuardedUser
from mystery_shopper.suites.tau_rec.modeluser.own import OwnVoice
from mystery_shopper.suites.tau_rec.modeluser.voice import ModelVoice, TapedVoice, Voice

__all__ = ["GuardedUser", "ModelVoice", "OwnVoice", "TapedVoice", "Voice"]
