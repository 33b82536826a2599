#!/usr/bin/env bash
# fuzz/run.sh HOURS [--shard I/N]: libFuzzer on every target in turn. Needs nightly Rust and cargo-fuzz.
#
# Each target has a slice of a minute or more; those that still find new edges get twice the time in the next round.
# Corpora are kept in fuzz/corpus and minimised at the end. The first finding ends the run and names its file.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() { echo "usage: fuzz/run.sh HOURS [--shard I/N]" >&2; exit 2; }
[[ $# -eq 1 || ($# -eq 3 && ${2:-} == --shard && ${3:-} =~ ^[0-9]+/[1-9][0-9]*$) ]] || usage
[[ $1 =~ ^[0-9]*\.?[0-9]+$ ]] || usage
shard=0 shards=1
[[ $# -eq 1 ]] || { shard=${3%/*} shards=${3#*/}; }

mapfile -t all < <(basename -s .rs -a fuzz/fuzz_targets/*.rs)
targets=()
for ((n = 0; n < ${#all[@]}; n++)); do ((n % shards != shard % shards)) || targets+=("${all[n]}"); done

cargo +nightly fuzz build --fuzz-dir fuzz
declare -A runs edges weight
for target in "${targets[@]}"; do
    runs[$target]=0 edges[$target]=0 weight[$target]=1
    mkdir -p "fuzz/corpus/$target"
done
cargo run --release --locked -p swirl-fuzz --example first_inputs -- fuzz/corpus

# Building does not count.
end=$(($(date +%s) + $(awk "BEGIN { printf \"%d\", $1 * 3600 }")))

table() {
    printf '\n%-16s %12s %8s\n' target runs edges
    for target in "${targets[@]}"; do printf '%-16s %12d %8d\n' "$target" "${runs[$target]}" "${edges[$target]}"; done
}

round() {
    local total=0 left slice log found
    for target in "${targets[@]}"; do total=$((total + weight[$target])); done
    left=$((end - $(date +%s)))
    for target in "${targets[@]}"; do
        slice=$((left * weight[$target] / total))
        slice=$((slice > 600 ? 600 : slice < 5 ? 5 : slice))
        log=$(mktemp)
        if ! cargo +nightly fuzz run --fuzz-dir fuzz "$target" -- -max_total_time="$slice" -timeout=20 \
            -rss_limit_mb=2048 -print_final_stats=1 >"$log" 2>&1; then
            tail -40 "$log"
            table
            echo "finding in $target: see fuzz/artifacts/$target" >&2
            exit 1
        fi
        runs[$target]=$((runs[$target] + $(sed -n 's/^stat::number_of_executed_units: *//p' "$log")))
        found=$(grep -oE 'cov: [0-9]+' "$log" | tail -1 | cut -c6-)
        weight[$target]=$((${found:-0} > edges[$target] ? 2 : 1))
        edges[$target]=${found:-0}
        rm "$log"
        echo "$target: ${runs[$target]} runs, ${edges[$target]} edges"
        (($(date +%s) < end)) || return 0
    done
}

while (($(date +%s) < end)); do round; done
for target in "${targets[@]}"; do
    cargo +nightly fuzz cmin --fuzz-dir fuzz "$target" >/dev/null 2>&1 || echo "$target: not minimised" >&2
done
table
