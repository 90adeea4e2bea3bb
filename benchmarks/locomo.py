"""Retrieval from long conversations: LoCoMo-10, one document a session, no model. Refuses to fetch or keep its data.

The data is A. Maharana et al., Evaluating Very Long-Term Conversational Memory of LLM Agents (2024); its licence
forbids shipping it, so that whoever has `locomo10.json` names its path.
"""

import json
import re
from pathlib import Path

from benchmarks.report import Table
from benchmarks.retrieval import Document, Question
from benchmarks.setting import Setting
from benchmarks.sides import Floors, compared

NAME = "locomo"
FLOORS = Floors(recall=89.0, reciprocal=81.0)
_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D(\d+):")
_QUICK = 60


def measured(setting: Setting) -> Table:
    documents, questions = read(setting.data[NAME])
    figures = compared(
        NAME,
        setting.home / NAME,
        (documents, questions[:: len(questions) // _QUICK] if setting.rounds == 1 else questions),
        FLOORS,
    )
    title = f"Retrieval: LoCoMo-10, {len(documents)} sessions, {len(questions):,} questions"
    return Table(NAME, title, f"python -m benchmarks {NAME} --data {NAME}=locomo10.json", figures, is_grid=True)


def read(path: Path) -> tuple[list[Document], list[Question]]:
    """All sessions are searched at once; the gold ones are those that the evidence of a question lies in."""
    documents: list[Document] = []
    questions: list[Question] = []
    for talk in json.loads(path.read_text(encoding="utf-8")):
        number_of: dict[int, int] = {}
        said = talk["conversation"]
        for name, turns in said.items():
            session = _SESSION.fullmatch(name)
            if session and turns:
                number_of[int(session[1])] = len(documents)
                lines = [f"{turn['speaker']}: {turn['text']}" for turn in turns]
                documents.append(Document(said[f"{name}_date_time"], "\n".join(lines)))
        for asked in talk["qa"]:
            places = [_EVIDENCE.match(each) for each in asked["evidence"]]
            gold = {number_of[int(place[1])] for place in places if place and int(place[1]) in number_of}
            questions.append(Question(asked["question"], frozenset(gold)))
    return documents, questions
