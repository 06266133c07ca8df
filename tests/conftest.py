"""Settings for the whole suite: Hypothesis tries the same examples everywhere, without a clock.

``HYPOTHESIS_PROFILE=explore`` tries other, and more, examples each time.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("stable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "stable"))
