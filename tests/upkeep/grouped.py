"""A repository of engrams that belong together in different ways, for the stage that looks for that. Refuses clocks."""

from collections.abc import Mapping

from tests.upkeep.tended import edge, item

# Five that say much the same of one matter, each with words of its own.
_QUEUE = (
    "A worker of the queue takes one job at a time, marks the job with its name, and gives the job back when the lock "
    "on it runs out"
)
QUEUE: Mapping[str, str | bytes] = {
    f".gitmem/engrams/queue/{name}.md": item(number, title, f"{_QUEUE}; {own}.\n", tags=tags)
    for number, name, title, own, tags in (
        (
            1,
            "mail",
            "Workers that send mail",
            "letters that bounce are tried again on the next morning",
            ["queue", "post"],
        ),
        (2, "images", "Workers that scale images", "pictures above forty megapixels go to another machine", ["queue"]),
        (
            3,
            "billing",
            "Workers that write bills",
            "numbers of invoices never have gaps, also not after a crash",
            ["queue"],
        ),
        (5, "exports", "Workers that write exports", "rows beyond a million go into a second file", ["sheets"]),
        (4, "search", "Workers that feed search", "documents without a language count as English ones", ["imported"]),
    )
}
APART: Mapping[str, str | bytes] = {
    ".gitmem/config.yaml": "format: 1\n",
    ".gitmem/engrams/a/tea.md": item(20, "Tea", "Somebody liked it with lemon once, long before noon.\n"),
    ".gitmem/engrams/a/tram.md": item(21, "Tram", "Line nine stops behind our house every seven minutes.\n"),
}
# Joined as alike: two that are not, and two of which one has all that the other has.
_SHORT = "Names of tables are plural, and names of columns are singular nouns without prefix.\n"
EDGES: Mapping[str, str | bytes] = {
    ".gitmem/engrams/db/names.md": item(30, "Names in the database", _SHORT),
    ".gitmem/engrams/db/more.md": item(
        31,
        "All about names",
        f"{_SHORT}Indexes carry the table and every column, joined by underscores; views end in v.\n",
    ),
    **edge(30, "similar_to", 31),
    **edge(20, "similar_to", 21),
}
# Two that were replaced; a pattern with a scope, and its tags elsewhere; a pattern one of whose sources has ended.
INSIGHTS: Mapping[str, str | bytes] = {
    **{
        f".gitmem/engrams/ops/{name}.md": item(number, title, f"{body}\n", status=status)
        for number, name, title, body, status in (
            (41, "cron", "Nightly runs by cron", "A line in the crontab starts them at two.", "superseded"),
            (42, "timer", "Nightly runs by timers", "Units of systemd wake whatever sleeps after midnight.", "active"),
            (43, "ftp", "Files by FTP", "Partners fetch exports over plain FTP.", "superseded"),
            (44, "bucket", "Files in a bucket", "Exports lie behind signed addresses for one hour.", "active"),
        )
    },
    **edge(42, "supersedes", 41),
    **edge(44, "supersedes", 43),
    **{
        f".gitmem/engrams/net/{name}.md": item(
            number, title, f"{body}\n", kind=kind, tags=["http", "limits"], scope={"paths": [path]}
        )
        for number, name, title, body, kind, path in (
            (51, "backoff", "Back off twice", "Calls double their pause, twice and no more.", "pattern", "src/api/**"),
            (52, "pool", "Small pools", "Sockets are shared by eight at once.", "fact", "src/jobs/**"),
            (53, "bytes", "Large answers", "Whatever exceeds a megabyte streams.", "fact", "src/jobs/run.py"),
        )
    },
    ".gitmem/engrams/old/pattern.md": item(
        60, "A pattern of old", "Three habits of mice, seen at dusk.\n", kind="pattern"
    ),
    **edge(60, "derives_from", 41),
    **edge(60, "derives_from", 20),
    **edge(60, "derives_from", 21),
}
