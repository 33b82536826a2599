#!/bin/bash -eu
# The shape that OSS-Fuzz wants: a program, a dictionary and a corpus for each target in $OUT. Elsewhere:
# OUT=out fuzz/build.sh. Needs nightly Rust, cargo-fuzz and zip.
cd "$(dirname "$0")/.."
OUT=$(mkdir -p "${OUT:?a folder for the programs}" && cd "$OUT" && pwd)
RUSTC_WRAPPER=$PWD/fuzz/rustc.sh cargo +nightly fuzz build --fuzz-dir fuzz --target-dir fuzz/target -O any
any=fuzz/target/$(rustc +nightly -vV | sed -n "s/^host: //p")/release/any
corpus=$(mktemp -d)
trap 'rm -r "$corpus"' EXIT
SWIRL_FUZZ_TARGET=palette SWIRL_FUZZ_PREPARE=$corpus "$any" -runs=0 2>/dev/null
while read -r target length; do
    # The program runs the target of its name; links would not survive the copy out of a container.
    cp "$any" "$OUT/$target"
    [[ ! -s $corpus/$target.dict ]] || cp "$corpus/$target.dict" "$OUT/$target.dict"
    printf '[libfuzzer]\nmax_len = %d\n' "$length" >"$OUT/$target.options"
    (cd "$corpus/$target" && zip -q -FS "$OUT/${target}_seed_corpus.zip" ./*)
done <"$corpus/targets"
