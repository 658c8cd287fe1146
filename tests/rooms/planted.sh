#!/usr/bin/env bash
# planted.sh: rooms.sh finds what it should: one violation of each kind, planted in a copy.
#
#     planted.sh SOURCES
#
# The copy as it is must pass. Each violation must fail with a message that names it, and with
# no other.

set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$1" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0
n_planted=0

fresh_copy() {
    rm -rf "$tree/copy"
    mkdir "$tree/copy"
    (cd "$root" && tar c CMakeLists.txt README.md game db work kernels solver search export \
        verify serve query web) | tar x -C "$tree/copy"
}

check() {
    "$here/rooms.sh" "$tree/copy" >"$tree/out" 2>&1
}

fail() {
    echo "planted: $*" >&2
    sed 's/^/    /' "$tree/out" >&2
    failed=1
}

# planted MESSAGE FILES: FILES, changed by now, make rooms.sh fail with the message alone; then
# they are taken back.
planted() {
    local message=$1 file
    shift
    n_planted=$((n_planted + 1))
    if check; then
        fail "not found: $message"
    elif [ "$(grep -cF -- "$message" "$tree/out")" -ne 1 ]; then
        fail "not named: $message"
    elif [ "$(wc -l <"$tree/out")" -ne 1 ]; then
        fail "more than was planted: $message"
    fi
    for file in "$@"; do
        rm -f "$tree/copy/$file"
        [ ! -e "$root/$file" ] || cp "$root/$file" "$tree/copy/$file"
    done
}

# add FILE LINE: to a file of the copy, which may be new.
add() {
    echo "$2" >>"$tree/copy/$1"
}

fresh_copy
check || fail "the sources as they are fail"

# Arrows.
add game/board.c '#include "db/index.h"'
planted 'game/board.c: game/ may not include db/index.h' game/board.c
add db/index.c '#  include "work/memory.h"'
planted 'db/index.c: db/ may not include work/memory.h' db/index.c
add work/memory.c '#include <kernels/turns.h>'
planted 'work/memory.c: work/ may not include kernels/turns.h' work/memory.c
add kernels/turns.c '#include "work/memory.h"'
planted 'kernels/turns.c: kernels/ may not include work/memory.h' kernels/turns.c
add search/search.c '#include "solver/solve.h"'
planted 'search/search.c: search/ may not include solver/solve.h' search/search.c
add solver/solve.c '#include "query/quantity.h"'
planted 'solver/solve.c: solver/ may not include query/quantity.h' solver/solve.c
add serve/routes.c '#include "query/served.h"'
planted 'serve/routes.c: serve/ may not include query/served.h' serve/routes.c
add solver/solve.c '#include "serve/files.h"'
planted 'solver/solve.c: solver/ may not include serve/files.h' solver/solve.c
add game/board.c '#include "bits.h"'
planted 'game/board.c: includes bits.h, which names no room' game/board.c
mkdir "$tree/copy/attic"
add attic/old.c 'int merels_old;'
planted 'attic/old.c: lies in no room' attic/old.c

# A circle, where the rules themselves allow it.
sed 's/\[export\]="/&search /; s/\[search\]="/&export /' "$here/rooms.sh" >"$tree/rooms.sh"
chmod +x "$tree/rooms.sh"
add search/search.c '#include "export/export_wdl.h"'
add export/export_wdl.c '#include "search/search.h"'
if "$tree/rooms.sh" "$tree/copy" >"$tree/out" 2>&1 ||
    ! grep -qxF 'rooms: these rooms lead round in a circle: export search ' "$tree/out"; then
    fail "not found: a circle of export and search"
fi
n_planted=$((n_planted + 1))
cp "$root/search/search.c" "$tree/copy/search/search.c"
cp "$root/export/export_wdl.c" "$tree/copy/export/export_wdl.c"

# What was let off and is needed no longer.
sed 's/^let_off=(/&"game\/board.c db\/index.h"/' "$here/rooms.sh" >"$tree/rooms.sh"
if "$tree/rooms.sh" "$tree/copy" >"$tree/out" 2>&1 ||
    ! grep -qF 'let off the arrows, but needed no longer: game/board.c db/index.h' "$tree/out"; then
    fail "not found: let off without need"
fi
n_planted=$((n_planted + 1))

# The verifier.
add verify/verify.c '#include "game/moves.h"'
planted 'verify/verify.c: the verifier may not include game/moves.h' verify/verify.c
add verify/verify.c '#include "work/memory.h"'
planted 'verify/verify.c: the verifier may not include work/memory.h' verify/verify.c
add verify/table_files.c '#include "db/index.h"'
planted 'verify/table_files.c: the verifier may not include db/index.h' verify/table_files.c
add verify/verify_rules.c '#include "db/reader.h"'
planted 'verify/verify_rules.c: the verifier includes db/reader.h, but its doors' verify/verify_rules.c

# Names.
add db/board.c 'int merels_twice;'
planted 'board.c: stands more than once: db/board.c game/board.c' db/board.c
add search/guess.h '// guess.h'
planted 'search/guess.h: there is no search/guess.c' search/guess.h
add game/bits.c 'int merels_bits;'
planted 'listed as a header without a source, but there is game/bits.c' game/bits.c
rm "$tree/copy/game/notation_forms.h"
planted 'listed as a header without a source, but there is no game/notation_forms.h' \
    game/notation_forms.h

# Libraries.
add db/index.c '#include <zstd.h>'
planted 'db/index.c: may not include zstd.h; its place: db/codec.c' db/index.c
add search/search.c '#include <xxhash.h>'
planted 'search/search.c: may not include xxhash.h; its place: db/hash.c' search/search.c
add query/main.c '#include <openssl/sha.h>'
planted 'query/main.c: may not include openssl/sha.h; its place: db/hash.c' query/main.c
add solver/plan.c '#include <jansson.h>'
planted 'solver/plan.c: may not include jansson.h; its place: query/*' solver/plan.c
add query/service.c '#include <microhttpd.h>'
planted 'query/service.c: may not include microhttpd.h; its place: serve/http_server.c' query/service.c
add db/index.c '#include <omp.h>'
planted 'db/index.c: may not include omp.h; its place: kernels/*' db/index.c
add query/main.c '#pragma omp parallel'
planted 'query/main.c: may not have OpenMP' query/main.c
add export/export_wdl.c '#include <libsmartcols/libsmartcols.h>'
planted 'export/export_wdl.c: may not include libsmartcols/libsmartcols.h' export/export_wdl.c
add query/lines.c '#include <libsmartcols.h>'
planted 'query/lines.c: may not include libsmartcols.h; its place: query/listing.c' query/lines.c
add kernels/turns.c '#include <immintrin.h>'
planted 'kernels/turns.c: may not include immintrin.h; its place: game/bits.h' kernels/turns.c
add kernels/turns.c 'int merels_x(void) { return _mm_extract_epi16(0, 0); }'
planted 'kernels/turns.c: intrinsics belong to game/bits.h' kernels/turns.c
add search/search.c '#include <criterion/criterion.h>'
planted 'search/search.c: may not include criterion/criterion.h; its place: tests/' search/search.c

# Paths, put together so that this file does not hold one.
for place in home work root; do
    add README.md "merels solve nine --db /$place/somebody/nine"
    planted "/$place/somebody: the path of a home or work directory" README.md
done

# Texts.
for function in sprintf vsprintf asprintf vasprintf; do
    add search/search.c "int merels_y(char *x) { return $function(x, \"%d\", 1); }"
    planted "$function(: use game/text.h, query/new_text.h or snprintf" search/search.c
done

fresh_copy
check || fail "the sources as they are fail in the end"
[ "$failed" -ne 0 ] || echo "$n_planted violations planted, all found"
exit "$failed"
