"""The eval of packets on tasks with a known answer: gold and forbidden files, claims, bodies."""

import json
from pathlib import Path

import pytest

from benchmarks import packets
from tests.support import commit_all, git, start_repo, write_tree

LINES = "".join(f"    total_{n} = price + {n}\n" for n in range(8))
FILES = {
    "till/drawer.py": "from till.coins import count_coins\n\n\n"
    f"def open_drawer(price):\n{LINES}    count_coins(price)\n    return total_1\n",
    "till/coins.py": f"def count_coins(price):\n{LINES}    return total_2\n",
    "till/receipt.py": f"def print_receipt(price):\n{LINES}    return total_3\n",
    "garden/hose.py": f"def water_roses(price):\n{LINES}    return total_4\n",
    "docs/drawer.md": "# open_drawer\n\nopen_drawer opens the drawer; count_coins counts.\n",
}
GOLD = [
    {"task": "open_drawer() adds the price twice", "gold": ["till/drawer.py"], "forbidden": ["docs/drawer.md"]},
    {"task": "count_coins miscounts", "gold": ["till/coins.py"], "forbidden": ["garden/hose.py"]},
    {"task": "print_receipt prints no total", "gold": ["till/receipt.py"], "forbidden": ["garden/hose.py"]},
    {
        "task": "Calibrate the telescope mirrors of the observatory",
        "gold": [],
        "claims": ["no_seed_resolved", "no_confident_match"],
    },
    {"task": "Repair open_drawer and add holograms of quasars", "gold": ["till/drawer.py"], "claims": ["partial"]},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("gold")
    (home / "shop").mkdir()
    root = start_repo(home / "shop")
    write_tree(root, FILES)
    base = commit_all(root, "start")
    write_tree(root, {"till/drawer.py": FILES["till/drawer.py"].replace("price + 3", "price + 30")})
    commit_all(root, "open the drawer (#1)")
    git(home, "clone", "--quiet", "--bare", str(root), str(home / "repositories/our+shop"))
    rows = [{"id": f"shop-{n + 1}", "repo": "our/shop", "base": base, **row} for n, row in enumerate(GOLD)]
    (home / "tasks.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return home


@pytest.mark.capability("C-050")
def test_tasks_with_a_known_answer_pass_their_gates(folder: Path) -> None:
    found = packets.run(folder, packets.tasks(folder))

    for tally in found.values():
        assert sum(tally.recall["all"]) / len(tally.recall["all"]) >= 80
        assert sum(tally.precision) / len(tally.precision) >= 40
        assert (tally.forbidden, tally.unexpected, tally.false_claims, tally.over) == (0, 0, 0, 0)
    assert found["balanced"].bodies == [100.0]


@pytest.mark.capability("C-050")
def test_a_missing_gold_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"tasks\.jsonl"):
        packets.tasks(tmp_path)
