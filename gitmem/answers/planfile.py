"""A plan: several changes in one YAML file, each by the verb that would propose it alone. Refuses unknown words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from gitmem.answers import edges, plans
from gitmem.answers.composing import NewCall
from gitmem.answers.fields import EditCall
from gitmem.answers.ground import Ground
from gitmem.answers.opening import Plan
from gitmem.errors import GitmemError, UsageError
from gitmem.model.vocabulary import Text
from gitmem.record import record
from gitmem.store import codec

_STEPS_MOST = 200
_PLACE = "PLAN"
_FORM = "for example: - retire: {item: SLUG}"
_ITEM = ("item", "rationale")
_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "new": (
        *("kind", "title", "body", "summary", "path", "except", "layer", "command"),
        *("requires", "tag", "domain", "slug", "allow_secret"),
    ),
    "edit": ("item", "field", "value", "add", "remove", "unset", "body", "allow_secret"),
    "mv": ("item", "to"),
    "rm": ("item",),
    "link": ("from", "kind", "to", "description"),
    "unlink": ("synapse", "from", "kind", "to"),
    **dict.fromkeys(plans.LIFE, _ITEM),
}


@record
class Step:
    """One change of a plan: what to do, and its arguments by name."""

    verb: str
    arguments: Mapping[str, Text]
    place: str

    def text(self, name: str) -> str:
        value = self.arguments.get(name, "")
        if not isinstance(value, str):
            raise UsageError(f"{name} takes one text", place=self.place)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self.arguments.get(name, [])
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise UsageError(f"{name} takes a list of texts", place=self.place)
        return tuple(item for item in items if isinstance(item, str))


def steps_of(text: str) -> tuple[dict[str, Text], tuple[Step, ...]]:
    """The head of a plan and its steps, each a mapping of one verb to its arguments."""
    tree, findings = codec.decode_mapping(text.encode(), _PLACE)
    if findings:
        first = findings[0]
        raise UsageError(
            f"the plan cannot be read: {first.message}", hint=first.hint, place=f"line {first.line} of the plan"
        )
    rows = tree.get("changes")
    if not isinstance(rows, list) or not 0 < len(rows) <= _STEPS_MOST:
        hint = "changes: a list of new, edit, retire, link and the like"
        raise UsageError(f"a plan has 1 to {_STEPS_MOST} changes", hint=hint)
    return dict(tree), tuple(_step(row, f"change {at} of the plan") for at, row in enumerate(rows, 1))


def _step(row: Text, place: str) -> Step:
    if not isinstance(row, Mapping) or len(row) != 1:
        raise UsageError("this is no mapping of one verb to its arguments", hint=_FORM, place=place)
    ((verb, arguments),) = row.items()
    known = _ARGUMENTS.get(str(verb))
    if known is None:
        raise UsageError(f"unknown change {verb!r}", hint=f"one of: {', '.join(_ARGUMENTS)}", place=place)
    if not isinstance(arguments, Mapping):
        raise UsageError(f"{verb} has no arguments", hint=_FORM, place=place)
    unknown = sorted(str(name) for name in set(arguments) - set(known))
    if unknown:
        hint = f"known: {', '.join(known)}"
        raise UsageError(f"unknown argument {unknown[0]!r} of {verb}", hint=hint, place=place)
    return Step(str(verb), dict(arguments), place)


def planned(above: Ground, step: Step, by: str, now: datetime) -> Plan:
    """What a step comes to on the ground that the steps before it have made; what is wrong names the step."""
    try:
        return _planned(above, step, by, now)
    except GitmemError as err:
        err.place = f"{step.place}, {err.place}" if err.place and err.place != step.place else step.place
        raise


def _planned(above: Ground, step: Step, by: str, now: datetime) -> Plan:
    if step.verb in plans.LIFE:
        return plans.plan_life(above, step.text("item"), step.verb, step.text("rationale"))
    makers: Mapping[str, Callable[[], Plan]] = {
        "new": lambda: plans.plan_new(above, _new_call(step), by, now),
        "edit": lambda: plans.plan_edit(above, _edit_call(step)),
        "mv": lambda: plans.plan_move(above, step.text("item"), step.text("to")),
        "rm": lambda: plans.plan_remove(above, step.text("item")),
        "link": lambda: plans.plan_link(above, _edge(step), by, now),
        "unlink": lambda: plans.plan_unlink(above, _words(step)),
    }
    return makers[step.verb]()


def _new_call(step: Step) -> NewCall:
    return NewCall(
        kind=step.text("kind"),
        title=step.text("title"),
        path=step.texts("path"),
        excluded=step.texts("except"),
        layer=step.texts("layer"),
        command=step.texts("command"),
        requires=step.texts("requires"),
        tag=step.texts("tag"),
        domain=step.text("domain"),
        slug=step.text("slug"),
        summary=step.text("summary"),
        body=step.text("body"),
        allow_secret=step.texts("allow_secret"),
    )


def _edit_call(step: Step) -> EditCall:
    is_body = "body" in step.arguments
    return EditCall(
        item=step.text("item"),
        field="body" if is_body else step.text("field"),
        value=() if is_body else step.texts("value"),
        add=step.texts("add"),
        remove=step.texts("remove"),
        unset=step.text("unset") == "true",
        file=step.text("body") if is_body else None,
        allow_secret=step.texts("allow_secret"),
    )


def _edge(step: Step) -> edges.Wanted:
    return edges.Wanted(step.text("from"), step.text("kind"), step.text("to"), description=step.text("description"))


def _words(step: Step) -> tuple[str, ...]:
    return tuple(step.text(name) for name in ("synapse", "from", "kind", "to") if step.text(name))
