#!/usr/bin/env bash
# Runs the fuzzers one at a time, for the given number of seconds each, and reports their findings.
#
#     Tests/fuzz.sh [SECONDS [TARGET…]]
#     Tests/fuzz.sh 600 json websocket
#
# An input that fails a check is stored as .build/fuzz/TARGET-…. Run it again with
# `.build/fuzz/release/acpbridge-fuzz TARGET FILE`, and add it to Tests/Fuzz/Corpus/TARGET when the bug is fixed.
# New inputs that the fuzzers find are stored in .build/fuzz/corpus. Exit status 0 means that all checks passed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh

seconds=${1-60}
shift || true
targets=("$@")
((${#targets[@]})) || targets=(json websocket http command-line tinyvex)

# A crash must not open a debugger.
export ACPBRIDGE_FUZZ=1 SWIFT_BACKTRACE=enable=no

readonly scratch=.build/fuzz
require_swift
install_packages "${build_packages[@]}"
mkdir -p "$scratch"
swift build --configuration release --product acpbridge-fuzz --scratch-path "$scratch" \
    -Xswiftc -sanitize=fuzzer -Xswiftc -use-ld=lld >"$scratch/build.log" 2>&1 ||
    { cat "$scratch/build.log" && exit 1; }

status=0
for target in "${targets[@]}"; do
    learnt=$scratch/corpus/$target
    log=$scratch/$target.log
    mkdir -p "$learnt"
    if "$scratch/release/acpbridge-fuzz" "$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=2048 -artifact_prefix="$scratch/$target-" -print_final_stats=1 \
        "$learnt" "Tests/Fuzz/Corpus/$target" >"$log" 2>&1; then
        echo "$target: nothing found in $(sed --quiet 's/^stat::number_of_executed_units: *//p' "$log") inputs"
    else
        status=1
        echo "$target: FOUND"
        grep --extended-regexp 'Fatal error|ERROR|does not hold|Test unit written' "$log" || tail --lines 5 "$log"
    fi
done
exit "$status"
