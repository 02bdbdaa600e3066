"""The one error that the command line turns into a sentence for people."""


class UserError(Exception):
    """What happened, where, and what to do about it, in one line."""
