#!/usr/bin/env bash
# everywhere.sh: the two-file reader says the same wherever it runs.
#
#     everywhere.sh WHERE CC SOURCES FILE...
#
# WHERE is m32 (CC for 32 bits), cxx (as C++), big-endian (s390x in an emulator), wasm (a module in
# Node), or, with a stack of 128 KiB, musl (another C library) or windows (MinGW, run by Wine). Asks tests/compact/answers.c about many positions of each file, natively and there, and
# compares the answers. Exit status 0 if they are the same; a tool that is missing is a failure.

set -euo pipefail
export LC_ALL=C

if [ $# -lt 4 ]; then
    echo "usage: everywhere.sh WHERE CC SOURCES FILE..." >&2
    exit 2
fi
where=$1 cc=$2 sources=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
reader=$sources/embed/merels_compact.c
program=$sources/tests/compact/answers.c
strict=(-Wall -Wextra -pedantic -Werror "-I$sources")

fail() {
    echo "everywhere: $*" >&2
    exit 1
}

need() {
    command -v "$1" >/dev/null || fail "there is no $1"
}

"$cc" -std=c99 -O2 "${strict[@]}" "$program" "$reader" -o "$dir/native"
case $where in
m32)
    # A library for 32 bits is often not there: the reader does without, the program may not.
    if "$cc" -m32 -std=c99 -O2 "${strict[@]}" "$program" "$reader" -o "$dir/there" 2>"$dir/log"; then
        there=("$dir/there")
    else
        cat "$dir/log" >&2
        fail "$cc makes no programs of 32 bits (gcc-multilib, libc6-dev-i386)"
    fi
    ;;
cxx)
    need g++
    g++ -x c++ -std=c++11 -O2 "${strict[@]}" -c "$reader" -o "$dir/reader.o"
    "$cc" -std=c99 -O2 "${strict[@]}" "$program" "$dir/reader.o" -o "$dir/there"
    there=("$dir/there")
    ;;
big-endian)
    need s390x-linux-gnu-gcc
    emulator=$(command -v qemu-s390x || command -v qemu-s390x-static) || fail "there is no qemu-s390x"
    s390x-linux-gnu-gcc -static -std=c99 -O2 "${strict[@]}" "$program" "$reader" -o "$dir/there"
    there=("$emulator" "$dir/there")
    ;;
wasm)
    need node
    need clang
    need wasm-ld
    "$sources/embed/js/build.sh" "$dir/merels_compact.wasm"
    there=(node "$sources/tests/compact/answers.mjs" "$sources/embed/js/index.js"
        "$dir/merels_compact.wasm")
    ;;
musl)
    need musl-gcc
    musl-gcc -static -std=c99 -O2 "${strict[@]}" "$program" "$reader" -o "$dir/there"
    there=(bash -c 'ulimit -s 128 && exec "$@"' bash "$dir/there")
    ;;
windows)
    need x86_64-w64-mingw32-gcc
    wine=$(command -v wine64 || command -v wine || command -v /usr/lib/wine/wine64) || fail "there is no wine"
    server=$(command -v wineserver || command -v /usr/lib/wine/wineserver) || fail "there is no wineserver"
    export WINEDEBUG=-all WINEPREFIX=$dir/wine
    trap '"$server" -k || true; "$server" -w || true; rm -rf "$dir"' EXIT # it writes there until it ends
    x86_64-w64-mingw32-gcc -std=c99 -O2 "${strict[@]}" -Wl,--stack,131072 "$program" "$reader" \
        -o "$dir/there.exe"
    there=("$wine" "$dir/there.exe")
    ;;
*) fail "unknown place '$where'" ;;
esac

for file in "$@"; do
    "$dir/native" "$file" 20 >"$dir/expected"
    n=$(wc -l <"$dir/expected")
    [ "$n" -ge 100 ] || fail "$file: only $n answers"
    if [ "$where" = wasm ]; then
        "${there[@]}" "$file" <"$dir/expected" >"$dir/found"
    else
        "${there[@]}" "$file" 20 | tr -d '\r' >"$dir/found"
    fi
    cmp "$dir/expected" "$dir/found" || fail "$file: other answers"
    echo "$(basename "$file"): $n positions, the same answers"
done
