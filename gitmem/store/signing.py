"""Signs a commit with the user's own Git settings. Refuses to change anything but the signature, and to ask."""

from gitmem.errors import GitmemError
from gitmem.store.git import Call
from gitmem.store.gitkeys import sign
from gitmem.store.gitloose import DURABLE, write_objects
from gitmem.store.gitstorage import storage_of
from gitmem.store.objects import read_blobs
from gitmem.store.repo import Repo
from gitmem.store.signature import Person, Signed, split

_HINT = (
    "git config gpg.format ssh; git config user.signingKey ~/.ssh/id_ed25519.pub; "
    "a key with a passphrase is given to the agent first: ssh-add"
)


def sign_commit(repo: Repo, oid: str) -> str:
    """The same commit with a signature (a former one is replaced), durable on return; no ref moves. Returns its id.

    Fails with the code ``cannot-sign`` where Git's own settings name no key that signs without asking.
    """
    plain = _read(repo, oid)
    made = sign(repo.where, ("commit-tree", "-S", *_structure(plain)), _call(plain))
    lines = made.lines()
    if made.code or not lines:
        said = [line for line in made.err.splitlines() if line.strip()]
        raise _refused(said[0].removeprefix("error: ").removeprefix("fatal: ") if said else "no reason given")
    raw = dict(read_blobs(repo, lines[-1:]))[lines[-1]]
    signed = split(raw, repo.object_format)
    if not signed.signature:
        raise _refused("the signing program gave no signature")
    if signed.payload != plain.payload:
        raise _refused("Git would change the author, the headers or the message of this commit")
    write_objects(repo, storage_of(repo), {lines[-1]: ("commit", raw)})
    return lines[-1]


def _read(repo: Repo, oid: str) -> Signed:
    return split(dict(read_blobs(repo, [oid]))[oid], repo.object_format)


def _structure(plain: Signed) -> list[str]:
    parents = [part for parent in plain.values(b"parent") for part in ("-p", parent.decode())]
    return [*parents, *(tree.decode() for tree in plain.values(b"tree"))]


def _call(plain: Signed) -> Call:
    encoding = next(iter(plain.values(b"encoding")), b"UTF-8").decode("ascii", "replace")
    env: list[tuple[str, str]] = []
    for role in ("author", "committer"):
        person = plain.person(role.encode())
        if person is None:
            raise _refused(f"the commit has no {role} that Git understands")
        env += _identity(role.upper(), person)
    return Call(plain.message, settings=(f"i18n.commitEncoding={encoding}", *DURABLE), env=tuple(env))


def _identity(role: str, person: Person) -> list[tuple[str, str]]:
    return [
        (f"GIT_{role}_NAME", person.name.decode("utf-8", "surrogateescape")),
        (f"GIT_{role}_EMAIL", person.email.decode("utf-8", "surrogateescape")),
        (f"GIT_{role}_DATE", f"@{person.seconds} {person.zone}"),
    ]


def _refused(reason: str) -> GitmemError:
    return GitmemError(f"the commit could not be signed: {reason[:200]}", hint=_HINT, code="cannot-sign")
