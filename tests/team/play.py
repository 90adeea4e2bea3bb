"""A random course of steps, the same for the same seed but for when a kill strikes. Refuses to hide what failed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.answers.start import InitCall, init
from tests.answers.merging import put_on_path
from tests.support import git
from tests.team import acts, decide, meet
from tests.team.judge import all_meet, is_sound
from tests.team.world import Deed, Seat, World, world

Act = Callable[[World, Seat], Deed | None]
# How often, of about two hundred steps.
WEIGHTS: dict[Act, int] = {
    acts.write_new: 10,
    acts.write_edit: 26,
    acts.write_rm: 4,
    acts.write_mv: 5,
    acts.write_link: 4,
    acts.write_unlink: 1,
    acts.propose_a_new: 10,
    acts.propose_an_edit: 18,
    acts.propose_a_move: 3,
    acts.propose_a_life: 4,
    acts.propose_a_removal: 3,
    acts.propose_a_link: 3,
    acts.propose_on_top: 3,
    acts.propose_a_bundle: 3,
    acts.extend: 5,
    decide.commenting: 10,
    decide.approving: 20,
    decide.rejecting: 5,
    decide.withdrawing: 2,
    decide.superseding: 1,
    decide.reinstating: 2,
    decide.reverting: 4,
    decide.naming: 1,
    meet.syncing: 30,
    meet.pulling: 18,
    meet.pushing: 6,
}
PARTITION_PERCENT = 20
# Some come to their end before it strikes: two in a hundred do not.
KILL_PERCENT = 3
GC_PERCENT = 0.4
# A kill in the middle of plain Git is Git's own affair.
NOT_KILLED = frozenset({meet.pulling, meet.pushing})


def crew(folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> World:
    """Two clones; Ada's Git calls the merge driver."""
    put_on_path(folder, monkeypatch)
    made = world(folder, seed)
    ada = made.seats[0]
    init(made.session(ada), InitCall())
    ada.git("add", ".gitmem")
    ada.git("commit", "--quiet", "--allow-empty", "--message", "init")
    ada.has_driver = True
    return made


def play(made: World, steps: int, every: int) -> World:
    """``every`` so many steps all meet, and at the end."""
    for number in range(1, steps + 1):
        step(made, number)
        if number % every == 0 or number == steps:
            try:
                rounds = all_meet(made)
            except Exception as err:
                explain(made, err, number)
                raise
            made.note(f"{number}: met after {rounds} round(s)")
    for root in (*(seat.root for seat in made.seats), made.remote):
        is_sound(root)
    return made


def step(made: World, number: int) -> None:
    made.tick()
    seat = made.draw.choice(made.seats)
    act = made.draw.choices([*WEIGHTS], [*WEIGHTS.values()])[0]
    try:
        if made.chance(GC_PERCENT):
            collect(made)
        deed = act(made, seat)
        if deed is None:
            deed = meet.syncing(made, seat)
        is_killed = made.chance(KILL_PERCENT) and act not in NOT_KILLED
        if made.chance(PARTITION_PERCENT):
            made.counts["partitions"] += 1
            with made.cut_off():
                came = made.perform(seat, deed, is_killed=is_killed)
        else:
            came = made.perform(seat, deed, is_killed=is_killed)
        made.note(f"{number}: {seat.name}: {deed.name}: {came}")
    except Exception as err:
        explain(made, err, number)
        raise


def collect(made: World) -> None:
    """The strictest that people do to a repository where nobody is at work: what no ref holds is gone."""
    made.counts["gc"] += 1
    root = made.draw.choice([*(seat.root for seat in made.seats), made.remote])
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "--quiet", "--prune=now")


def explain(made: World, err: Exception, number: int) -> None:
    made.note(f"{number}: {type(err).__name__}: {err}")
    err.add_note(f"seed {made.seed}, step {number}, below {made.folder}; before that:")
    err.add_note("\n".join(made.log[-25:]))
