"""Whether a part of another room is there that a stage would run. Refuses to hide what fails inside of one."""

from importlib import import_module
from importlib.util import find_spec


def arrived(target: str) -> bool:
    """Whether there is what ``package.module:name`` names."""
    module, _, name = target.partition(":")
    return find_spec(module) is not None and hasattr(import_module(module), name)
