"""How far an engram is borne out, as a value: each dimension with what was counted for it. Refuses any formula."""

from gitmem.record import record


@record
class Part:
    """One dimension; ``why`` is what was counted, in words."""

    name: str
    score: float
    weight: float
    why: str


@record
class Truth:
    """``doubts`` are what it comes from that has failed too often, in words."""

    score: float
    parts: tuple[Part, ...]
    doubts: tuple[str, ...] = ()

    def of(self, name: str) -> float:
        return next(part.score for part in self.parts if part.name == name)
