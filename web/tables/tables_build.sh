#!/usr/bin/env bash
# tables_build.sh: makes a WebAssembly module of the reader of tables: game/, db/ and what ranks
# plies, with the page in place of files and libraries (tables_host.c).
#
#     tables_build.sh FILE
#
# Does nothing if FILE is newer than all that it is made of. Needs clang with the target wasm32, wasm-ld, wasi-libc with its builtins, and the header of
# xxHash: scripts/setup --web.

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
out=$1

fail() {
    echo "tables_build: $*" >&2
    exit 1
}

# What the page does, or nobody: codec and files.
sources=()
for source in "$root"/game/*.c "$root"/db/*.c; do
    case ${source##*/} in
    codec.c | directory_source.c | file.c | writer.c | perft.c) ;;
    *) sources+=("$source") ;;
    esac
done
for source in game_record move_numbers ranking value_text; do
    sources+=("$root/query/$source.c")
done

newer=$(find "$here" "$root/game" "$root/db" "$root/query" "$root/embed" -maxdepth 2 \
    \( -name '*.[ch]' -o -name '*.sh' \) -newer "$out" -print -quit 2>/dev/null || echo all)
[ -n "$newer" ] || exit 0

# Of the headers of this machine only these: those of its C library would not fit.
include=$(mktemp -d)
trap 'rm -rf "$include"' EXIT
mkdir "$include/sys"
: >"$include/sys/cdefs.h"
for header in xxhash.h sys/queue.h; do
    for folder in /usr/include /usr/include/*-linux-gnu; do
        [ ! -f "$folder/$header" ] || cp "$folder/$header" "$include/$header"
    done
    [ -f "$include/$header" ] || fail "there is no $header: scripts/setup --web"
done

clang --target=wasm32-wasi -mexec-model=reactor -std=c17 -O2 -DNDEBUG -D_GNU_SOURCE -DXXH_INLINE_ALL \
    -Wall -Werror -ffunction-sections -fdata-sections \
    -I"$here" -I"$include" -I"$root" -nostartfiles \
    -Wl,--no-entry -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=262144 -Wl,--stack-first \
    "$here/tables_module.c" "$here/tables_host.c" "${sources[@]}" "$root/embed/merels_compact.c" -o "$include/module"
mkdir -p "$(dirname "$out")"
mv "$include/module" "$out"
