"""The one kind of error that the user can fix: its message is a sentence to print as it is."""

from __future__ import annotations


class InputError(ValueError):
    """Input that cannot be used; says what was given, what was expected and what to try."""
