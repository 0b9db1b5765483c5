#!/usr/bin/env bash
# Builds everything and runs all tests, on a fresh Debian 12 with the Swift toolchain: what else is missing it installs.
#
#     Tests/run.sh [--sanitize thread|address] [ARGUMENTS OF swift test…]
#     Tests/run.sh --filter WebSocketTests
#
# The last line is `N passed, N failed`, with `, N skipped` where some were. Exit status 0 means that tests ran and
# none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh
source Tests/python.sh

scratch=.build
sanitizer=
build_options=()
# A number of tests at a time: were all begun at once, each step of one would stand in line behind all the others'. Under
# a sanitizer a few, since each takes several times as long, and its time counts.
test_options=(--experimental-maximum-parallelization-width 16)
preload=()
while [[ ${1-} == --sanitize* ]]; do
    sanitizer=${1#--sanitize}
    sanitizer=${sanitizer#=}
    [[ $sanitizer ]] || { sanitizer=${2-} && shift; }
    if [[ $sanitizer != thread && $sanitizer != address ]]; then
        echo "--sanitize takes 'thread' or 'address'" >&2
        exit 64
    fi
    shift
    # A build of its own, so that the plain one need not be made again afterwards.
    scratch=.build/$sanitizer
    # Programs that are started with a clean environment keep the sanitizer's variables.
    build_options=(--sanitize "$sanitizer" -Xswiftc -DACPBRIDGE_SANITIZED)
    test_options=(--experimental-maximum-parallelization-width 4)
done
build_options+=(--scratch-path "$scratch")

# What a sanitizer has to say, of the tests' process and of all that they start.
reports=$PWD/$scratch/reports
# A crash must not open a debugger, which holds an agent's pipes; leaks of what a test killed on purpose are none. What
# is freed is kept back for a while to catch who uses it still: little of it, since tests look at a bridge's memory.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=2:log_path=$reports/report
export TSAN_OPTIONS=log_path=$reports/report

# How long all tests together may take before they are taken for stuck.
readonly patience=20m

log=$scratch/tests.log
events=$scratch/tests.ndjson
# The tests' temporary folder, by whose name everything that they started is found again. Short: a Unix socket's path
# has at most 107 bytes.
work=$(mktemp --directory /tmp/acpb.XXXX)

# stage NAME COMMAND…: runs it, says how long it took, and ends as it did.
stage() {
    local name=$1 from=$SECONDS status=0
    shift
    "$@" || status=$?
    echo "== $name: $((SECONDS - from)) s"
    return "$status"
}

build() {
    mkdir -p "$scratch"
    if [[ -t 1 ]]; then
        swift build --build-tests "${build_options[@]}"
    elif swift build --build-tests "${build_options[@]}" >"$log" 2>&1; then
        # The linker's are of symbols of the sanitizer's own.
        grep 'warning:' "$log" | grep --invert-match "local symbol '__asan_" || true
    else
        cat "$log"
        return 1
    fi
    [[ $sanitizer != thread ]] || build_mutex
}

# What tells ThreadSanitizer of Swift's Mutex, for all that the tests start.
build_mutex() {
    "$(dirname "$(readlink --canonicalize "$(command -v swiftc)")")/clang" -shared -fPIC -O1 \
        -o "$scratch/mutex.so" Tests/ThreadSanitizer/mutex.c
    preload=(LD_PRELOAD="$PWD/$scratch/mutex.so")
}

# Every test's beginning and end goes into the log; what is shown is what failed, and what was left out and why.
run_tests() {
    local status=0
    : >"$events"
    rm -rf "$reports" && mkdir -p "$reports"
    env "${preload[@]}" TMPDIR="$work" timeout --foreground "$patience" swift test --skip-build --disable-xctest \
        "${build_options[@]}" "${test_options[@]}" --event-stream-output-path "$events" "$@" >"$log" 2>&1 || status=$?
    end_leftovers
    jq --raw-input --raw-output 'fromjson? | select(.kind == "event") | .payload
        | select(.kind == "issueRecorded" or .kind == "testSkipped"
            or (.kind == "testEnded" and any(.messages[]; .symbol == "fail")))
        | .messages[] | "\(if .symbol == "details" then "    " else "" end)\(.text)"' "$events"
    ((status != 124)) || echo "The tests were stuck, and ended after $patience"
    show_reports || status=1
    # It did not come to its end: a crash, or wrong usage, of which the log's end says most.
    if ((status)) && ! grep --quiet '"runEnded"' "$events"; then tail -n 40 "$log"; fi
    return "$status"
}

# Fails where a sanitizer found something.
show_reports() {
    [[ $(ls "$reports") ]] || return 0
    echo "The sanitizer reports, and says more in $reports:"
    cat "$reports"/* | sed --quiet 's/^SUMMARY: //p' | sort | uniq --count
    return 1
}

# The processes that the tests left running, such as a bridge that nobody stopped.
leftovers() {
    grep --files-with-matches --null-data --fixed-strings "=$work" /proc/[0-9]*/environ 2>/dev/null |
        cut --delimiter / --fields 3
}

end_leftovers() {
    local process
    for process in $(leftovers); do
        echo "Left running, and ended now: $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline")"
        kill -KILL "$process" 2>/dev/null || true
    done
}

tidy_up() {
    end_leftovers
    rm -rf "$work"
}
trap tidy_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# closing_line STATUS: from the run's own events. A test that began and did not end took the process with it, and has
# failed; and a run that ended with another status than 0 has failed.
closing_line() {
    jq --null-input --raw-input --raw-output --argjson status "$1" '
        reduce (inputs | fromjson?) as $line ({functions: {}, outcomes: {}};
            $line.payload as $it
            | if $line.kind == "test" then .functions[$it.id] = ($it.kind == "function")
              elif $it.kind == "testStarted" then .outcomes[$it.testID] = "failed"
              elif $it.kind == "testSkipped" then .outcomes[$it.testID] = "skipped"
              elif $it.kind == "testEnded" then
                .outcomes[$it.testID] = (if any($it.messages[]; .symbol == "fail") then "failed" else "passed" end)
              else . end)
        | .functions as $functions
        | [.outcomes | to_entries[] | select($functions[.key]) | .value]
        | {passed: map(select(. == "passed")) | length,
           failed: map(select(. == "failed")) | length,
           skipped: map(select(. == "skipped")) | length}
        | if .failed == 0 and $status != 0 then .failed = 1 else . end
        | "\(.passed) passed, \(.failed) failed" + (if .skipped > 0 then ", \(.skipped) skipped" else "" end)' "$events"
}

require_swift
stage packages install_packages "${build_packages[@]}" jq openssl libjwt0 python3-venv
stage python prepare_python
stage build build
status=0
stage tests run_tests "$@" || status=$?
closing=$(closing_line "$status")
if [[ $closing == "0 passed, 0 failed"* ]]; then
    echo "No test ran"
    status=1
fi
echo "$closing"
exit "$status"
