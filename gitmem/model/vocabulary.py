"""The closed sets and limits of knowledge files. Refuses to hold values of its own kind."""

from types import MappingProxyType

KINDS = (
    "observation",
    "fact",
    "pattern",
    "procedure",
    "hypothesis",
    "decision",
    "guideline",
    "constraint",
    "template",
    "reference",
)
STATUSES = ("draft", "active", "frozen", "forgotten", "deprecated", "superseded")
VISIBILITIES = ("public", "team", "restricted", "private")
SOURCE_TYPES = ("firsthand", "secondhand", "inferred")
VERIFICATIONS = ("unverified", "plausible", "probable", "verified", "refuted")
CONFIDENCE_BY_SOURCE = MappingProxyType({"firsthand": 0.85, "secondhand": 0.65, "inferred": 0.5})

# The tag of a rule that a person gave in words, for the time to come.
STANDING = "standing"
TITLE_MAX = 200
SUMMARY_MAX = 300
FILE_MAX_BYTES = 1 << 20

# A YAML value as text: every scalar stays the characters that were typed.
Text = str | list["Text"] | dict[str, "Text"]
