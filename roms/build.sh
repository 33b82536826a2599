#!/usr/bin/env bash
# Assembles sh4-kernels/asm/*.s into kernels.elf and src/*.s into timing.elf, here or in the folder given as first
# argument.
# Needs binutils for SH: Debian's binutils-sh4-linux-gnu.
set -euo pipefail
export LC_ALL=C  # the order of the objects is the order of the names
cd "$(dirname "$0")"
out=$(mkdir -p "${1:-.}" && cd "${1:-.}" && pwd)
script=$PWD/kernels.ld
prefix=${SH_PREFIX:-sh4-linux-gnu-}
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

# image FOLDER NAME: the folder's sources as one image.
image() {
    mkdir "$objects/$2"
    cd "$1"
    for source in *.s; do
        "${prefix}as" --isa=sh4 -little --fatal-warnings -o "$objects/$2/${source%.s}.o" "$source"
    done
    cd "$objects/$2"
    "${prefix}ld" -EL --build-id=none -z max-page-size=32 -T "$script" -o "$out/$2.elf" ./*.o
}

here=$PWD
image "$here/../sh4-kernels/asm" kernels
image "$here/src" timing
