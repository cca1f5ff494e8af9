"""For all tests: this directory is on the import path, so that they can share inputs; deadlines and interrupts."""

import signal

from hypothesis import settings

from hccd.confidence import cost

# A busy machine is no failure.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

# A shell turns interrupts off for what it starts in the background; the tests send some, to themselves and to others.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Resamples by default would make most tests ten times as long; those of tests/confidence ask for them.
cost.MOST_WORK = 0.0
