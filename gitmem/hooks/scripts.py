"""The lines of shell that gitmem puts into Git's hooks. Refuses absolute paths, and to fail for want of gitmem.

Only findings (exit code 1) stop Git: without gitmem, with an old one, or with one that breaks, Git goes on. What runs
after the fact stops nothing.
"""

_COMMIT = """\
# Checks what is staged below .gitmem. Installed and removed by: gitmem hooks
if [ -z "${GITMEM_HOOK-}" ] && ! git diff-index --cached --quiet HEAD -- .gitmem 2>/dev/null; then
  if command -v gitmem >/dev/null 2>&1; then
    gitmem_code=0
    GITMEM_HOOK=1 gitmem check --staged >&2 || gitmem_code=$?
    if [ "$gitmem_code" -eq 1 ]; then
      exit 1
    elif [ "$gitmem_code" -ne 0 ]; then
      echo "gitmem could not check .gitmem (exit code $gitmem_code); going on without" >&2
    fi
  else
    echo "gitmem is not on PATH; .gitmem was not checked" >&2
  fi
fi
"""
# Not before a merge: what another branch brings was judged there. Where HEAD alone can be trusted and has neither a
# block nor a claim, gitmem is not started; a remote, a setting of ours or a policy may point elsewhere.
_VERIFY = """\
# Verifies what is staged by the rules that can be checked. Installed and removed by: gitmem hooks
if [ -z "${GITMEM_HOOK-}" ] && command -v gitmem >/dev/null 2>&1 &&
  ! git diff-index --cached --quiet HEAD -- . ':(exclude).gitmem' 2>/dev/null && {
    git config --get-regexp '^(gitmem|remote)[.]' >/dev/null 2>&1 ||
    git grep -q -E -e '(```|~~~) *verify' -e '^(claims|trust|parents):' HEAD -- .gitmem 2>/dev/null
  }; then
  gitmem_code=0
  GITMEM_HOOK=1 gitmem verify --staged >&2 || gitmem_code=$?
  if [ "$gitmem_code" -eq 1 ]; then
    exit 1
  elif [ "$gitmem_code" -ne 0 ]; then
    echo "gitmem could not verify what is staged (exit code $gitmem_code); going on without" >&2
  fi
fi
"""
_PUSH = """\
# Checks what is pushed below .gitmem. Installed and removed by: gitmem hooks
if [ -z "${GITMEM_HOOK-}" ] && command -v gitmem >/dev/null 2>&1; then
  gitmem_pushed=$(cat)
  while read -r gitmem_ref gitmem_new gitmem_there gitmem_old; do
    git cat-file -e "$gitmem_new^{commit}" 2>/dev/null || continue
    git cat-file -e "$gitmem_old^{commit}" 2>/dev/null ||
      gitmem_old=$(git merge-base "$gitmem_new" "refs/remotes/$1/HEAD" 2>/dev/null) ||
      gitmem_old=0000000000000000000000000000000000000000
    gitmem_code=0
    GITMEM_HOOK=1 gitmem check --range "$gitmem_old..$gitmem_new" >&2 </dev/null || gitmem_code=$?
    if [ "$gitmem_code" -eq 1 ]; then
      exit 1
    elif [ "$gitmem_code" -ne 0 ]; then
      echo "gitmem could not check .gitmem (exit code $gitmem_code); going on without" >&2
    fi
  done <<GITMEM_PUSHED
$gitmem_pushed
GITMEM_PUSHED
  # What follows reads the same input.
  if [ -n "$gitmem_pushed" ]; then
    exec <<GITMEM_PUSHED
$gitmem_pushed
GITMEM_PUSHED
  else
    exec </dev/null
  fi
fi
"""
# What was merged line by line, or key by key, can be wrong in meaning; nothing here can stop Git any more.
_REPORT = """\
# Says what is amiss below .gitmem {after}; stops nothing. Installed and removed by: gitmem hooks
if [ -z "${{GITMEM_HOOK-}}" ] && {when}command -v gitmem >/dev/null 2>&1; then
  gitmem_differs=0
  git diff-tree --quiet {old} HEAD -- .gitmem 2>/dev/null || gitmem_differs=$?
  if [ "$gitmem_differs" -eq 1 ]; then
    gitmem_said=$(GITMEM_HOOK=1 gitmem check --range "{old}..HEAD" --strict 2>&1 </dev/null) ||
      printf '%s\\n' "$gitmem_said" >&2
  fi
fi
"""
_MERGE = _REPORT.format(after="after a merge", when="", old="ORIG_HEAD")
_REWRITE = _REPORT.format(after="after a rebase", when='[ "$1" = rebase ] && ', old="ORIG_HEAD")
# An ordinary commit was checked before it was made.
_ENDED = (
    "git reflog -1 --format=%gs 2>/dev/null | grep -q -E '^(commit \\((merge|cherry-pick)\\)|cherry-pick|revert)' && "
)
_DONE = _REPORT.format(after="after a merge, pick or revert", when=_ENDED, old="HEAD^")

SCRIPTS = {
    "pre-commit": _COMMIT + _VERIFY,
    "pre-merge-commit": _COMMIT,
    "pre-push": _PUSH,
    "post-merge": _MERGE,
    "post-rewrite": _REWRITE,
    "post-commit": _DONE,
}
