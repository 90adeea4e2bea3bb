"""What feedback has moved, as a reader sees it. Refuses to advise anything that the answer does not."""

from __future__ import annotations

from gitmem.render.checked import in_a_line, readable
from gitmem.render.notices import notes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.answers.feedback import Feedback, Row
    from gitmem.answers.packets import Node


def text(result: Feedback) -> str:
    lines = [_row(row) for row in result.items]
    lines += [_node(node) for node in result.nodes or ()]
    lines += [f"  shared with {each.slug}: importance {each.delta:+.3f}" for each in result.neighbours]
    what = "no symbol or file here" if result.packet else "no item here"
    lines += [f"{what}: {in_a_line(each)}" for each in result.unresolved]
    lines += [
        f"{each.slug} has misled {each.failures} times: think of gitmem propose {each.action} {each.id}"
        for each in result.advice or ()
    ]
    return readable("\n".join([*lines, *notes("warning", result.warnings)]))


def _node(node: Node) -> str:
    kind = f" for tasks that {node.context}" if node.context else ""
    return f"{in_a_line(node.path)}: weight {node.before:+.3f} -> {node.after:+.3f}{kind}"


def _row(row: Row) -> str:
    importance, confidence = row.importance, row.confidence
    return (
        f"{row.slug}: importance {importance.before:.3f} -> {importance.after:.3f} ({importance.band}), "
        f"confidence {confidence.before:.2f} -> {confidence.after:.2f} ({confidence.band}), "
        f"strength {row.strength.before:.2f} -> {row.strength.after:.2f}"
    )
