"""What each path below ``.gitmem`` is for. Refuses to open any of them."""

from enum import StrEnum

ENGRAMS = "engrams/"
SKILLS = "skills/"
INTENTIONS = "intentions/"
CONFIG = "config.yaml"
LAYERS = "layers.yaml"
TAGS = "tags.yaml"
# What lies at the top of a folder that gitmem wrote.
OURS = ("engrams", CONFIG, "synapses", "skills", "intentions", "ledger", LAYERS, TAGS)
# The folders whose files are only ever added to.
RECORDS = ("ledger", "approvals")


class Place(StrEnum):
    """The kinds of file that the folder knows; FOREIGN is none of them."""

    ENGRAM = "engram"
    SYNAPSE = "synapse"
    SKILL = "skill"
    INTENTION = "intention"
    CONFIG = "config"
    LAYERS = "layers"
    TAGS = "tags"
    LEDGER = "ledger"
    ROLL = "roll"
    APPROVAL = "approval"
    PACK = "pack"
    SUPPORT = "support"
    CACHE = "cache"
    FOREIGN = "foreign"


_FILES = {
    CONFIG: Place.CONFIG,
    LAYERS: Place.LAYERS,
    TAGS: Place.TAGS,
    "packs.lock": Place.SUPPORT,
    "allowed_signers": Place.SUPPORT,
    ".gitattributes": Place.SUPPORT,
    ".gitignore": Place.SUPPORT,
    "README.md": Place.SUPPORT,
}
# Order matters: ledger/roll/ before ledger/.
_FOLDERS = (
    ("engrams/", ".md", Place.ENGRAM),
    ("synapses/", ".yaml", Place.SYNAPSE),
    (SKILLS, "/SKILL.md", Place.SKILL),
    (INTENTIONS, ".md", Place.INTENTION),
    ("ledger/roll/", ".yaml", Place.ROLL),
    ("ledger/", ".yaml", Place.LEDGER),
    ("approvals/", ".yaml", Place.APPROVAL),
    ("packs/", "", Place.PACK),
    ("cache/", "", Place.CACHE),
)
IN_SNAPSHOT = frozenset({Place.ENGRAM, Place.CONFIG, Place.LAYERS, Place.TAGS})
TEXT_SUFFIXES = (".md", ".yaml", ".yml", ".json")
_LEFTOVERS = (".tmp", "~", ".swp", ".swo", "4913", ".DS_Store", "Thumbs.db")


def place_of(rel: str) -> Place:
    """What the file at ``rel`` (POSIX, below ``.gitmem``) is."""
    known = _FILES.get(rel)
    if known is not None:
        return known
    for folder, suffix, place in _FOLDERS:
        if rel.startswith(folder):
            return place if rel.endswith(suffix) else Place.FOREIGN
    return Place.FOREIGN


def is_leftover(rel: str) -> bool:
    """True for what editors and interrupted writes leave behind: never an item, never reported as broken."""
    name = rel.rpartition("/")[2]
    return name.endswith(_LEFTOVERS) or name.startswith((".#", ".gitmem-tmp-", "#"))


def engram_path(domain: str, slug: str) -> str:
    return f"{ENGRAMS}{domain}/{slug}.md" if domain else f"{ENGRAMS}{slug}.md"
