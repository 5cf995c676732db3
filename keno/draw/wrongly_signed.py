"""Messages that R or W signed but that are wrong (15.7): they halt and are not requested again."""

from contextlib import suppress

from keno.domain.errors import Irregular, Refusal
from keno.domain.halt import HaltFault
from rng.records import SignedMessage, check_signed


def wrongly_signed(location: str, game: int, what: str, *, twice: bool = False) -> Irregular:
    """Return an Irregular, which halts, for a wrong message that R or W signed.

    `what` says what is wrong, without drawn numbers. `twice` means a second message for one step.
    """
    return Irregular(
        HaltFault.SIGNED_TWICE if twice else HaltFault.SIGNED_WRONG,
        f"Game {game}: {what}.",
        location=location,
        stored=False,
        reason=Refusal.BAD_DRAW,
    )


def is_signed(messages: object, *keys: str) -> bool:
    """Return whether one of these keys signed any of these messages, whatever their form.

    The function finds messages that are signed but invalid, such as a draw with the number 81.
    """
    for each in messages if isinstance(messages, list) else []:
        body, sigs = (each.get("body"), each.get("sigs")) if isinstance(each, dict) else (0, 0)
        if isinstance(body, dict) and isinstance(sigs, dict):
            for key in sigs.keys() & set(keys):
                with suppress(TypeError, ValueError):
                    check_signed(SignedMessage("message", body, {key: sigs[key]}), key)
                    return True
    return False
