#!/bin/sh
# pre-receive of a bare repository: nothing reaches the branch below that `gitmem check` or `gitmem verify` refuses.
# Install it as hooks/pre-receive, executable. Pushes to other branches are let in: they are judged when they are merged.
branch=${GITMEM_BRANCH:-refs/heads/main}
if ! command -v gitmem >/dev/null 2>&1; then
    echo "gitmem is not installed on this server, so nothing is let into $branch" >&2
    exit 1
fi
status=0
while read -r old new ref; do
    [ "$ref" = "$branch" ] || continue
    case $new in
        *[!0]*)
            gitmem check --range "$old..$new" >&2 || status=1
            gitmem verify --range "$old..$new" >&2 || status=1
            ;;
        *) echo "$branch is not deleted by a push" >&2; status=1 ;;
    esac
done
exit $status
