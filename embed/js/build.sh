#!/usr/bin/env bash
# build.sh: makes merels_compact.wasm of the reader, here or as the file named.
#
#     build.sh [FILE]
#
# Needs clang with the target wasm32, and wasm-ld.

set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/merels_compact.wasm}
clang --target=wasm32 -std=c99 -O2 -ffreestanding -nostdlib -Wall -Wextra -Werror \
    -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=131072 \
    "$here/module.c" "$here/../merels_compact.c" -o "$out"
