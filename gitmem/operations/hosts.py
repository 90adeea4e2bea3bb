"""Operations that an agent host calls at its events. Refuses behaviour: this is data."""

from gitmem.operations.table import CONTENT, Operation, Param

_ABOUT = "For the hooks of an agent host, with the JSON of the event on standard input. Exit code 0 whatever happens."


def _row(event: str, help_: str) -> Operation:
    return Operation(
        verb=f"hook {event}",
        help=help_,
        about=_ABOUT,
        example=f"gitmem hook {event}",
        request="gitmem.hooks.agent:HookCall",
        target=f"gitmem.hooks.agent:{event.replace('-', '_')}",
        render="gitmem.render.hooked:host",
        writes=True,
        params=(Param("given", CONTENT, "file with the JSON of the event (default: standard input)", "--input"),),
    )


def operations() -> tuple[Operation, ...]:
    return (
        _row("user-prompt", "carry out the codes in a prompt, and tell the standing rules that its words bring up"),
        _row("session-start", "tell again what a session was told, once the host has summed it up"),
        _row("pre-compact", "what a summary should keep: the rules of the session and where the last verdict stands"),
        _row("post-tool", "remember which file a tool has changed"),
        _row("stop", "note what became of the files that a turn has touched"),
        _row("session-end", "the same at the end of a session"),
    )
