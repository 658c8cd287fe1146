#!/usr/bin/env bash
# run.sh: 32 threads look up in one tablebase: whole, with a missing table, with a damaged one, as
# edition compact, with few descriptors.
#
#     run.sh MERELS THREADS COMPACT_FILE
#
# MERELS makes the tables of three men's morris, THREADS (threads.c) looks up; COMPACT_FILE holds the
# same game. Exit status 0 if every answer and every failure was the right one.

set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

if [ $# -ne 3 ]; then
    echo "usage: run.sh MERELS THREADS COMPACT_FILE" >&2
    exit 2
fi
merels=$1 threads=$2 compact=$3
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
corrupt=5 not_covered=3
moving='w a1,b2,c2 a3,b3,c1 0/0' placing='w - - 3/3'

"$merels" solve three --db "$room/whole" >"$room/log" 2>&1 || {
    cat "$room/log" >&2
    exit 1
}
cp -r "$room/whole" "$room/missing"
rm "$room/missing/3-3.mtb"
cp -r "$room/whole" "$room/damaged"
# The last byte is one of a block: header and block index stay whole.
size=$(stat -c %s "$room/whole/3-3.mtb")
printf '\x55\xAA' | dd of="$room/damaged/3-3.mtb" bs=1 seek=$((size - 2)) conv=notrunc status=none

"$threads" same three "$room/whole"
(ulimit -n 16 && "$threads" same three "$room/whole") # four files at a time
"$threads" same three "$compact"
"$threads" fail three "$room/missing" "$moving" "$not_covered" "$placing"
"$threads" fail three "$room/damaged" "$moving" "$corrupt" "$placing"
"$threads" open three "$room/whole"
"$threads" open three "$compact"
