"""Parts of other rooms that a stage runs where they are there. Refuses to hide what fails inside of one."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

from gitmem.lazy import load

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def arrived(target: str) -> Callable[..., Any] | None:  # reason: as in lazy.load
    """The function that ``package.module:name`` names, None where there is no such module."""
    module = target.partition(":")[0]
    return load(target) if find_spec(module) is not None else None
