#!/bin/sh
# fit.sh: every patch beside this file, and every fault planted for a fuzz target, still fits the
# sources in the directory given.
#
#     fit.sh SOURCES
#
# Changes nothing.

set -eu

command -v patch >/dev/null || {
    echo "there is no patch program; scripts/setup installs it" >&2
    exit 1
}
status=0
for patch in "$(dirname "$0")"/*.patch "$(dirname "$0")"/../fuzz/planted/*.patch; do
    patch -d "$1" -p1 -s --dry-run <"$patch" || {
        echo "$patch does not fit" >&2
        status=1
    }
done
exit $status
