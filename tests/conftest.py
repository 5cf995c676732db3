"""Configures hypothesis: the same examples in every run or, when soaking, many random ones."""

from hypothesis import HealthCheck, Phase, settings

from tests.counts import soaking

# A busy machine is no failure: no example has a deadline.
settings.register_profile("small", deadline=None, derandomize=True, database=None, max_examples=100)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=5_000,
    print_blob=True,  # how to repeat a failure found by chance
    suppress_health_check=[HealthCheck.too_slow],  # slow inputs are expected on a busy machine
)
settings.register_profile(
    "mistakes",  # tests/mutation.py asks whether a test fails, not for the smallest reason
    settings.get_profile("small"),
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("soak" if soaking() else "small")
