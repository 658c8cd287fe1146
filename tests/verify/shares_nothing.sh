#!/usr/bin/env bash
# shares_nothing.sh: the verifier may use the reader of table files, the meter of progress and the
# division of tables among ranks, and nothing else of Merels.
#
#     shares_nothing.sh NM LIBRARY SOURCE_DIR
#
# Fails if the library needs a symbol of Merels that is neither its own nor on the list below,
# or if a source includes what it must not. Only the doors, below, may include anything of db/.

set -euo pipefail

nm=$1
library=$2
sources=$3

allowed='merels_error merels_status_name
merels_reader_load_table merels_table_close merels_table_header merels_table_file_bytes
merels_table_read merels_sha256 merels_sha256_create merels_sha256_update merels_sha256_finish
merels_sha256_destroy merels_xxh64 merels_hex merels_unhex
merels_file_open merels_file_read_at merels_file_drop merels_file_load merels_file_replace
merels_file_remove merels_path_join merels_file_budget merels_directory_reader_create merels_reader_destroy
merels_meter_start merels_meter_piece merels_meter_stage merels_meter_rename merels_meter_tick
merels_meter_count merels_meter_finish merels_meter_stops merels_clock_seconds'

symbols=$("$nm" -A "$library" | grep -oE ' [A-Za-z] merels_[A-Za-z0-9_]+')
defined=$(awk '$1 != "U" { print $2 }' <<<"$symbols" | sort -u)
needed=$(awk '$1 == "U" { print $2 }' <<<"$symbols" | sort -u)
if [ -z "$defined" ]; then
    echo "$library: no symbols found" >&2
    exit 1
fi

failed=0
known=$(printf '%s\n' "$defined" $allowed | sort -u)
foreign=$(comm -23 <(printf '%s\n' "$needed") <(printf '%s\n' "$known"))
if [ -n "$foreign" ]; then
    echo "the verifier uses: $foreign" >&2
    failed=1
fi

doors='/(table_files|table_hashes|verify_manifest|small_files)\.c$'

includes=$(grep -hoE '^#include "[^"]+"' "$sources"/*.[ch] | sort -u |
    grep -vE '"(verify/|game/status\.h|work/(hands|progress)\.h)' || true)
reader=$(printf '#include "db/%s.h"\n' file hash reader)
if [ "$includes" != "$reader" ]; then
    echo "the verifier includes: $includes" >&2
    failed=1
fi
others=$(grep -lE '^#include "db/' "$sources"/*.[ch] | grep -vE "$doors" || true)
if [ -n "$others" ]; then
    echo "includes of db/ outside of the doors: $others" >&2
    failed=1
fi
exit $failed
