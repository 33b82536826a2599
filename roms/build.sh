#!/usr/bin/env bash
# Assembles sh4-kernels/asm/*.s into kernels.elf, src/*.s into timing.elf and src/arm7/*.s into aica.elf, here or in
# the folder given as first argument.
# Needs binutils for SH and ARM: Debian's binutils-sh4-linux-gnu and binutils-arm-none-eabi.
set -euo pipefail
export LC_ALL=C  # the order of the objects is the order of the names
cd "$(dirname "$0")"
out=$(mkdir -p "${1:-.}" && cd "${1:-.}" && pwd)
here=$PWD
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

# image FOLDER NAME SCRIPT PREFIX FLAGS: the folder's sources as one image.
image() {
    local folder=$1 name=$2 script=$3 prefix=$4
    shift 4
    mkdir "$objects/$name"
    cd "$folder"
    for source in *.s; do
        "${prefix}as" "$@" --fatal-warnings -o "$objects/$name/${source%.s}.o" "$source"
    done
    cd "$objects/$name"
    "${prefix}ld" -EL --build-id=none -z max-page-size=32 -T "$here/$script" -o "$out/$name.elf" ./*.o
}

sh=${SH_PREFIX:-sh4-linux-gnu-}
arm=${ARM_PREFIX:-arm-none-eabi-}
image "$here/../sh4-kernels/asm" kernels kernels.ld "$sh" --isa=sh4 -little
image "$here/src" timing kernels.ld "$sh" --isa=sh4 -little
image "$here/src/arm7" aica aica.ld "$arm" -march=armv3 -EL
