"""What the project at HEAD is: languages, packages, where it begins, what changes most. Refuses to parse sources."""

from __future__ import annotations

from gitmem.answers.reading import Place
from gitmem.code import project as projects
from gitmem.model.project import Project
from gitmem.store import codetree, messages
from gitmem.store.codetree import Held
from gitmem.store.git import GitError
from gitmem.store.objects import UnknownRevisionError

_COMMITS = 300
_TEXTS_MOST = 40


def project(place: Place, at: str = "HEAD") -> Project | None:
    """None where there is no source, or no commit."""
    try:
        tree = codetree.at_revision(place.repo, at)
        listed = codetree.listed(place.repo, tree)
        asked = sorted((path for path in listed if projects.is_read(path)), key=lambda path: (path.count("/"), path))
        oids = {path: listed[path] for path in asked[:_TEXTS_MOST]}
        blobs = dict(codetree.contents(place.repo, sorted(set(oids.values())), Held()))
    except (GitError, UnknownRevisionError):
        return None
    texts = {path: (blobs[oid] or b"").decode("utf-8", "replace") for path, oid in oids.items()}
    changed = [message.paths for message in messages.messages(place.repo, tree.commit, _COMMITS)]
    return projects.project(list(listed), texts, changed)
