#!/usr/bin/env bash
# golden.sh: small games solved, exported and verified have the values that data/golden.tsv holds.
#
#     golden.sh SOURCES DIR PROGRAM [ARGUMENT...]
#
# PROGRAM with its arguments runs merels: the program itself, or an emulator and the program. What it
# makes stays in DIR, a folder for each game and a file beside it for edition compact, so that it can be
# compared with what another build made. Environment variables for trying more: GAMES (numbers of rows,
# else all), THREADS and CPU (of every command that takes them), SOLVE_OPTIONS, LEAST_MEMORY=yes (solves
# with what the plan calls the least), KILLS=N (a solve is killed N times, a little later each time, before it
# may end), VERIFY=no. Exit status 0 if all values are the golden ones.

set -euo pipefail
export LC_ALL=C OMP_WAIT_POLICY=passive

if [ $# -lt 3 ]; then
    echo "usage: golden.sh SOURCES DIR PROGRAM [ARGUMENT...]" >&2
    exit 2
fi
sources=$1 dir=$2
shift 2
merels=("$@")
read -ra solve_options <<<"${SOLVE_OPTIONS:-} ${CPU:+--cpu $CPU} ${THREADS:+--threads $THREADS}"
read -ra verify_options <<<"${CPU:+--cpu $CPU} ${THREADS:+--threads $THREADS}"
read -ra export_options <<<"${THREADS:+--threads $THREADS}"
log=$dir.log
games=" ${GAMES:-1 2 3 4 5 6 7 8} "
failed=0 n_rows=0 n_tried=0 n_killed=0

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

verify() {
    [ "${VERIFY:-yes}" = no ] || run verify "$@" "${verify_options[@]}"
}

# solve RULES PLACE
solve() {
    local limit=() k
    if [ "${LEAST_MEMORY:-no}" = yes ]; then
        run plan "$1" --db "$2" --json "${solve_options[@]}"
        limit=(--memory "$(sed -n 's/.*"least_memory_bytes": *\([0-9]*\).*/\1/p' "$log")")
    fi
    for ((k = 1; k <= ${KILLS:-0}; k++)); do
        timeout -s KILL "$(printf '0.%02d' $((3 * k)))" "${merels[@]}" solve "$1" --db "$2" \
            "${solve_options[@]}" >"$log" 2>&1 || n_killed=$((n_killed + 1))
    done
    run solve "$1" --db "$2" "${solve_options[@]}" "${limit[@]}"
}

root_hash() {
    run list "$@" --tsv
    sed -n 's/^root hash[[:space:]]*//p' "$log"
}

mkdir -p "$dir"
while IFS=$'\t' read -r rules dtm wdl compact; do
    n_rows=$((n_rows + 1))
    [[ $games = *" $n_rows "* ]] || continue
    n_tried=$((n_tried + 1))
    place=$dir/$n_rows
    solve "$rules" "$place"
    verify "$rules" --db "$place"
    run export "$rules" --db "$place" --edition wdl --out "$place-wdl" "${export_options[@]}"
    verify "$rules" --db "$place-wdl"
    run export "$rules" --db "$place" --edition compact --out "$place.mce" "${export_options[@]}"
    verify "$rules" --db "$place" --edition compact
    run probe "$rules" --db "$place.mce" startpos
    expect "$rules" "root hash of dtm" "$dtm" "$(root_hash "$rules" --db "$place")"
    expect "$rules" "root hash of wdl" "$wdl" "$(root_hash "$rules" --db "$place-wdl")"
    expect "$rules" "SHA-256 of compact" "$compact" "$(sha256sum <"$place.mce" | cut -d ' ' -f 1)"
done < <(grep -v '^#' "$sources/data/golden.tsv" | tail -n +2)
if [ "$n_rows" -ne 8 ] || [ "$n_tried" -ne "$(wc -w <<<"$games")" ]; then
    echo "golden: $n_rows rows in data/golden.tsv, not 8, or not all of$games" >&2
    exit 1
fi
if [ "${KILLS:-0}" -gt 0 ] && [ $n_killed -eq 0 ]; then
    echo "golden: no solve was killed before it ended" >&2
    failed=1
fi
[ $failed -ne 0 ] || echo "golden: the same values, games${games% }, three editions"
exit $failed
