#!/usr/bin/env bash
# Tests the browser page in Chromium or Chrome (SWIRL_BROWSER names another). Needs node 20 and npm.
#
# test.sh [--built]: with --built the command and the example `page` are those in the target folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
release=$(realpath -m "${CARGO_TARGET_DIR:-target}")/release
[[ ${1:-} == --built ]] || cargo build --release --locked -p swirl-cli -p swirl-web --bins --examples
npm ci --prefix harness/web/tests --silent
log=$(mktemp)
"$release/examples/page" --port 0 >"$log" &
server=$!
trap 'kill "$server" 2>/dev/null; rm -f "$log"' EXIT
until [[ -s $log ]]; do
    kill -0 "$server" || exit 1
    sleep 0.2
done
SWIRL_PAGE=$(cat "$log") SWIRL=$release/swirl node --test --test-concurrency=1 harness/web/tests/*.test.mjs
