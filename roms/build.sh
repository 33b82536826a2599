#!/usr/bin/env bash
# Assembles sh4-kernels/asm/*.s into kernels.elf, src/*.s into timing.elf and src/arm7/*.s into aica.elf, here or in
# the folder given as first argument; src/console/*.c into one program each, console/*.elf; and src/checks/*.c into two
# each, checks/*.elf; src/demo with the console runtime into demo.elf; and src/truth into truth.elf; and src/speed into
# two each, speed/*.elf for the console and speed/linux/*.elf for qemu-sh4. src/bench has a script of its own.
# Needs binutils for SH and ARM and a C compiler for SH: Debian's binutils-sh4-linux-gnu, binutils-arm-none-eabi and
# gcc-sh4-linux-gnu (12.2: another release of the compiler gives other bytes).
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

# Every C file that has a main is a program; the others and the assembly are linked to each, and what is unused is dropped.
shared=()
programs() {
    local -a flags=(-ml -O0 -std=gnu11 -Wall -Wextra -Werror -ffreestanding -fno-pic -fno-ident -fomit-frame-pointer
        -fno-stack-protector -fno-asynchronous-unwind-tables -fno-strict-aliasing -ffunction-sections -fdata-sections
        "-ffile-prefix-map=$here=.")
    mkdir "$objects/console"
    mkdir -p "$out/console"
    cd "$here/src/console"
    for source in *.S *.c; do
        # -O0: from -O1 on, GCC 12.2 for SH drops some comparisons with 0. C has no FPU code: that is left to assembly.
        case $source in *.S) isa=-m4 ;; *) isa=-m4-nofpu ;; esac
        # The program that fails on purpose has debug information, for back-traces.
        case $source in fault.c) debug=(-gdwarf-5) ;; *) debug=() ;; esac
        "${sh}gcc" "$isa" "${flags[@]}" "${debug[@]}" -c -o "$objects/console/$source.o" "$source"
        grep -q '^int main(void) {' "$source" || shared+=("$objects/console/$source.o")
    done
    for source in *.c; do
        grep -q '^int main(void) {' "$source" || continue
        "${sh}gcc" -m4-nofpu -ml -nostdlib -nostartfiles -static -no-pie \
            -Wl,--build-id=none,--gc-sections,--no-warn-rwx-segments,-z,max-page-size=32 \
            -T console.ld -o "$out/console/${source%.c}.elf" "${shared[@]}" "$objects/console/$source.o" -lgcc
    done
}
programs

# Every program of a check is built twice, with line numbers: it breaks its rule, and with RIGHT defined it does not.
checks() {
    local -a flags=(-m4-nofpu -ml -O0 -g1 -std=gnu11 -Wall -Wextra -Werror -ffreestanding -fno-pic -fno-ident
        -fomit-frame-pointer -fno-stack-protector -fno-asynchronous-unwind-tables -fno-strict-aliasing -ffunction-sections
        -fdata-sections "-ffile-prefix-map=$here=." -gno-record-gcc-switches)
    mkdir "$objects/checks"
    mkdir -p "$out/checks"
    cd "$here/src/checks"
    for source in *.c; do
        for right in "" RIGHT; do
            local name=${source%.c}${right:+_right}
            "${sh}gcc" "${flags[@]}" ${right:+-D$right} -c -o "$objects/checks/$name.o" "$source"
            "${sh}gcc" -m4-nofpu -ml -nostdlib -nostartfiles -static -no-pie \
                -Wl,--build-id=none,--gc-sections,--no-warn-rwx-segments,-z,max-page-size=32 \
                -T ../console/console.ld -o "$out/checks/$name.elf" "${shared[@]}" "$objects/checks/$name.o" -lgcc
        done
    done
}
checks

# The console runtime with the functions that `tests/console-runtime` calls.
runtime() {
    local flags=(-ml -m4-nofpu -D__SH4_SINGLE_ONLY__ -O0 -std=c99 -Wall -Wextra -Werror -ffreestanding -fno-pic -fno-ident
        -fomit-frame-pointer -fno-stack-protector -fno-asynchronous-unwind-tables -fno-strict-aliasing -ffunction-sections
        -fdata-sections "-ffile-prefix-map=$here=." "-I$here/../runtime/console/include")
    make -s -C "$here/../sh4-kernels/c" CROSS="$sh" BUILD="$objects/runtime"
    make -s -C "$here/../runtime/console" CROSS="$sh" BUILD="$objects/runtime"
    cd "$objects/runtime"
    "${sh}gcc" "${flags[@]}" -c -o player.o "$here/src/runtime/player.c"
    "${sh}gcc" -m4-nofpu -ml -nostdlib -nostartfiles -static -no-pie \
        -Wl,--build-id=none,--gc-sections,--no-warn-rwx-segments,-z,noexecstack,-z,max-page-size=32 \
        -T "$here/src/runtime/runtime.ld" -o "$out/runtime.elf" player.o libswirl_runtime.a libswirl.a -lgcc
}
runtime

# The demo's program: the console runtime, with the start-up code and the devices of the console programs.
demo() {
    local flags=(-ml -m4-nofpu -D__SH4_SINGLE_ONLY__ -O0 -std=gnu11 -Wall -Wextra -Werror -ffreestanding -fno-pic -fno-ident
        -fomit-frame-pointer -fno-stack-protector -fno-asynchronous-unwind-tables -fno-strict-aliasing -ffunction-sections
        -fdata-sections "-ffile-prefix-map=$here=." "-I$here/../runtime/console/include"
        "-I$here/../sh4-kernels/c/include")
    mkdir "$objects/demo"
    cd "$here/src/demo"
    for source in *.c; do
        "${sh}gcc" "${flags[@]}" -c -o "$objects/demo/$source.o" "$source"
    done
    "${sh}gcc" -ml -m4 -Wa,--fatal-warnings -c -o "$objects/demo/assets.o" assets.S
    "${sh}gcc" -m4-nofpu -ml -nostdlib -nostartfiles -static -no-pie \
        -Wl,--build-id=none,--gc-sections,--no-warn-rwx-segments,-z,noexecstack,-z,max-page-size=32 \
        -T "$here/src/console/console.ld" -o "$out/demo.elf" "${shared[@]}" "$objects"/demo/*.o \
        "$objects/runtime/libswirl_runtime.a" "$objects/runtime/libswirl.a" -lgcc
}
demo

# The experiments, with the start-up code of the console programs.
truth() {
    local flags=(-ml -O0 -std=gnu11 -Wall -Wextra -Werror -ffreestanding -fno-pic -fno-ident -fomit-frame-pointer
        -fno-stack-protector -fno-asynchronous-unwind-tables -fno-strict-aliasing -ffunction-sections -fdata-sections
        "-ffile-prefix-map=$here=.")
    mkdir "$objects/truth"
    cd "$here/src/truth"
    for source in *.S *.c; do
        case $source in *.S) isa=-m4 ;; *) isa=-m4-nofpu ;; esac
        "${sh}gcc" "$isa" "${flags[@]}" -c -o "$objects/truth/$source.o" "$source"
    done
    "${sh}gcc" -m4-nofpu -ml -nostdlib -nostartfiles -static -no-pie \
        -Wl,--build-id=none,--gc-sections,--no-warn-rwx-segments,-z,max-page-size=32 \
        -T "$here/src/console/console.ld" -o "$out/truth.elf" "${shared[@]}" "$objects"/truth/*.o -lgcc
}
truth

# The loops for the speed of CPU emulators. Their FTRV programs have FPU code, and c_mix is optimised C.
speed() {
    local flags=(-m4 -ml -O2 -Wall -Wextra -Werror -ffreestanding -fno-pic -fno-ident "-ffile-prefix-map=$here=.")
    mkdir "$objects/speed"
    mkdir -p "$out/speed/linux"
    cd "$here/src/speed"
    # speed_one NAME DEFINE STACK SCRIPT OUTPUT
    speed_one() {
        for source in crt.S "$1"; do
            "${sh}gcc" "${flags[@]}" "-D$2" "-DSTACKTOP=$3" -c -o "$objects/speed/$source.o" "$source"
        done
        "${sh}gcc" -m4 -ml -nostdlib -nostartfiles -static -no-pie -Wl,--build-id=none,-z,max-page-size=4096 \
            -Wl,--no-warn-rwx-segments,-z,noexecstack -T "$4" -o "$5" "$objects/speed/crt.S.o" "$objects/speed/$1.o" -lgcc
    }
    for source in c_mix.c fpu_ftrv.S fpu_mixed.S fpu_mixfmac.S int_crc.S mem_copy.S; do
        speed_one "$source" BARE 0x8cfff000 bare.ld "$out/speed/${source%.*}.elf"
        speed_one "$source" LINUX 0 linux.ld "$out/speed/linux/${source%.*}.elf"
    done
}
speed
