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

# quietly COMMAND...: shows what it printed only if it fails, which ends the check.
quietly() {
    "$@" >"$room/log" 2>&1 || {
        cat "$room/log" >&2
        fail "failed: $*"
    }
}
