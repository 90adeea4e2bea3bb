"""What a remote gets of the refs here, and how it took it. Refuses to show code, and to overwrite what was not seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.answers.sync_sides import BY_ID, Sides, id_of
from gitmem.model.finding import Notice
from gitmem.model.proposal import Proposal
from gitmem.record import record
from gitmem.store import git, gitnet, objects, proposals
from gitmem.store.gitnet import Failed, Fate, Remote, Update, Verdict
from gitmem.store.ledger import path_of
from gitmem.store.published import leaks
from gitmem.store.refs import ARCHIVE, META, PROPOSALS, REMOTES, SNAPSHOTS, Ref, under
from gitmem.store.repo import FOLDER, Repo

PEOPLE, ALL, NONE = "people", "all", "none"
_NAMED_MAX = 3
# A hook of the remote that refuses one ref refuses its whole push; the others are told apart by halves.
_HALVINGS_MAX = 24


@record
class Offer:
    """``updates`` are for the remote; ``withheld`` would show code that it has not."""

    updates: tuple[Update, ...]
    withheld: tuple[Notice, ...] = ()


@record
class Taken:
    """``pushed`` are names; ``is_moved``: somebody was faster, so another round is due. ``refused`` says what was."""

    pushed: tuple[str, ...] = ()
    refused: tuple[Notice, ...] = ()
    is_moved: bool = False


@record
class Known:
    """What the events say of ids, whose proposals go out, and commits that the remote has just got. ``unlanded`` are
    ids that landed here and not there yet: to the others they are open."""

    closed: frozenset[str]
    reopened: frozenset[str]
    share: str
    out: tuple[str, ...] = ()
    unlanded: frozenset[str] = frozenset()


def offer(repo: Repo, remote: str, both: Sides, known: Known) -> Offer:
    """What differs and may go out."""
    wanted = [*_wanted(repo, both, known)]
    private = _private(repo, both, known, {id_of(each.ref) for each in wanted if each.ref.startswith(BY_ID)})
    wanted = [each for each in wanted if id_of(each.ref) not in private | known.unlanded]
    shown = leaks(repo, [each.new for each in wanted if each.new], [*_published(repo, remote), *known.out])
    withheld = [_withheld(each.ref, shown[each.new], remote) for each in wanted if each.new in shown]
    return Offer(tuple(each for each in wanted if each.new not in shown), tuple(withheld))


def _wanted(repo: Repo, both: Sides, known: Known) -> Iterator[Update]:
    for name in sorted(both.differing()):
        ours, theirs = both.of(name)
        if _is_over(name, known):
            if theirs and not ours:
                yield Update(name, theirs, "")
        elif not ours:
            continue
        elif not theirs:
            if name.startswith((PROPOSALS, META, ARCHIVE, SNAPSHOTS)):
                yield Update(name, "", ours)
        elif name.startswith(META) and objects.is_ancestor(repo, theirs, ours):
            yield Update(name, theirs, ours)
        elif name.startswith(PROPOSALS):
            meta = both.of(under(META, id_of(name)))[0]
            if meta and objects.is_ancestor(repo, theirs, meta):
                yield Update(name, theirs, ours)


def _is_over(name: str, known: Known) -> bool:
    """Whether the remote has no use for the ref any more."""
    if name.startswith(PROPOSALS):
        return id_of(name) in known.closed
    return name.startswith(ARCHIVE) and id_of(name) in known.reopened


def unlanded(repo: Repo, landed: Mapping[str, str], tip: str) -> frozenset[str]:
    """The ids whose decision is not in the branch that the others see, neither by its entry nor by its commit."""
    names = [f"{tip}:{FOLDER}/{path_of(id_)}" for id_ in landed]
    missing = [id_ for id_, found in zip(landed, objects.look_up(repo, names), strict=True) if found is None]
    return frozenset(id_ for id_ in missing if not (landed[id_] and objects.is_ancestor(repo, landed[id_], tip)))


def _private(repo: Repo, both: Sides, known: Known, ids: set[str]) -> set[str]:
    """The ids that stay here as long as the remote knows nothing of them: by the setting, or since they are broken."""
    unknown = sorted(i for i in ids if not any(both.of(name)[1] for name in _names(i)))
    tips = [Ref(name, tip) for id_ in unknown for name in _names(id_)[:2] if (tip := both.of(name)[0])]
    found: Mapping[str, Proposal] = {each.id: each for each in proposals.load(repo, tips).proposals}
    shut = known.closed | {id_ for id_, each in found.items() if each.is_archived}
    broken = {ref.id for ref in tips} - found.keys()
    return broken | {id_ for id_, each in found.items() if not _goes_out(each, known.share, is_closed=id_ in shut)}


def _names(id_: str) -> tuple[str, ...]:
    return tuple(under(family, id_) for family in (PROPOSALS, ARCHIVE, META))


def _goes_out(proposal: Proposal, share: str, *, is_closed: bool) -> bool:
    """A machine makes the same proposal everywhere; that it was dismissed is worth telling, that it waits is not."""
    is_machine = not proposal.writer
    if share == ALL:
        return True
    return is_closed if is_machine else share == PEOPLE


def _published(repo: Repo, remote: str) -> list[str]:
    """What the remote is known to have."""
    prefixes = (f"refs/remotes/{remote}/", f"{REMOTES}/{remote}/")
    return sorted(set(git.run(repo.where, ("for-each-ref", "--format=%(objectname)", *prefixes)).lines()))


def _withheld(ref: str, commit: str, remote: str) -> Notice:
    message = f"not pushed: it builds on {commit[:12]}, code that no branch of {remote} has"
    return Notice("unpublished-base", message, ref, "push the branch that has it, then: gitmem sync")


def hand_over(repo: Repo, remote: Remote, updates: Sequence[Update]) -> Taken | Failed:
    """First what was said and what is closed, then the proposals: none is replaced before the old one is kept."""
    first = [each for each in updates if not each.ref.startswith(PROPOSALS)]
    verdicts = _pushed(repo, remote, first)
    if isinstance(verdicts, Failed):
        return verdicts
    held_up = {id_of(ref) for ref, verdict in verdicts.items() if verdict.fate is not Fate.DONE}
    second = [each for each in updates if each.ref.startswith(PROPOSALS) and id_of(each.ref) not in held_up]
    later = _pushed(repo, remote, second)
    if isinstance(later, Failed):
        later = {each.ref: Verdict(Fate.MOVED, later.said) for each in second}
    later = {**later, **_replaced(repo, remote, second, later)}
    return _taken({**verdicts, **later}, remote.name)


def _pushed(repo: Repo, remote: Remote, updates: Sequence[Update]) -> dict[str, Verdict] | Failed:
    if not updates:
        return {}
    verdicts = gitnet.push(repo, remote, updates)
    if isinstance(verdicts, Failed):
        return verdicts
    found = dict(verdicts)
    refused = _refused(updates, found)
    if len(refused) == len(updates) > 2 and not _takes_any(repo, remote, (refused[0], refused[-1])):
        return found
    waiting = [refused]
    for _ in range(_HALVINGS_MAX):
        group = next((each for each in waiting if len(each) > 1), None)
        if group is None:
            break
        waiting.remove(group)
        for part in (group[: len(group) // 2], group[len(group) // 2 :]):
            again = gitnet.push(repo, remote, part)
            found.update({} if isinstance(again, Failed) else again)
            waiting.append(_refused(part, found))
    return found


def _takes_any(repo: Repo, remote: Remote, updates: Sequence[Update]) -> bool:
    """Whether the remote takes one of them alone: else it is not one ref that it dislikes, but all."""
    alone = (gitnet.push(repo, remote, [each]) for each in updates)
    return any(v.fate is not Fate.REFUSED for each in alone if not isinstance(each, Failed) for v in each.values())


def _refused(updates: Iterable[Update], verdicts: Mapping[str, Verdict]) -> list[Update]:
    return [each for each in updates if verdicts[each.ref].fate is Fate.REFUSED]


def _replaced(
    repo: Repo, remote: Remote, updates: Sequence[Update], verdicts: Mapping[str, Verdict]
) -> Mapping[str, Verdict]:
    """Where the remote lets nothing but fast-forwards in, a new patch set comes after the removal of the old one."""
    stuck = [each for each in _refused(updates, verdicts) if each.old and each.new]
    if not stuck:
        return {}
    gone = gitnet.push(repo, remote, [Update(each.ref, each.old, "") for each in stuck])
    if isinstance(gone, Failed):
        return {}
    fresh = [Update(each.ref, "", each.new) for each in stuck if gone[each.ref].fate is Fate.DONE]
    done = gitnet.push(repo, remote, fresh) if fresh else {}
    return {} if isinstance(done, Failed) else done


def _taken(verdicts: Mapping[str, Verdict], remote: str) -> Taken:
    by_fate = {fate: sorted(ref for ref, verdict in verdicts.items() if verdict.fate is fate) for fate in Fate}
    refused = by_fate[Fate.REFUSED]
    notices = (_no_refs(refused, verdicts[refused[0]].said, remote),) if refused else ()
    return Taken(tuple(by_fate[Fate.DONE]), notices, bool(by_fate[Fate.MOVED]))


def _no_refs(refs: Sequence[str], said: str, remote: str) -> Notice:
    named = ", ".join(refs[:_NAMED_MAX]) + (f" and {len(refs) - _NAMED_MAX} more" if len(refs) > _NAMED_MAX else "")
    message = f"{remote} refuses {named}: {said}"
    return Notice("refs-refused", message, hint="as a branch for a pull request: gitmem proposals publish")


def remember(repo: Repo, remote: str, updates: Sequence[Update]) -> None:
    """Notes what the remote has now; where that fails the next fetch finds out."""
    lines = []
    for each in updates:
        name = f"{REMOTES}/{remote}/{each.ref.removeprefix('refs/gitmem/')}"
        lines.append(f"update {name} {each.new}\n" if each.new else f"delete {name}\n")
    git.attempt(repo.where, ("update-ref", "--stdin"), git.Call(stdin="".join(lines).encode()))


def track(repo: Repo, tracking: str, commit: str) -> None:
    git.attempt(repo.where, ("update-ref", "--no-deref", tracking, commit))


def for_review(branch: str, target: str, verdict: Verdict) -> Notice:
    said = "" if verdict.fate is Fate.DONE else f" ({verdict.said})"
    message = f"{branch} was sent for review to {target}{said}; it counts once it is merged there"
    return Notice("for-review", message, f"refs/heads/{branch}", "after that: gitmem sync")


def protected(branch: str, remote: str, verdict: Verdict) -> Notice:
    message = f"{remote} does not take {branch}: {verdict.said}"
    return Notice("push-refused", message, f"refs/heads/{branch}", "push it as another branch and open a pull request")
