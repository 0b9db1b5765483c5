#!/usr/bin/env bash
# Counts how often each part of acpbridge's functions runs in the benchmarks, and writes the counts to profile.proftext.
# Sources/build.sh gives them to the compiler, which then puts the parts apart that never run: an update that comes after a pause
# touches a fifth fewer cache lines of code.
#
#     Sources/profile.sh
#
# Run it after large changes, and Sources/order.sh after it. Takes ten minutes. The compiler ignores the counts of a function
# that has changed since.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
profdata=$(dirname "$(readlink --canonicalize "$(command -v swiftc)")")/llvm-profdata
Sources/build.sh acpbridge-bench acpbridge-demo-agent c-relay
cp .build/release/{acpbridge-bench,acpbridge-demo-agent,c-relay} "$folder"
PROFILE_RAW=$folder/%p.profraw Sources/build.sh acpbridge
cp .build/release/acpbridge "$folder"

# count WEIGHT BENCHMARK...: the weights make a slow session's updates count as much as those of a flood. Each program writes
# its counts when it ends, the bridge last.
inputs=()
count() {
    local file=$folder/${#inputs[@]}.profdata weight=$1
    shift
    "$folder/acpbridge-bench" "$@" --runs 1 --program "$folder/acpbridge" >/dev/null
    while pgrep --full "^$folder/acpbridge" >/dev/null; do sleep 0.1; done
    "$profdata" merge --output="$file" "$folder"/*.profraw
    rm "$folder"/*.profraw
    inputs+=("--weighted-input=$weight,$file")
}
count 500 latency --lines 20000 --tcp
count 5000 latency --rate 10 --lines 200
count 1 relay --lines 1000000
count 1 relay --lines 1000000 --per-write 100
count 5 fanout --subscribers 100 --lines 50000
count 5 replay --lines 200000
"$profdata" merge --sparse --text --output="$folder/profile" "${inputs[@]}"

# Without the functions that run less than once for 50 updates, and without those that are local to an object file: their names have
# the folder of the build. `$0` is the empty list that may follow the counts. Without it, a Swift function's name, which begins with
# a dollar sign, would be read as such a list.
python3 - "$folder/profile" >Sources/profile.proftext <<'EOF'
import sys

print("# IR level Instrumentation Flag\n:ir")
for function in open(sys.argv[1]).read().split(":ir\n")[1].split("\n\n"):
    counts = function.split("# Counter Values:\n")[-1].split()
    if ";" not in function and any(int(count) >= 200_000 for count in counts): print(function.strip(), "$0", "", sep="\n")
EOF
echo "$(grep --count 'Func Hash' Sources/profile.proftext) functions"
