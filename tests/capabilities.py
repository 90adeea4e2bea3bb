"""Lists the capabilities that tests name; with a list of ids, those that no test names. Refuses to run the tests.

python tests/capabilities.py                    id and tests, a line each
python tests/capabilities.py --missing LIST.md  ids in LIST.md without a test
"""

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent
ID = re.compile(r"[MRCG]-\d{3}")


def named(root: Path = TESTS) -> dict[str, list[str]]:
    """Returns ids, as they are written in the markers, with the places that name them."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.capability"):
                for argument in node.args or [ast.Constant("")]:
                    places[ast.unparse(argument).strip("'\"")].append(f"{path.relative_to(root.parent)}:{node.lineno}")
    return dict(places)


def main(args: list[str]) -> int:
    proved = named()
    if args[:1] == ["--missing"]:
        listed = re.findall(rf"^\| ({ID.pattern}) \|", Path(args[1]).read_text(encoding="utf-8"), re.MULTILINE)
        missing = [each for each in listed if each not in proved]
        print(*missing, f"{len(missing)} of {len(listed)} without a test", sep="\n")
    else:
        for each, places in sorted(proved.items()):
            print(each, *places)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
