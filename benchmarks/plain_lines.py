"""The other side of a verify: every pattern on every added line, in a plain loop. Refuses imports, scopes with braces
and everything else but patterns: it does less than what it stands beside.

python -m benchmarks.plain_lines ROOT RULES
"""

import re
import subprocess
import sys
from fnmatch import fnmatch

from benchmarks.blocks import pattern, scope


def main(root: str, rules: str) -> int:
    """How many added lines break one of so many rules, each rule on the files that it is for."""
    asked = [(scope(number).replace("**/", "*"), re.compile(pattern(number))) for number in range(int(rules))]
    words = ["git", "-C", root, "diff", "--cached", "-U0", "--no-ext-diff"]
    diff = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    found, mine = 0, []
    for line in diff.split("\n"):
        if line.startswith("+++ b/"):
            mine = [regex for glob, regex in asked if fnmatch(line[6:], glob)]
        elif line.startswith("+"):
            found += sum(regex.search(line, 1) is not None for regex in mine)
    return found


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
