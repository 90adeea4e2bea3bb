"""The errors that people read: what, where, how to mend it. Refuses to know any other room."""


class GitmemError(Exception):
    """An outcome that somebody outside the program can mend; exit code 1.

    ``code`` is a stable kebab-case word for programs, ``place`` is ``path:line`` or a path, ``hint`` how to mend it.
    """

    code = "error"
    exit_code = 1

    def __init__(self, message: str, *, hint: str = "", place: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.place = place
        if code:
            self.code = code


class UsageError(GitmemError):
    """The request itself is not one that gitmem understands; exit code 2."""

    code = "usage"
    exit_code = 2
