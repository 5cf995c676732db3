"""Where the verifier stops."""

import pytest

from rng.verify import NotVerified, VerifyOptions, verify


def fault(lines: list[bytes], question: VerifyOptions | None = None) -> tuple[int | None, int]:
    """The game and the step at which a chain is refused."""
    with pytest.raises(NotVerified) as refused:
        verify(lines, question)
    return refused.value.game, refused.value.step
