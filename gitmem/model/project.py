"""What a project is, by its files alone, as answers tell it. Refuses to find it out."""

from collections.abc import Mapping

from gitmem.record import record


@record
class Stated:
    """What a manifest or a document says of the project: ``name`` is title, description, version, license, language or
    requires; ``place`` is the file."""

    name: str
    value: str
    place: str


@record
class Package:
    """A folder that is built or imported as one, with how many source files it has."""

    path: str
    files: int


@record
class EntryPoint:
    """Where the program begins: ``how`` is script, main, server, page or task."""

    path: str
    how: str
    name: str | None = None


@record
class Hotspot:
    """A file that was changed most lately, in so many of the newest commits."""

    path: str
    commits: int


@record
class Project:
    """``languages`` counts files by language, most first; ``counts`` has files, sources, tests and documents.
    ``commits`` is how many of the newest were looked at for ``hotspots``."""

    facts: tuple[Stated, ...]
    languages: Mapping[str, int]
    packages: tuple[Package, ...]
    entry_points: tuple[EntryPoint, ...]
    hotspots: tuple[Hotspot, ...]
    counts: Mapping[str, int]
    commits: int
