#!/usr/bin/env bash
# Builds everything and runs all tests. On a fresh Debian 12 with the Swift toolchain, it installs all other
# requirements. If RELEASED_PROGRAM has the path of a released acpbridge, the tests that kill and replace bridges also run
# with it, because an optimiser can make faults.
#
#     Tests/run.sh [--sanitize thread|address] [ARGUMENTS OF swift test…]
#     Tests/run.sh --filter WebSocketTests
#
# The last line is `N passed, N failed`, followed by `, N skipped` if tests were skipped. Exit status 0 means that
# tests ran and none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh
source Tests/python.sh

scratch=.build
sanitizer=
# A target can import only the targets that Package.swift lists for it.
build_options=(--explicit-target-dependency-import-check error)
# Limits the number of concurrent tests. If all tests ran at once, each step of a test would wait for a step of
# every other test. The limit is lower under a sanitizer, because each test takes several times as long and is
# timed.
test_options=(--experimental-maximum-parallelization-width 16)
preload=()
# The process group that tests several bridges.
bridges=
while [[ ${1-} == --sanitize* ]]; do
    sanitizer=${1#--sanitize}
    sanitizer=${sanitizer#=}
    [[ $sanitizer ]] || { sanitizer=${2-} && shift; }
    if [[ $sanitizer != thread && $sanitizer != address ]]; then
        echo "--sanitize takes 'thread' or 'address'" >&2
        exit 64
    fi
    shift
    # Use a separate build folder, so that the normal build stays valid.
    scratch=.build/$sanitizer
    # Programs that are started with a clean environment keep the sanitizer's variables.
    build_options+=(--sanitize "$sanitizer" -Xswiftc -DACPBRIDGE_SANITIZED)
    test_options=(--experimental-maximum-parallelization-width 4)
done
build_options+=(--scratch-path "$scratch")

# The reports of the sanitizers, about the test process and all processes that it starts.
reports=$PWD/$scratch/reports
# A crash must not open a debugger, because a debugger keeps the agent's pipes open. Leaks are not reported, because
# tests kill processes. Freed memory is quarantined to detect later use of it, but only a little (2 MB), because
# tests measure the bridge's memory.
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=2:log_path=$reports/report
export TSAN_OPTIONS=log_path=$reports/report

# The tests are considered stuck if no test has begun or ended for that many seconds. A single wait fails earlier. There
# is no time limit for all tests together, because they take several times as long on a busy machine.
readonly stuck_seconds=900

log=$scratch/tests.log
events=$scratch/tests.ndjson
# The tests' temporary folder. Its name identifies all processes that the tests start. It is short, because the path
# of a Unix socket has at most 107 bytes.
work=$(mktemp --directory /tmp/acpb.XXXX)

# stage NAME COMMAND…: runs the command, prints its duration, and returns its status.
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
        # Linker warnings about local symbols of the sanitizer are expected.
        grep 'warning:' "$log" | grep --invert-match "local symbol '__asan_" || true
    else
        cat "$log"
        return 1
    fi
    [[ $sanitizer != thread ]] || build_mutex
}

# Builds a library that teaches ThreadSanitizer about Swift's Mutex, for all processes that the tests start.
build_mutex() {
    "$(dirname "$(readlink --canonicalize "$(command -v swiftc)")")/clang" -shared -fPIC -O1 \
        -o "$scratch/mutex.so" Tests/ThreadSanitizer/mutex.c
    preload=(LD_PRELOAD="$PWD/$scratch/mutex.so")
}

# Writes all test events to the log. Prints only failures, and skipped tests with their reasons.
run_tests() {
    local status=0
    : >"$events"
    rm -rf "$reports" && mkdir -p "$reports"
    end_if_stuck &
    local watch=$!
    env "${preload[@]}" TMPDIR="$work" swift test --skip-build --disable-xctest \
        "${build_options[@]}" "${test_options[@]}" --event-stream-output-path "$events" "$@" >"$log" 2>&1 || status=$?
    { kill "$watch" && wait "$watch"; } 2>/dev/null || true
    end_leftovers
    jq --raw-input --raw-output 'fromjson? | select(.kind == "event") | .payload
        | select(.kind == "issueRecorded" or .kind == "testSkipped"
            or (.kind == "testEnded" and any(.messages[]; .symbol == "fail")))
        | .messages[] | "\(if .symbol == "details" then "    " else "" end)\(.text)"' "$events"
    show_reports || status=1
    # The run did not finish, because of a crash or wrong usage. The end of the log has the details.
    if ((status)) && ! grep --quiet '"runEnded"' "$events"; then tail -n 40 "$log"; fi
    return "$status"
}

# The tests of kills, damage and replacements, with the released program. They are counted once, in the main run.
test_released() {
    local events=$scratch/released.ndjson log=$scratch/released.log
    local suites='(Flood)?Kill|Disk|DamagedLog|LostLog|HomeFault|GiantField|ManyAgents|Leftover|Restart|.*Outliving|.*TakeOver'
    suites+='|TakingOver|InterruptedLoad|Upgrade|StoreFirst|OddLine|Bytes'
    TESTED_PROGRAM=$RELEASED_PROGRAM run_tests --filter "EndToEndTests\.($suites)Tests"
}

# Kills the tests if they are stuck.
end_if_stuck() {
    while sleep 10 >/dev/null 2>&1; do
        ((EPOCHSECONDS - $(stat --format %Y "$events") > stuck_seconds)) || continue
        echo "The tests were stuck: none has begun or ended for $stuck_seconds seconds"
        end_leftovers
        return
    done
}

# Fails if a sanitizer reported an error.
show_reports() {
    [[ $(ls "$reports") ]] || return 0
    echo "The sanitizer reported errors; details are in $reports:"
    cat "$reports"/* | sed --quiet 's/^SUMMARY: //p' | sort | uniq --count
    return 1
}

# Prints the processes that the tests left running, for example a bridge that was not stopped.
leftovers() {
    grep --files-with-matches --null-data --fixed-strings "=$work" /proc/[0-9]*/environ 2>/dev/null |
        cut --delimiter / --fields 3
}

end_leftovers() {
    local process
    for process in $(leftovers); do
        echo "Left running by the tests, and killed now: $(tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline")"
        kill -KILL "$process" 2>/dev/null || true
    done
}

tidy_up() {
    [[ ! $bridges ]] || kill -- "-$bridges" 2>/dev/null || true
    end_leftovers
    rm -rf "$work"
}
trap tidy_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# closing_line STATUS: summarizes the events of the run. A test that began and did not end crashed the process, so
# it failed. A run with a status other than 0 failed, too.
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
stage packages install_packages "${build_packages[@]}" jq openssl libjwt0 libqrencode4 python3-venv
stage python prepare_python
page_reason=
if ! stage page_packages install_packages "${page_packages[@]}" chromium-headless-shell; then
    page_reason="its Debian packages could not be installed"
elif [[ $sanitizer ]] || (($#)); then
    # A browser is slow under a sanitizer, and a filter selects Swift's tests only.
    page_reason="only Swift's tests were selected"
else
    stage page Tests/page.sh
fi
stage build build
status=0
stage tests run_tests "$@" || status=$?
if [[ ${RELEASED_PROGRAM-} && ! $sanitizer ]] && (($# == 0)); then
    stage released_program test_released || status=$?
fi
# The tests of several bridges mostly wait, so they run beside those of the page, in a process group of their own.
if [[ ! $sanitizer ]] && (($# == 0)); then
    FLEET_PROGRAMS=$scratch/debug setsid Tests/fleet.sh --short >"$scratch/bridges.log" 2>&1 &
    bridges=$!
fi
if [[ $page_reason ]]; then
    echo "The page was not tested: $page_reason"
else
    NODE_PATH=/usr/share/nodejs stage page_in_browser .venv/bin/python Tests/Page/browser.py \
        "$scratch/debug/acpbridge" "$scratch/page" || status=$?
fi
if [[ $sanitizer ]] || (($#)); then
    echo "The client over URLSession was not tested: only Swift's tests were selected"
else
    stage url_session Tests/urlsession.sh >"$scratch/urlsession.log" 2>&1 || status=$?
    grep --text --extended-regexp '^Skipped|^== |✘|run with' "$scratch/urlsession.log" || true
fi
if [[ $bridges ]]; then
    stage several_bridges wait "$bridges" || status=$?
    bridges=
    cat "$scratch/bridges.log"
else
    echo "Several bridges were not tested: only Swift's tests were selected"
fi
closing=$(closing_line "$status")
if [[ $closing == "0 passed, 0 failed"* ]]; then
    echo "No test ran"
    status=1
fi
echo "$closing"
exit "$status"
