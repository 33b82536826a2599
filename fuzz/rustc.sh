#!/usr/bin/env bash
# Cargo's RUSTC_WRAPPER for the fuzz targets: crates of the compiler that the recompiler uses get no sanitizer, no
# coverage and no debug assertions. They are not under test; with these, compiling takes ten times as long, and
# libFuzzer looks for new ways through the compiler.
set -euo pipefail
plain=0 last= arguments=()
for argument in "$@"; do
    case $last:$argument in --crate-name:cranelift_* | --crate-name:regalloc2 | --crate-name:wasmtime_internal_*) plain=1 ;; esac
    last=$argument
done
for argument in "$@"; do
    if ((plain)); then
        case $argument in
            -Zsanitizer=* | -Cpasses=sancov-module | -Cllvm-args=-sanitizer-coverage-* | -Cdebug-assertions) continue ;;
        esac
    fi
    arguments+=("$argument")
done
exec "${arguments[@]}"
