#!/usr/bin/env bash
# sysroot.sh: the libraries that merels links, for another processor.
#
#     sysroot.sh ARCHITECTURE DIR        as Debian calls it: arm64, s390x, i386
#
# Downloads the packages of this machine's Debian release with apt into a state of its own, so that
# nothing of the system changes and no right of root is needed, and unpacks them into DIR.

set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: sysroot.sh ARCHITECTURE DIR" >&2
    exit 2
fi
architecture=$1 dir=$2
packages=(libc6 libgcc-s1 libgomp1 libzstd1 libzstd-dev libxxhash0 libxxhash-dev libssl3 libssl-dev
    libjansson4 libjansson-dev libsmartcols1 libsmartcols-dev)
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state/lists/partial" "$state/cache/archives/partial" "$dir"
touch "$state/status"
options=(-q -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture"
    -o "Dir::State=$state" -o "Dir::State::Lists=$state/lists" -o "Dir::State::status=$state/status"
    -o "Dir::Cache=$state/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none)
apt-get "${options[@]}" update >&2 || echo "sysroot: some lists of packages are missing" >&2
(cd "$state" && apt-get "${options[@]}" download "${packages[@]}" >&2)
for package in "$state"/*.deb; do
    dpkg-deb -x "$package" "$dir"
done
[ -n "$(find "$dir" -name libsmartcols.so)" ] || {
    echo "sysroot: no libraries in $dir" >&2
    exit 1
}
