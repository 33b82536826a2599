#!/usr/bin/env bash
# Builds the programs of this folder into roms/bench, or into the folder given as first argument, and writes the hashes
# of sources and programs into SHA256SUMS. The compilers must not have the fault of GCC 12.2 (docs/guide/compilers.md):
# Debian 13's gcc-sh-elf (13.3) for C, and g++-14-sh4-linux-gnu for C++. Other releases give other bytes.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")"
out=$(mkdir -p "${1:-../../bench}" && cd "${1:-../../bench}" && pwd)
objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

common=(-ml -O2 -Wall -Wextra -Werror -fno-pic -fno-ident -fomit-frame-pointer -fno-stack-protector -ffunction-sections
    -fdata-sections -fno-tree-loop-distribute-patterns "-ffile-prefix-map=$PWD=.")
c=(-std=gnu11 -ffreestanding -fno-asynchronous-unwind-tables -fno-strict-aliasing)
link=(-ml -nostdlib -nostartfiles -static
    -Wl,--build-id=none,--gc-sections,--no-warn-rwx-segments,-z,max-page-size=32,-z,noexecstack)

# The start-up code, in which C symbols have no leading underscore.
sh-elf-gcc -m4 -ml -Dmain=_main -Dquit=_quit -Don_event=_on_event -c -o "$objects/crt.o" ../console/crt.S
for source in ../console/console.c memory.c; do
    sh-elf-gcc "${common[@]}" "${c[@]}" -m4-single -c -o "$objects/$(basename "$source").o" "$source"
done
for source in *.c; do
    [[ $source != memory.c ]] || continue
    sh-elf-gcc "${common[@]}" "${c[@]}" -m4-single -c -o "$objects/$source.o" "$source"
    sh-elf-gcc -m4-single "${link[@]}" -T ../console/console.ld -o "$out/${source%.c}.elf" "$objects/crt.o" \
        "$objects/console.c.o" "$objects/memory.c.o" "$objects/$source.o" -lgcc
done

# C++, for which Debian has a compiler with libstdc++ for Linux only.
sh=sh4-linux-gnu-
"${sh}gcc-14" -m4 -ml -c -o "$objects/crt.linux.o" ../console/crt.S
for source in ../console/console.c memory.c; do
    "${sh}gcc-14" "${common[@]}" "${c[@]}" -m4 -c -o "$objects/$(basename "$source").linux.o" "$source"
done
for source in objects.cpp runtime.cpp; do
    "${sh}g++-14" "${common[@]}" -m4 -std=gnu++17 -fno-threadsafe-statics -c -o "$objects/$source.o" "$source"
done
"${sh}g++-14" -m4 "${link[@]}" -no-pie -T objects.ld -o "$out/objects.elf" "$objects/crt.linux.o" \
    "$objects"/*.c.linux.o "$objects/objects.cpp.o" "$objects/runtime.cpp.o" -lstdc++ -lgcc_eh -lgcc

cd ../..
sha256sum src/bench/*.{c,cpp,ld,sh,png,jpg} bench/*.elf >src/bench/SHA256SUMS
