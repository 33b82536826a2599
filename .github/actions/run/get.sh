#!/usr/bin/env bash
# get.sh REPOSITORY REF FOLDER: builds swirl at REF of REPOSITORY below FOLDER, and prints the folder of the binary.
# A folder that a cache has restored is brought up to date; no other repository is touched.
set -euo pipefail
repository=$1 ref=$2 folder=$3
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
# With a repository of its own `git -C` never finds one further up.
git init --quiet "$folder"
git -C "$folder" fetch --quiet --depth 1 "$repository" "$ref" >&2
git -C "$folder" checkout --quiet --force --detach FETCH_HEAD >&2
cargo build --release --locked --manifest-path "$folder/Cargo.toml" --target-dir "$folder/target" -p swirl-cli >&2
echo "$folder/target/release"
