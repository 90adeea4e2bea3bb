"""The operation that finds knowledge. Refuses behaviour: this is data."""

from gitmem.operations.rules import AT
from gitmem.operations.table import ADMIN, AGENT, CLI, FLAG, INTEGER, NUMBER, TEXT, TEXTS, WORDS, Operation, Param

FILTERS = (
    Param("domain", TEXT, "only items in this domain or below it", "--domain"),
    Param("kind", TEXTS, "only these kinds; skill and proposal are kinds too", "--kind"),
    Param("status", TEXTS, "only these statuses (default: draft, active, open)", "--status"),
    Param("freshness", TEXTS, "only what is fresh, aging, stale or forgotten by its age", "--freshness"),
    Param("author", TEXT, "only items whose author's name or address holds this", "--author"),
    Param("created_after", TEXT, "only items made on this day or later", "--created-after"),
    Param("created_before", TEXT, "only items made on this day or before", "--created-before"),
    Param("min_importance", NUMBER, "only items at least as important, 0 to 1", "--min-importance"),
    Param("tag", TEXTS, "only items with all of these tags", "--tag"),
    Param("context_tag", TEXTS, "only items with all of these context tags", "--context-tag"),
    Param("verification", TEXTS, "only these: unverified, plausible, probable, verified, refuted", "--verification"),
    Param("visibility", TEXTS, "only these: public, team, restricted, private", "--visibility"),
    Param("path", TEXT, "only items about this repository path: by scope, claim or source", "--path"),
    Param("rules", FLAG, "only items with a scope", "--rules"),
)
_SEARCH = Operation(
    verb="search",
    tool="search",
    help="what is known about something: engrams, rules, skills, open proposals",
    about="One word may match, ranking decides. Say the task in your own words, in any language; then get what fits.",
    example="gitmem search retry after a timeout",
    request="gitmem.answers.search:SearchCall",
    target="gitmem.answers.search:search",
    render="gitmem.render.search:text",
    surfaces=(CLI, AGENT, ADMIN),
    params=(
        Param("text", WORDS, 'words; on the command line also "a phrase" and title:word'),
        *FILTERS,
        Param("expand", INTEGER, "steps along edges to bring in neighbours, 0 (off) to 3 (default 1)", "--expand"),
        Param("limit", INTEGER, "at most this many hits, 1 to 100 (default 20)", "--limit"),
        Param("explain", FLAG, "with each part of every score", "--explain"),
        Param("plain", FLAG, "quotes and field: are signs like any other", "--plain", in_tool=False),
        AT,
    ),
)


def operations() -> tuple[Operation, ...]:
    return (_SEARCH,)
