"""Settings that all tests share."""

from hypothesis import settings

# Two cores do the tests, two browsers and the engine at once: time limits would be chance.
settings.register_profile("checks", deadline=None)
settings.load_profile("checks")
