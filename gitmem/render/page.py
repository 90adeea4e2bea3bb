"""What became of a page of rules, as a reader sees it. Refuses to say that an edit counts before it is approved."""

from gitmem.exchange.standing_page import Exported, Taken
from gitmem.render.checked import readable
from gitmem.render.notices import notes


def exported(result: Exported) -> str:
    is_check = result.differs and not result.written
    # The path of a vault is a folder.
    is_vault = result.path.endswith("/")
    lines = [_taken(row, is_check=is_check) for row in result.taken]
    lines += [f"wrote {row.path}" + ("" if is_vault else f": {row.items} rule(s)") for row in result.written]
    lines += [f"left out: {row}" for row in result.losses]
    lines += [f"its engram is gone: {row}" for row in result.orphans]
    if is_check:
        lines.append(f"{result.path} is not as it should be: gitmem export {'obsidian' if is_vault else 'rules.md'}")
    elif not result.written:
        lines.append(f"{result.path} is as it should be")
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def _taken(row: Taken, *, is_check: bool) -> str:
    what = f"{row.place}: {row.change} {row.title}"
    if is_check:
        return f"{what}: not proposed yet"
    return f"{what}: proposed as {row.proposal}" if row.proposal else f"{what}: nothing was proposed: {row.reason}"
