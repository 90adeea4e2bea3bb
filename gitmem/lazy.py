"""The one door through which code is loaded when it is first needed. Refuses to know what it loads."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def load(target: str) -> Callable[..., Any]:  # reason: the types behind a name are known only where it is called
    """The function that ``package.module:name`` names."""
    module, _, name = target.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)  # reason: as above
    return found
