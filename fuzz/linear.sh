#!/usr/bin/env bash
# fuzz/linear.sh: instructions that each reader takes for inputs of 100, 1,000 and 10,000 parts, built to be worst,
# counted by valgrind. Fails where ten times the parts take more than fifteen times the instructions. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --profile "${PROFILE:-release}" --locked -p swirl-fuzz --example worst
worst=target/${PROFILE:-release}/examples/worst
count() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$worst" "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'; }
failed=0
printf '| input | instructions for 100 parts | 1,000 | 10,000 |\n|---|---:|---:|---:|\n'
while read -r number name; do
    row=() last=
    for parts in 100 1000 10000; do
        with=$(count "$number" $parts) without=$(count "$number" $parts none)
        row+=($((with - without)))
    done
    printf '| `%s` (%s) | %d | %d | %d |\n' "$name" "$number" "${row[@]}"
    ((row[2] - row[1] <= 15 * (row[1] - row[0]))) || { echo "$name: not linear" >&2; failed=1; }
done < <("$worst")
exit $failed
