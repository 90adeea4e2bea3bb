"""The first compile in a clone: nothing is cached, every engram is parsed."""

from benchmarks.generate import Recipe, targets
from benchmarks.measure import Cost, Sample, cpu, gitmem, peak, run, sample
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build, inside

NAME = "parse"
LIMIT = 3
LIMIT_MB = 250


def measured(setting: Setting) -> Table:
    packed, loose = setting.recipe(), setting.recipe(is_loose=True)
    yaml, cards, costs = _both_sides(setting, packed)
    _, _, of_loose = _both_sides(setting, loose)
    warm = [run(gitmem("compile", *targets(packed)), setting.repository(packed)) for _ in costs]
    other = "CSafeLoader on the same headers"
    figures = (
        Figure(NAME, "packed: the whole first compile", cpu(costs), "ms", other, yaml, LIMIT, is_ratio=True),
        Figure(NAME, "of it: from bytes to what is indexed", cards, "ms", other, yaml),
        Figure(NAME, "loose: the whole first compile", cpu(of_loose), "ms", other, yaml),
        Figure(NAME, "packed: peak memory", peak(costs), "MB", "a compile from the cache", peak(warm), LIMIT_MB),
    )
    title = f"Nothing cached: {packed.title()}; CPU with Git"
    return Table(NAME, title, f"python -m benchmarks {NAME}", figures)


def _both_sides(setting: Setting, recipe: Recipe) -> tuple[Sample, Sample, list[Cost]]:
    """(CSafeLoader, our parse, whole compiles), in turns."""
    root, files = setting.repository(recipe), targets(recipe)
    yaml: list[float] = []
    cards: list[float] = []
    costs: list[Cost] = []
    for _ in range(max(2, setting.rounds // 3)):
        costs.append(build(root, files))
        found = inside("headers", str(root))
        yaml += found["yaml"].values
        cards += found["cards"].values
    return sample(yaml), sample(cards), costs
