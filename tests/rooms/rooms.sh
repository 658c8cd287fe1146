#!/usr/bin/env bash
# rooms.sh: the folders of the sources are rooms, and arrows between them point down only.
#
#     rooms.sh SOURCES
#
#     query -> solver, search, export, compact, verify -> kernels, work -> db -> game
#     query, solver -> ranks -> game
#                                 compact, db -> embed
#     query -> serve -> game
#     web -> query, db, game
#
# Names every line and file that breaks a rule of DESIGN.md ("Layers", "Libraries"):
#
#   1. a room includes what lies below it, as "room/header.h"; nothing leads round in a circle
#   2. verify/ includes next to nothing of the rest
#   3. a file name stands once outside of tests/
#   4. a header belongs to the source of its name
#   5. each library, and each processor's intrinsics, has one place
#   6. no file tells where somebody works
#   7. text is printed into room of a known size only
#
# Whatever is let off a rule stands in a list here, with the reason; an entry that is needed no
# longer is a failure, too. Bash, grep and awk are enough. Exit status 0 if all rules are kept.

set -eEuo pipefail
trap 'echo "rooms: line $LINENO of rooms.sh failed" >&2' ERR
export LC_ALL=C

if [ $# -ne 1 ] || [ ! -d "$1" ]; then
    echo "usage: rooms.sh SOURCE_DIRECTORY" >&2
    exit 2
fi
cd "$1"
failed=0

complain() {
    echo "rooms: $*" >&2
    failed=1
}

# ---- the rules -----------------------------------------------------------------------------

# What each room may include besides itself. verify/ has a list by files.
declare -A below=(
    [embed]=""
    [game]=""
    [db]="embed game"
    [work]="game db"
    [kernels]="game db"
    [ranks]="game"
    [solver]="game db work ranks kernels"
    [search]="game db work kernels"
    [export]="game db work kernels"
    [compact]="embed game db work"
    [verify]=""
    [serve]="game"
    [query]="game db work kernels solver search export compact verify serve ranks"
    [web]="game db query"
)
rooms="embed game db work ranks kernels solver search export compact verify serve query web"

# The verifier judges what the others made: of their code it has the words of errors, the progress of
# a run, those who share it, and in a few of its files the reader of tables.
for_verify=(game/status.h work/hands.h work/progress.h)
verifier_doors=(verify/table_files.c verify/table_hashes.c verify/verify_manifest.c verify/small_files.c)

# Includes let off the first rule: "file included".
let_off=()

# Headers without a source of their name.
only_headers=(
    game/bits.h            # inline functions alone
    game/notation_forms.h  # inside of notation.c: what its three forms share
    kernels/kernel_level.h # names of the functions compiled once per level
    kernels/metric.h       # inline functions alone
    query/merels.h         # the public interface; its source is library.c
    query/openapi.h        # its source is made of openapi.json
    verify/verify_bits.h   # inline functions alone
    work/hands.h           # types alone
    web/tables/openssl/sha.h # in place of libcrypto's; its source is tables_host.c
    web/tables/pthread.h   # in place of the system's, where there are no threads
)

# Header of a library (extended regular expression) and the places that may include it.
libraries=(
    'z(std|dict)[a-z_]*\.h db/codec.c'
    'xxh(ash|3)\.h db/hash.c'
    'openssl/.* db/hash.c web/tables/tables_host.c'
    'jansson\.h query/*'
    'omp\.h kernels/* work/* solver/* search/* export/* compact/* verify/*'
    '(libsmartcols/)?libsmartcols\.h query/listing.c'
    'microhttpd\.h serve/http_server.c'
    'mpi\.h ranks/ranks.c'
    '([a-z]*mm|amm|x86|x86gpr)intrin\.h|arm_(neon|sve|acle)\.h|cpuid\.h game/bits.h verify/verify_bits.h'
    'embed/merels_compact\.h db/compact_values.c compact/* embed/* examples/*'
    'criterion/.*'
)

# ---- what there is -------------------------------------------------------------------------

# Sources and headers outside of tests/, and all files that belong to Merels.
mapfile -t sources < <(find . -name .git -prune -o -path './build*' -prune -o \
    -path ./tests -prune -o -type f -name '*.[ch]' -print | sed 's|^\./||' | sort)
if [ -e .git ] && git ls-files >/dev/null 2>&1; then
    mapfile -t files < <(git ls-files)
else
    mapfile -t files < <(find . -path './build*' -prune -o -type f -print | sed 's|^\./||' | sort)
fi
if [ ${#sources[@]} -eq 0 ]; then
    complain "there are no sources in $1"
    exit 1
fi

# Lines "file included", as written: "..." or <...>.
includes=$(grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]+[">]' \
    "${sources[@]}" | sed -E 's/^([^:]*):[^"<]*(["<][^">]+[">]).*/\1 \2/')

is_room() {
    [[ " $rooms " == *" $1 "* ]]
}

# True if a word stands in a list.
among() {
    local word=$1 other
    shift
    for other in "$@"; do
        [ "$word" != "$other" ] || return 0
    done
    return 1
}

# True if a file lies at one of the places.
lies_at() {
    local file=$1 place
    shift
    for place in "$@"; do
        # shellcheck disable=SC2053
        [[ $file != $place ]] || return 0
    done
    return 1
}

# ---- 1: arrows -----------------------------------------------------------------------------

declare -A arrows=() # those that are there and allowed: "from to"
declare -A used=()   # of let_off

check_include() {
    local file=$1 included=$2 from to
    from=${file%%/*}
    to=${included%%/*}
    if among "$file $included" "${let_off[@]}"; then
        used["$file $included"]=1
        return
    fi
    if [ "$from" = "$to" ] || [ "$from" = verify ]; then # rule 2
        return
    elif [[ " ${below[$from]} " == *" $to "* ]]; then
        arrows["$from $to"]=1
    else
        complain "$file: $from/ may not include $included"
    fi
}

check_arrows() {
    local file written included entry
    for file in "${sources[@]}"; do
        is_room "${file%%/*}" || lies_at "$file" 'examples/*' ||
            complain "$file: lies in no room"
    done
    while read -r file written; do
        included=${written:1:-1}
        if is_room "${included%%/*}" && [[ $included == */* ]]; then
            ! is_room "${file%%/*}" || check_include "$file" "$included"
        elif [ "${written:0:1}" = '"' ] && [[ $file != embed/* ]]; then # taken along without a room
            complain "$file: includes $included, which names no room"
        fi
    done <<<"$includes"
    for entry in "${let_off[@]}"; do
        [ -n "${used[$entry]:-}" ] || complain "let off the arrows, but needed no longer: $entry"
    done
}

# What the lists allow must not lead round. Takes away every room that leads to no other that is
# left, or to which none leads; what stays is a circle.
check_circles() {
    local circle
    circle=$(printf '%s\n' "${!arrows[@]}" | awk '
        NF == 2 { from[NR] = $1; to[NR] = $2; left[$1]; left[$2] }
        END {
            do {
                gone = 0
                for (room in left) {
                    out = into = 0
                    for (k in from) {
                        out += from[k] == room && to[k] in left
                        into += to[k] == room && from[k] in left
                    }
                    if (!out || !into) { delete left[room]; gone = 1 }
                }
            } while (gone)
            for (room in left) print room
        }' | sort | tr '\n' ' ')
    [ -z "$circle" ] || complain "these rooms lead round in a circle: $circle"
}

# ---- 2: the verifier -----------------------------------------------------------------------

# Headers of the sources that db/CMakeLists.txt counts to the reader.
reader_headers() {
    awk '/^set\(READER_SOURCES/, /\)/' db/CMakeLists.txt | grep -oE '[a-z_]+\.c' |
        sed -E 's|(.*)\.c|db/\1.h|'
}

check_verifier() {
    local file written included reader
    mapfile -t reader < <(reader_headers)
    [ ${#reader[@]} -gt 0 ] || complain "db/CMakeLists.txt: no READER_SOURCES"
    while read -r file written; do
        included=${written:1:-1}
        if [[ $file != verify/* || $included != */* || $included == verify/* ]] ||
            ! is_room "${included%%/*}" || among "$included" "${for_verify[@]}"; then
            continue
        elif ! among "$included" "${reader[@]}"; then
            complain "$file: the verifier may not include $included"
        elif ! among "$file" "${verifier_doors[@]}"; then
            complain "$file: the verifier includes $included, but its doors to db/ are ${verifier_doors[*]}"
        fi
    done <<<"$includes"
}

# ---- 3, 4: names ---------------------------------------------------------------------------

check_names() {
    local name names where
    names=$(printf '%s\n' "${files[@]}" | grep -v '^tests/' | grep -v '\(^\|/\)CMakeLists.txt$')
    while read -r name; do
        where=$(grep -E "(^|/)${name//./\\.}\$" <<<"$names" | tr '\n' ' ')
        complain "$name: stands more than once: $where"
    done < <(sed 's|.*/||' <<<"$names" | sort | uniq -d)
}

check_headers() {
    local header
    for header in "${sources[@]}"; do
        [[ $header == *.h ]] || continue
        if among "${header%.h}.c" "${sources[@]}"; then
            ! among "$header" "${only_headers[@]}" ||
                complain "listed as a header without a source, but there is ${header%.h}.c"
        else
            among "$header" "${only_headers[@]}" ||
                complain "$header: there is no ${header%.h}.c"
        fi
    done
    for header in "${only_headers[@]}"; do
        among "$header" "${sources[@]}" ||
            complain "listed as a header without a source, but there is no $header"
    done
}

# ---- 5: libraries --------------------------------------------------------------------------

# check_library PATTERN PLACE...
check_library() {
    local pattern=$1 file written
    shift
    while read -r file written; do
        lies_at "$file" "$@" ||
            complain "$file: may not include ${written:1:-1}; its place: ${*:-tests/}"
    done < <(grep -E " [\"<]($pattern)[\">]\$" <<<"$includes" || true)
}

check_libraries() {
    local entry words file
    for entry in "${libraries[@]}"; do
        read -ra words <<<"$entry"
        check_library "${words[@]}"
    done
    # Threads and intrinsics without their headers.
    while read -r file; do
        lies_at "$file" 'kernels/*' 'work/*' 'solver/*' 'search/*' 'export/*' 'compact/*' 'verify/*' ||
            complain "$file: may not have OpenMP"
    done < <(grep -lE '^[[:space:]]*#[[:space:]]*pragma[[:space:]]+omp' "${sources[@]}")
    while read -r file; do
        lies_at "$file" game/bits.h verify/verify_bits.h ||
            complain "$file: intrinsics belong to game/bits.h"
    done < <(grep -lE '\b(_mm[0-9]*_[a-z0-9_]+|__builtin_ia32_[a-z0-9_]+)\b' "${sources[@]}")
}

# ---- 6: paths ------------------------------------------------------------------------------

check_paths() {
    local line
    while IFS= read -r line; do
        complain "$line: the path of a home or work directory"
    done < <(grep -nosIE '(^|[^A-Za-z0-9_.~-])/(home|root|work|Users)/[A-Za-z0-9_.-]+' \
        "${files[@]}" /dev/null || true)
}

# ---- 7: texts ------------------------------------------------------------------------------

# sprintf knows of no room; asprintf leaves its result undefined where memory ends.
check_texts() {
    local line
    while IFS= read -r line; do
        complain "$line: use game/text.h, query/new_text.h or snprintf"
    done < <(printf '%s\n' "${files[@]}" | grep '\.[ch]$' |
        xargs grep -HnoE '\bv?a?sprintf[[:space:]]*\(' || true)
}

check_arrows
check_circles
check_verifier
check_names
check_headers
check_libraries
check_paths
check_texts
exit "$failed"
