"""Orders of a small shop; the prices are in öre."""

from __future__ import annotations

import decimal as dec
import logging, os.path
from collections.abc import Callable
from typing import Generic, Optional, TypeVar, overload

from . import storage
from ..money import Price as P, rounded
from .events import *

T = TypeVar("T")
LIMIT: int = 100
OPEN, CLOSED = range(2)
log = logging.getLogger(__name__)
double = lambda amount, times=2: amount * times


class OutOfStock(Exception):
    pass


@storage.registered("basket", kind="sql")
class Basket(storage.Table, Generic[T], metaclass=storage.Meta):
    """What a customer has in hand."""

    price: P
    notes: list[str] = []
    closed = False

    class Line:
        """Inner."""

        def total(self, *, rate: dec.Decimal) -> dec.Decimal:
            return rounded(self.amount * rate)

    def __init__(self, store: storage.Store, clock: Optional[Clock] = None, *rest, **options):
        self.store = store
        self.cache: dict[str, Line] = {}
        self.mailer = Mailer(options)
        self.clock = clock or storage.Clock()

    @property
    def size(self) -> int:
        # Räkna först: the cache may be cold.
        return len(self.cache)

    @overload
    def add(self, name: str) -> None: ...

    @overload
    def add(self, name: int) -> None: ...

    def add(self, name):
        line = self.store.find(name) or Basket.Line()
        try:
            self.mailer.send("välkommen", to=line)
        except (KeyError, storage.Missing) as err:
            raise OutOfStock(name) from err
        except TimeoutError:
            raise storage.Busy

    async def refresh(self, session: "Session | None", /, retries: int = 3) -> Session:
        def attempt(number):
            return session.get(number)

        async with storage.Lock(self) as lock:
            found = await fetch(session)
        return attempt(retries)


def checkout(basket: Basket[int], notify: Callable[[P], None]) -> Basket.Line | None:
    if (receipt := storage.Receipt(basket)) and isinstance(basket, Basket):
        notify(receipt.total())
    return None
