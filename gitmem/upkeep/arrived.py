"""Whether a part of another room is there that a stage would run. Refuses to hide what fails inside of one."""

from importlib.util import find_spec


def arrived(target: str) -> bool:
    """Whether there is the module that ``package.module:name`` names."""
    return find_spec(target.partition(":")[0]) is not None
