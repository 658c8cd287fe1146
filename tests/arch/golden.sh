#!/usr/bin/env bash
# golden.sh: small games solved, exported and verified have the values that data/golden.tsv holds.
#
#     golden.sh SOURCES DIR PROGRAM [ARGUMENT...]
#
# PROGRAM with its arguments runs merels: the program itself, or an emulator and the program. What it
# makes stays in DIR, a folder for each game and a file beside it for edition compact, so that it can be
# compared with what another build made. The environment variables SOLVE_OPTIONS and GAMES (numbers of
# rows, else all) are for trying more. Exit status 0 if all values are the golden ones.

set -euo pipefail
export LC_ALL=C OMP_WAIT_POLICY=passive

if [ $# -lt 3 ]; then
    echo "usage: golden.sh SOURCES DIR PROGRAM [ARGUMENT...]" >&2
    exit 2
fi
sources=$1 dir=$2
shift 2
merels=("$@")
read -ra solve_options <<<"${SOLVE_OPTIONS:-}"
log=$dir.log
failed=0 n_rows=0

run() {
    "${merels[@]}" "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        echo "golden: failed: $*" >&2
        exit 1
    }
}

# expect RULES WHAT GOLDEN FOUND
expect() {
    if [ "$3" != "$4" ]; then
        echo "golden: $1: $2 is $4, not $3" >&2
        failed=1
    fi
}

root_hash() {
    run list "$@" --tsv
    sed -n 's/^root hash[[:space:]]*//p' "$log"
}

mkdir -p "$dir"
while IFS=$'\t' read -r rules dtm wdl compact; do
    n_rows=$((n_rows + 1))
    [[ " ${GAMES:-$n_rows} " = *" $n_rows "* ]] || continue
    place=$dir/$n_rows
    run solve "$rules" --db "$place" "${solve_options[@]}"
    run verify "$rules" --db "$place"
    run export "$rules" --db "$place" --edition wdl --out "$place-wdl"
    run verify "$rules" --db "$place-wdl"
    run export "$rules" --db "$place" --edition compact --out "$place.mce"
    run verify "$rules" --db "$place" --edition compact
    run probe "$rules" --db "$place.mce" startpos
    expect "$rules" "root hash of dtm" "$dtm" "$(root_hash "$rules" --db "$place")"
    expect "$rules" "root hash of wdl" "$wdl" "$(root_hash "$rules" --db "$place-wdl")"
    expect "$rules" "SHA-256 of compact" "$compact" "$(sha256sum <"$place.mce" | cut -d ' ' -f 1)"
done < <(grep -v '^#' "$sources/data/golden.tsv" | tail -n +2)
[ "$n_rows" -ge 5 ] || { echo "golden: only $n_rows rows in data/golden.tsv" >&2; exit 1; }
[ $failed -eq 0 ] && echo "golden: the same values of ${GAMES:-all} games, three editions"
exit $failed
