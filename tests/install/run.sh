#!/bin/sh
# Installs the build into a temporary directory and uses what is there as others do: programs in
# C and C++ by pkg-config, by find_package, and statically; then looks at the exported names.
# usage: run.sh CMAKE BUILD-DIR SOURCE-DIR CC CXX NM
set -eu
cmake=$1 build=$2 source=$3 cc=$4 cxx=$5 nm=$6
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT INT TERM
prefix="$root/a prefix" # a path with a space
project=$source/tests/install/project

fail() { echo "install test: $1" >&2; exit 1; }

"$cmake" --install "$build" --prefix "$prefix" >"$root/log"
pc=$(find "$prefix" -name merels.pc)
shared=$(find "$prefix" -name libmerels.so)
static=$(find "$prefix" -name libmerels.a)
PKG_CONFIG_PATH=$(dirname "$pc") LD_LIBRARY_PATH=$(dirname "$shared")
export PKG_CONFIG_PATH LD_LIBRARY_PATH

"$prefix/bin/merels" --version | grep -q "^merels $(pkg-config --modversion merels)$" ||
    fail "program and pkg-config file differ in version"
version=$(printf '#include <merels.h>\nMERELS_VERSION' |
    "$cc" -E -P -I"$prefix/include" - | tail -n 1 | tr -d '" ')
[ "$version" = "$(pkg-config --modversion merels)" ] ||
    fail "header and pkg-config file differ in version"
"$prefix/bin/merels" solve nine --db "$root/db" --phase moving --max-men 6 --threads 1 2>>"$root/log"
"$prefix/bin/merels" export nine --db "$root/db" --edition wdl --out "$root/wdl" --threads 1 \
    >>"$root/log" 2>&1

# Runs a program on tables with and without depths: g4-g7 wins in 1.
try() {
    for db in "$root/db" "$root/wdl"; do
        "$1" nine "$db" 'w a7,d7,g4 a1,d1,g1 0/0' >"$root/out" || fail "$1 failed on $db"
        grep -q 'g4-g7x' "$root/out" || fail "$1 gives no answer on $db"
    done
    if "$1" nine "$root/none" 'w a7,d7,g4 a1,d1,g1 0/0' >"$root/out" 2>&1; then
        fail "$1 answers without tables"
    fi
    grep -q '^missing: ' "$root/out" || fail "$1 does not say what is missing"
}

# The flags of pkg-config escape the space in the path, so that eval reads them back.
eval "\"$cc\" -std=c99 -pedantic -Wall -Wextra -Werror -o \"$root/c\" \"$source/examples/probe.c\" \
    $(pkg-config --cflags --libs merels)"
eval "\"$cxx\" -std=c++11 -pedantic -Wall -Wextra -Werror -o \"$root/cxx\" \"$project/host.cc\" \
    $(pkg-config --cflags --libs merels)"
try "$root/c"
try "$root/cxx"

# Statically: the archive by name, and what pkg-config says that it needs.
needs=$(pkg-config --static --libs-only-l merels | sed 's/-lmerels//')
eval "\"$cc\" -o \"$root/c-static\" \"$source/examples/probe.c\" $(pkg-config --cflags merels) \
    \"$static\" $needs"
eval "\"$cxx\" -o \"$root/cxx-static\" \"$project/host.cc\" $(pkg-config --cflags merels) \
    \"$static\" $needs"
env -u LD_LIBRARY_PATH "$root/c-static" nine "$root/db" 'w a7,d7,g4 a1,d1,g1 0/0' >"$root/out"
try "$root/c-static"
try "$root/cxx-static"

"$cmake" -S "$project" -B "$root/project" -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DEXAMPLE="$source/examples/probe.c" >>"$root/log" || { cat "$root/log"; exit 1; }
"$cmake" --build "$root/project" >>"$root/log" || { cat "$root/log"; exit 1; }
for program in c_merels cxx_merels c_merels_static cxx_merels_static; do
    try "$root/project/$program"
done

# The shared library shows the functions of the header, the archive nothing without our prefix.
sed -n 's/^MERELS_API .*[ *]\(merels_[a-z_]*\)(.*/\1/p' "$prefix/include/merels.h" |
    sort >"$root/declared"
"$nm" -D --defined-only "$shared" | awk '{print $3}' | sort >"$root/exported"
[ -s "$root/declared" ] && cmp "$root/declared" "$root/exported" ||
    fail "the shared library exports other names than the header declares"
if "$nm" -g --defined-only "$static" | awk 'NF == 3 {print $3}' | grep -v '^merels_'; then
    fail "the static library has names of its own"
fi
for name in printf puts fprintf exit abort _exit signal sigaction setlocale; do
    if "$nm" -D --undefined-only "$shared" | awk '{print $2}' | grep -q "^$name\(@\|\$\)"; then
        fail "the library calls $name"
    fi
done
echo "installed, built and run in every form"
