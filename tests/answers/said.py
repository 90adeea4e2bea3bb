"""A dialogue between a person, an agent and the hook of its host, as a transcript. Refuses to judge it.

``agent: TEXT`` notes a standing rule, ``person: TEXT`` is a prompt, ``later: MINUTES`` lets time pass; the code that
was shown last stands as CODE, the one before as CODE2.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from gitmem.answers.observe import ObserveCall, Observed, observe
from gitmem.answers.session import Session
from gitmem.hooks.agent import HookCall, user_prompt
from gitmem.render.hooked import host
from tests.answers.people import START, Person

# By these an answer is told from another run of the same.
CHANCE = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}(@[0-9a-f]{12})?|\b[0-9a-f]{12}\b")


@dataclass
class Dialogue:
    at: Person
    minutes: float = 0.0
    codes: list[str] = field(default_factory=list)
    noted: list[Observed] = field(default_factory=list)

    @property
    def now(self) -> datetime:
        return START + timedelta(days=1, minutes=self.minutes, seconds=next(self.at.clock) / 1000)

    def note(self, text: str, **more: object) -> Observed:
        call = ObserveCall("manual_note", note=text, standing=True, **more)  # type: ignore[arg-type]
        done = observe(Session(self.at.root, self.now, "agent", "claude"), call)
        self.noted.append(done)
        self.codes += [done.code] if done.code else []
        return done

    def prompt(self, text: str, session: str = "s") -> str:
        """What the hook prints."""
        given = json.dumps({"session_id": session, "cwd": str(self.at.root), "prompt": self.with_codes(text)})
        return host(user_prompt(Session(self.at.root, self.now), HookCall(given)))

    def with_codes(self, text: str) -> str:
        for name, at in (("CODE2", -2), ("CODE", -1)):
            text = text.replace(name, self.codes[at]) if name in text else text
        return text

    def play(self, lines: Sequence[str]) -> list[str]:
        """Each line with what was answered to it behind an arrow."""
        return [f"{line} -> {self._answer(line)}" for line in lines]

    def _answer(self, line: str) -> str:
        who, _, text = line.partition(": ")
        if who == "later":
            self.minutes += float(text)
            return ""
        said = self._of_agent(text) if who == "agent" else message_of(self.prompt(text))
        for name, at in (("CODE", -1), ("CODE2", -2)):
            said = said.replace(self.codes[at], name) if len(self.codes) >= -at else said
        return CHANCE.sub("#", said)

    def _of_agent(self, text: str) -> str:
        done = self.note(text)
        against = "".join(f" against {each.slug}" for each in done.conflicts or ())
        return f"{'a code' if done.code else 'no code'}{against}"


def message_of(printed: str) -> str:
    """What the person gets to see; everything that is said to them is said to the agent too."""
    if not printed:
        return "nothing"
    row = json.loads(printed)
    message = str(row.get("systemMessage", "")).removeprefix("gitmem: ")
    context = row["hookSpecificOutput"]["additionalContext"]
    assert all(part in context for part in message.split("; ") if part)
    return message or context
