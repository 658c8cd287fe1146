#!/usr/bin/env bash
# freestanding.sh: the reader of edition compact needs nothing that a program without a library
# does not have.
#
#     freestanding.sh CC CXX NM SOURCES
#
# Compiles embed/merels_compact.c as strict C99 and as C++ with all warnings, at four levels, for
# this processor, on x86-64 for 32 bits, too, and with clang for WebAssembly; then no symbol may be
# undefined, and none defined that does not begin with merels_compact_. Exit status 0 if all is well.

set -euo pipefail
export LC_ALL=C

if [ $# -ne 4 ]; then
    echo "usage: freestanding.sh CC CXX NM SOURCES" >&2
    exit 2
fi
cc=$1 cxx=$2 nm=$3 source=$4/embed/merels_compact.c
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
strict=(-ffreestanding -nostdlib -Wall -Wextra -pedantic -Werror)
failed=0

# examine NAME: the object file must be whole.
examine() {
    local symbols
    symbols=$("$nm" "$dir/reader.o")
    if grep -q ' U ' <<<"$symbols"; then
        echo "$1: undefined: $(grep ' U ' <<<"$symbols" | tr -s ' \n' ' ')" >&2
        failed=1
    fi
    if grep ' [A-TV-Z] ' <<<"$symbols" | grep -qv ' _*merels_compact_'; then
        echo "$1: exported: $(grep ' [A-TV-Z] ' <<<"$symbols" | grep -v merels_compact_)" >&2
        failed=1
    fi
}

for level in -O0 -O1 -O2 -O3; do
    "$cc" -std=c99 "$level" "${strict[@]}" -c "$source" -o "$dir/reader.o"
    examine "$cc $level"
    "$cxx" -x c++ -std=c++11 "$level" -Wall -Wextra -pedantic -Werror -c "$source" \
        -o "$dir/cxx.o"
    if [ "$(uname -m)" = x86_64 ]; then
        "$cc" -m32 -fno-pic -std=c99 "$level" "${strict[@]}" -c "$source" -o "$dir/reader.o"
        examine "$cc -m32 $level"
    fi
done

# A module for a browser links without a library.
clang --target=wasm32 -std=c99 -O2 "${strict[@]}" -c "$source" -o "$dir/reader.wasm.o"
wasm-ld --no-entry --export=merels_compact_open --export=merels_compact_value \
    "$dir/reader.wasm.o" -o "$dir/reader.wasm"
exit "$failed"
