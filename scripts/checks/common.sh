# common.sh: what the checks of this folder share; each begins with
#
#     source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
#
# `root` is the folder of the sources; a check that needs room of its own calls `make_room`, which
# sets `room` to a new folder that is gone when the check ends.

set -euo pipefail
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
check=$(basename "$0")

fail() {
    echo "check $check: $*" >&2
    exit 1
}

# need PROGRAM...: without one of them the check fails; it never passes by leaving something out.
need() {
    local program
    for program in "$@"; do
        command -v "$program" >/dev/null || fail "there is no $program; scripts/setup --help"
    done
}

# first_of PROGRAM...: prints the first of them that is there.
first_of() {
    local program
    for program in "$@"; do
        ! command -v "$program" || return 0
    done
    fail "there is none of: $*"
}

make_room() {
    room=$(mktemp -d)
    trap 'rm -rf "$room"' EXIT
}

# fingerprints DIR: every file below it that holds values, and which it is; not what a run notes of itself.
fingerprints() {
    (cd "$1" && find . -type f ! -name VERIFIED ! -name CONSISTENT ! -name '*.notes' \
        -exec sha256sum {} + | sort -k 2)
}

# same_files DIR OTHER WHAT: fails if the files of OTHER are not those of DIR to the byte.
same_files() {
    local n
    fingerprints "$1" >"$room/files"
    fingerprints "$2" >"$room/other-files"
    n=$(wc -l <"$room/files")
    [ "$n" -gt 0 ] || fail "$3: there is nothing to compare"
    diff "$room/files" "$room/other-files" || fail "$3: other bytes"
    echo "$3: the same $n files to the byte"
}

# quietly COMMAND...: shows what it printed only if it fails, which ends the check.
quietly() {
    "$@" >"$room/log" 2>&1 || {
        cat "$room/log" >&2
        fail "failed: $*"
    }
}
