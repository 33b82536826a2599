#!/usr/bin/env bash
# Makes the inputs with debug information from seed.c: lengths of the sections in 16 bits each, then the sections.
set -euo pipefail
cd "$(dirname "$0")"
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
sections=(.debug_info .debug_abbrev .debug_str .debug_line .debug_ranges .debug_frame .eh_frame .debug_rnglists)
for version in 4 5; do
    sh4-linux-gnu-gcc -ml -O1 -ffreestanding -gdwarf-$version -gstrict-dwarf -nostdlib \
        -fno-asynchronous-unwind-tables -Wl,-Ttext=0x8c010000 -Wl,-e,_f -static -o "$folder/seed.elf" seed.c \
        "-ffile-prefix-map=$PWD=."
    : >"$folder/lengths"
    : >"$folder/bytes"
    for section in "${sections[@]}"; do
        : >"$folder/section"
        sh4-linux-gnu-objcopy -O binary --set-section-flags "$section=alloc" -j "$section" "$folder/seed.elf" \
            "$folder/section" 2>/dev/null || true
        size=$(stat -c %s "$folder/section")
        printf "\\x$(printf %02x $((size & 255)))\\x$(printf %02x $((size >> 8)))" >>"$folder/lengths"
        cat "$folder/section" >>"$folder/bytes"
    done
    cat "$folder/lengths" "$folder/bytes" >"seed$version.dwarf"
done
