"""What a record costs: one line, a compile with and without it, all counts of a long journal, and feedback."""

from benchmarks.generate import targets
from benchmarks.measure import cpu, gitmem, interleaved
from benchmarks.report import Figure, Table
from benchmarks.setting import Setting, build, inside

NAME = "journal"
APPEND_MS, TALLY_MS, NEWS_MS, FEEDBACK_MS, SHARE = 1, 1000, 10, 2, 1.05
_EVENTS, _QUICK_EVENTS = 100_000, 500
_LARGE = 1_000


def measured(setting: Setting) -> Table:
    count = _EVENTS if setting.rules >= _LARGE else _QUICK_EVENTS
    recipe = setting.recipe()
    root, files = setting.repository(recipe), targets(recipe)
    build(root, files)
    config = root / ".git" / "config"
    plain = config.read_text(encoding="utf-8")
    for state in ("on", "off"):
        config.with_suffix(f".{state}").write_text(f"{plain}[gitmem]\n\tjournal = {state}\n", encoding="utf-8")
    words = " ".join(f"'{word}'" for word in gitmem("compile", *files))
    commands = {state: ["sh", "-c", f"cp .git/config.{state} .git/config; exec {words}"] for state in ("on", "off")}
    cold = {state: cpu(rows) for state, rows in interleaved(commands, root, 2 * setting.rounds).items()}
    config.write_text(plain, encoding="utf-8")
    found = inside("journal", str(root), str(max(2, setting.rounds)), str(count), *files)
    lines = ("the same bytes, appended and nothing else", found["write.cpu"])
    off = "the same, journal off"
    durable = "its line alone, on the disk"
    figures = (
        Figure(NAME, "one event, CPU", found["append.cpu"], "ms", *lines, limit=APPEND_MS),
        Figure(NAME, "one event, wall", found["append.wall"], "ms", limit=APPEND_MS),
        Figure(NAME, "compile, new process", cold["on"], "ms", off, cold["off"], limit=SHARE, is_ratio=True),
        Figure(NAME, "compile, warm process", found["compile.cpu"], "ms", off, found["unrecorded.cpu"]),
        Figure(NAME, "all counts, cold, CPU", found["tally.cpu"], "ms", "its JSON alone", found["json.cpu"], TALLY_MS),
        Figure(NAME, "all entries in order, cold, CPU", found["entries.cpu"], "ms"),
        Figure(NAME, "use of all items, cold, CPU", found["uses.cpu"], "ms", limit=TALLY_MS),
        Figure(NAME, "use of all items, kept, cold process, CPU", found["kept.cpu"], "ms", limit=NEWS_MS),
        Figure(NAME, "use of all items, one more event, CPU", found["news.cpu"], "ms", limit=NEWS_MS),
        Figure(
            NAME, "feedback on an item, CPU", found["feedback.cpu"], "ms", durable, found["durable.cpu"], FEEDBACK_MS
        ),
    )
    size = f"{found['bytes'].median:.0f} bytes"
    return Table(NAME, f"Journal: {count:,} events of {size}, and one more", f"python -m benchmarks {NAME}", figures)
