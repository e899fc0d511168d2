#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints how far predictions are from measurements, for every file of measurements below a folder, and with --readme puts
# the tables into README.md between its two marks.
# usage: packaging/accuracy.sh FOLDER [--readme]       FOLDER holds ops/ e2e/ field/, or the samples of tests/validation/data
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?"usage: packaging/accuracy.sh FOLDER [--readme]"}
cli=${RIDGEPOINT_CLI:-}
for candidate in "$here"/build/release/app/ridgepoint-cli "$here"/build/dev/app/ridgepoint-cli; do
    [ -n "$cli" ] || { [ -x "$candidate" ] && cli=$candidate; } || true
done
[ -n "$cli" ] || { echo "accuracy.sh: build first: packaging/run.sh, or set RIDGEPOINT_CLI" >&2; exit 4; }
export RIDGEPOINT_PRESETS="${RIDGEPOINT_PRESETS:-$here/presets}"
out=$(mktemp)
trap 'rm -f "$out" "$out.readme"' EXIT

validate() {   # kind file...
    kind=$1
    shift
    for file in "$@"; do
        [ ! -f "$file" ] || "$cli" validate "$kind" "$file" --markdown
    done
}
{
    echo '| file: quantity | rows | not predicted | error %: mean / median / p90 | without own measurements | in the 80 % band | width of the band |'
    echo '|---|---:|---:|---|---|---:|---:|'
    for table in gemm attention_prefill attention_decode moe mla collectives moe_a2a memory; do
        validate operators "$folder/ops/$table.csv"
    done
    validate serving "$folder/e2e/serving_measured_open.csv"
    validate memory "$folder/field/kv_capacity.csv" "$folder/field/fit.csv"
    validate speed "$folder/field/serving_speed.csv"
} > "$out"
cat "$out"
[ "${2:-}" = --readme ] || exit 0
awk -v table="$out" '
    /<!-- accuracy: begin -->/ { print; while ((getline line < table) > 0) print line; skip = 1 }
    /<!-- accuracy: end -->/ { skip = 0 }
    !skip { if (!/<!-- accuracy: begin -->/) print }' "$here/README.md" > "$out.readme"
cat "$out.readme" > "$here/README.md"
