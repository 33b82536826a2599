#!/usr/bin/env bash
# fuzz/run.sh HOURS [--shard I/N] [--only TARGET,...] [--keep-going]: libFuzzer with AddressSanitizer on every target
# in turn. Needs nightly Rust and cargo-fuzz, nothing else. fuzz/run.sh --table prints the table of all calls so far.
#
# Each target has a slice of at most a minute; two for those that found new edges in their last slice, and two more for
# those below 100,000 runs. Corpora are kept in fuzz/corpus and minimised at the end. fuzz/statistics.tsv adds up all
# calls: target, runs, processor seconds, edges, findings. The first finding ends the run and names its file; with
# --keep-going findings are counted, kept in fuzz/findings, and make the exit status 1 in the end.
# Shards take different targets, on several machines or at once on one.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    echo "usage: fuzz/run.sh HOURS [--shard I/N] [--only TARGET,...] [--keep-going], or fuzz/run.sh --table" >&2
    exit 2
}
statistics=fuzz/statistics.tsv

# The statistics as docs/reliability.md shows them.
table() {
    awk -F'\t' '
        function grouped(n,   text, rest) {
            for (rest = sprintf("%d", n); length(rest) > 3; rest = substr(rest, 1, length(rest) - 3))
                text = "," substr(rest, length(rest) - 2) text
            return rest text
        }
        BEGIN { print "| target | runs | runs a second | edges | findings |\n|---|---:|---:|---:|---:|" }
        {
            printf "| `%s` | %s | %s | %s | %d |\n", $1, grouped($2), grouped($2 / ($3 + 0.01)), grouped($4), $5
            runs += $2; seconds += $3; findings += $5
        }
        END { printf "\n%s runs in %.2f hours of a processor, %d findings.\n", grouped(runs), seconds / 3600, findings }
    ' "$statistics"
}

if [[ ${1:-} == --table ]]; then table; exit; fi
[[ ${1:-} =~ ^[0-9]*\.?[0-9]+$ ]] || usage
hours=$1 shard=0 shards=1 only= keep_going=0 found_any=0
shift
while (($# > 0)); do
    case $1 in
        --shard) [[ ${2:-} =~ ^[0-9]+/[1-9][0-9]*$ ]] || usage; shard=${2%/*} shards=${2#*/} ;;
        --only) [[ ${2:-} =~ ^[a-z_,]+$ ]] || usage; only=,$2, ;;
        --keep-going) keep_going=1; shift; continue ;;
        *) usage ;;
    esac
    shift 2
done

RUSTC_WRAPPER=$PWD/fuzz/rustc.sh cargo +nightly fuzz build --fuzz-dir fuzz --target-dir fuzz/target any
any=fuzz/target/$(rustc +nightly -vV | sed -n "s/^host: //p")/release/any
corpus=fuzz/corpus
mkdir -p "$corpus"
SWIRL_FUZZ_TARGET=palette SWIRL_FUZZ_PREPARE=$corpus "$any" -runs=0 2>/dev/null

declare -A runs cpu edges findings fresh longest
targets=() n=0
while read -r target length; do
    [[ -z $only || $only == *,$target,* ]] || continue
    ((n++ % shards == shard % shards)) || continue
    targets+=("$target")
    longest[$target]=$length runs[$target]=0 cpu[$target]=0 edges[$target]=0 findings[$target]=0 fresh[$target]=1
done <"$corpus/targets"
((${#targets[@]} > 0)) || usage
if [[ -f $statistics ]]; then
    while IFS=$'\t' read -r target r c e f; do
        [[ -n ${longest[$target]:-} ]] || continue
        runs[$target]=$r cpu[$target]=$c edges[$target]=$e findings[$target]=$f
    done <"$statistics"
fi

# The statistics of this call's targets, and of the others as they are: other shards may run.
save() {
    local target others=()
    (
        flock 9
        while IFS=$'\t' read -r -a others; do
            [[ -n ${longest[${others[0]}]:-} ]] || (IFS=$'\t'; echo "${others[*]}")
        done < <(cat "$statistics" 2>/dev/null) >"$statistics.new"
        for target in "${targets[@]}"; do
            printf '%s\t' "$target" "${runs[$target]}" "${cpu[$target]}" "${edges[$target]}"
            echo "${findings[$target]}"
        done >>"$statistics.new"
        sort -o "$statistics.new" "$statistics.new"
        mv "$statistics.new" "$statistics"
    ) 9>"$corpus/lock"
}

weight() {
    local more=1
    ((fresh[$1] == 0)) || more=2
    ((runs[$1] >= 100000)) || more=$((more + 2))
    echo $more
}

# One target for some seconds.
slice() {
    local target=$1 seconds=$2 log=fuzz/corpus/$1.log dictionary=() status=0 found used executed
    [[ ! -s $corpus/$target.dict ]] || dictionary=("-dict=$corpus/$target.dict")
    mkdir -p "fuzz/findings/$target"
    used=$( { TIMEFORMAT='%U %S'; time SWIRL_FUZZ_TARGET=$target "$any" "$corpus/$target" "${dictionary[@]}" \
        -artifact_prefix="fuzz/findings/$target/" -max_len="${longest[$target]}" -max_total_time="$seconds" \
        -timeout=20 -rss_limit_mb=2048 -malloc_limit_mb=256 -print_final_stats=1 -reload=0 >"$log" 2>&1; } 2>&1 ) || status=$?
    cpu[$target]=$(awk -v a="${cpu[$target]}" '{ printf "%.2f", a + $1 + $2 }' <<<"$used")
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -1 | grep . || echo 0)
    runs[$target]=$((runs[$target] + executed))
    found=$(grep -oE 'cov: [0-9]+' "$log" | tail -1 | cut -c6-) || found=
    fresh[$target]=$((${found:-0} > edges[$target] ? 1 : 0))
    edges[$target]=${found:-${edges[$target]}}
    if ((status != 0)); then
        findings[$target]=$((findings[$target] + 1))
        found_any=1
        save
        if ((keep_going)); then
            cp "$log" "fuzz/findings/$target/log.$(date +%s)"
            echo "$target: finding, see fuzz/findings/$target"
            return
        fi
        tail -40 "$log"
        table
        echo "finding in $target: see fuzz/findings/$target; to repeat it:" >&2
        echo "SWIRL_FUZZ_TARGET=$target $any $(ls -t fuzz/findings/"$target"/* | head -1)" >&2
        exit 1
    fi
    save
    echo "$target: ${runs[$target]} runs, ${cpu[$target]} s, ${edges[$target]} edges"
}

# Building does not count.
end=$(($(date +%s) + $(awk -v h="$hours" 'BEGIN { printf "%d", h * 3600 }')))
while (($(date +%s) < end)); do
    total=0
    for target in "${targets[@]}"; do total=$((total + $(weight "$target"))); done
    left=$((end - $(date +%s)))
    for target in "${targets[@]}"; do
        seconds=$((left * $(weight "$target") / total))
        most=$((60 * $(weight "$target")))
        slice "$target" $((seconds > most ? most : seconds < 5 ? 5 : seconds))
        (($(date +%s) < end)) || break
    done
done

for target in "${targets[@]}"; do
    rm -rf "$corpus/$target.less"
    mkdir "$corpus/$target.less"
    if SWIRL_FUZZ_TARGET=$target "$any" -merge=1 -max_len="${longest[$target]}" -rss_limit_mb=2048 \
        "$corpus/$target.less" "$corpus/$target" >"$corpus/$target.log" 2>&1; then
        rm -r "${corpus:?}/$target"
        mv "$corpus/$target.less" "$corpus/$target"
    else
        rm -r "$corpus/$target.less"
        echo "$target: not minimised, see $corpus/$target.log" >&2
    fi
done
table
exit $found_any
