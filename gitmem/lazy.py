"""The one door through which code is loaded when it is first needed. Refuses to know what it loads."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:  # loading typing costs a cold command 3 ms
    from typing import Any


def load(target: str) -> Callable[..., Any]:  # reason: the types behind a name are known only where it is called
    """The function that ``package.module:name`` names."""
    module, _, name = target.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)  # reason: as above
    return found
