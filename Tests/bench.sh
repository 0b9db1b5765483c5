#!/usr/bin/env bash
# Benchmarks the bridge against its alternatives, and writes two Markdown tables. Takes about twelve minutes.
#
#     Tests/bench.sh [--runs N] [FILE]
#     Tests/bench.sh Protocol/benchmarks.md
#     Tests/bench.sh --quick
#     Tests/bench.sh --record
#
# Without FILE, the tables are written to standard output. If FILE has the lines `<!-- bench.sh: begin -->` and
# `<!-- bench.sh: end -->`, the text between them is replaced; any other FILE is overwritten. Do not use the machine
# during the benchmark. The results of all runs are stored in .build/bench.ndjson and .build/channels.ndjson.
#
# --quick measures the bridge alone for half a minute, and prints each figure with its ratio to the last one in
# Tests/Bench/history.ndjson that a machine of the same type has measured. --record also adds the figures there.
#
# Exit status 3 means that the programs could not be built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh
source Tests/python.sh

runs=3
file=
quick=
while (($#)); do
    case $1 in
        --runs) runs=${2-} && shift ;;
        --runs=*) runs=${1#--runs=} ;;
        --quick) quick=compare ;;
        --record) quick=record ;;
        -*) echo "Tests/bench.sh [--runs N] [--quick | --record | FILE]" >&2 && exit 64 ;;
        *) file=$1 ;;
    esac
    shift
done

readonly results=.build/bench.ndjson channels=.build/channels.ndjson history=Tests/Bench/history.ndjson
export SWIFT_BACKTRACE=enable=no

build() {
    Sources/build.sh acpbridge acpbridge-demo-agent acpbridge-bench c-relay >.build/bench.log 2>&1 ||
        { cat .build/bench.log && exit 3; }
}

# measure BENCHMARK [OPTIONS…]: writes the results to standard output.
measure() {
    local from=$SECONDS
    .build/release/acpbridge-bench "$1" --runs "$runs" "${@:2}" --python .venv/bin/python3 --json
    echo "== $*: $((SECONDS - from)) s" >&2
}

measure_all() {
    measure relay --against websocketd,python,c,direct
    measure relay --per-write 100 --against websocketd,python,c,direct
    measure fanout --subscribers 10,100 --against python,c
    measure latency --against websocketd,python,c,direct
    measure latency --rate 10 --lines 100 --against websocketd,python,c,direct
    measure latency --subscribers 100 --against c
    measure editor
    measure replay
    # A long session of large updates: 160 MB.
    measure replay --lines 41520 --size 3854
    measure slow-readers
    measure fairness --runs 2 --against c,direct
    measure ingest
    measure memory --against websocketd,python,c
    measure start --against websocketd,python,c
}

# Compares the bridge with itself under other settings.
measure_channels() {
    measure relay --against tls,deflate
    measure fanout --subscribers 10 --against tls,deflate
    measure memory --against tls,deflate
}

# Measures the rows of the bridge alone that a change affects most.
measure_quickly() {
    measure relay
    measure relay --per-write 100
    measure latency
    measure ingest
    measure start
}

# Prints the figures of the quick benchmarks and their ratios to the history. Lower or higher is not judged: the machines
# of one type differ, too.
compare() {
    local entry
    entry=$(jq --slurp --compact-output --from-file Tests/Bench/entry.jq \
        --arg date "$(date --iso-8601)" --arg version "$(version)" --arg machine "$(machine_type)" "$results")
    jq --slurp --raw-output --argjson entry "$entry" --from-file Tests/Bench/compare.jq "$history"
    [[ $quick != record ]] || echo "$entry" >>"$history"
}

version() { .build/release/acpbridge --version | awk '{ print $NF }'; }

machine_type() {
    local model
    model=$(sed --quiet 's/^model name[^:]*: //p' /proc/cpuinfo | head --lines 1)
    echo "$(nproc) cores (${model:-$(uname --machine)})"
}

machine() {
    echo "$(machine_type), Linux $(uname --kernel-release), $(
        source /etc/os-release && echo "$PRETTY_NAME"
    ), websocketd $(dpkg-query --show --showformat '${Version}' websocketd), $(
        .venv/bin/python3 --version
    ) with websockets $(.venv/bin/python3 -c 'import websockets; print(websockets.__version__)'); $(date --iso-8601)."
}

tables() {
    echo "Medians of $runs runs (2 for the benchmark with competing sessions). $(machine)"
    echo
    jq --slurp --raw-output -L Tests/Bench --from-file Tests/Bench/table.jq "$results"
    echo
    echo 'The cost of TLS and of compression (`serve --deflate`), compared with the bridge without them:'
    echo
    jq --slurp --raw-output -L Tests/Bench --from-file Tests/Bench/channels.jq "$channels"
}

# Replaces the text between the two marks, or the whole file.
write_tables() {
    local text
    text=$(tables)
    if [[ ! $file ]]; then
        echo "$text"
    elif grep --quiet '^<!-- bench.sh: begin -->$' "$file" 2>/dev/null &&
        grep --quiet '^<!-- bench.sh: end -->$' "$file"; then
        text=$text awk '
            /^<!-- bench.sh: begin -->$/ { print; print ENVIRON["text"]; skips = 1 }
            /^<!-- bench.sh: end -->$/ { skips = 0 }
            !skips { print }' "$file" >.build/bench.md
        cat .build/bench.md >"$file"
    else
        echo "$text" >"$file"
    fi
}

require_swift
mkdir -p .build
if [[ $quick ]]; then
    install_packages "${build_packages[@]}" gcc jq
    build
    measure_quickly >"$results"
    compare
    exit
fi
install_packages "${build_packages[@]}" gcc jq python3-venv websocketd
prepare_python
build
measure_all >"$results"
measure_channels >"$channels"
write_tables
