#!/usr/bin/env bash
# Finds out which functions of acpbridge run on the way of an update and at a start, and writes their names to
# function-order.txt. Sources/build.sh has the linker put them next to each other: an update that comes after a pause
# finds fewer of its instructions in the processor's caches, and each page of code that is touched counts as resident.
#
#     Sources/order.sh
#
# Needs perf, with the right to sample all processes, and valgrind. Run it after large changes. With names that are no
# longer there, or missing, the program works as well, only slower.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$(mktemp --directory)
trap 'rm --recursive --force "$folder"' EXIT
Sources/build.sh acpbridge-bench acpbridge-demo-agent c-relay
rm --force .build/release/acpbridge
LINK_MAP=$folder/map Sources/build.sh acpbridge

# sample FILE BENCHMARK...: adds the functions on the way of an update.
sample() {
    local file=$folder/$1
    shift
    perf record --quiet --all-cpus --event=cpu-clock --freq=15000 --output="$folder/samples" -- \
        .build/release/acpbridge-bench "$@" --runs 1 --program .build/release/acpbridge >/dev/null
    perf script --no-demangle --input="$folder/samples" --fields=ip,sym,dso 2>/dev/null |
        sed --quiet 's|^ *[0-9a-f]* \([^ ]*\) (.*/release/acpbridge)$|\1|p' >>"$file"
}
sample quiet latency --lines 25000
sample quiet latency --rate 10 --lines 200
sample fast relay --lines 2000000
sample fast relay --lines 2000000 --per-write 100
sample fast fanout --subscribers 100 --lines 100000

# The functions of a start, of two requests and of the end. Valgrind cannot read this much information for debuggers.
objcopy --strip-debug .build/release/acpbridge "$folder/acpbridge"
export ACPBRIDGE_HOME="$folder/home"
mkdir "$ACPBRIDGE_HOME"
valgrind --quiet --tool=callgrind --demangle=no --callgrind-out-file="$folder/calls" \
    "$folder/acpbridge" serve >"$folder/ready" &
until [[ -s $folder/ready ]]; do
    kill -0 $!
    sleep 0.1
done
.build/release/acpbridge sessions >/dev/null 2>&1
.build/release/acpbridge stop >/dev/null
wait

# Those of slow sessions come first, because their instructions are not in the processor's caches. Within each group, the most
# frequent ones come first.
python3 - "$folder" <(nm "$folder/acpbridge") >Sources/function-order.txt <<'EOF'
import collections, re, sys

folder, symbols = sys.argv[1:]
addresses, names = collections.defaultdict(list), collections.defaultdict(list)
for line in open(symbols):
    fields = line.split()
    if len(fields) == 3 and fields[1] in "tTwWV":
        addresses[fields[2]].append(fields[0])
        names[fields[0]].append(fields[2])

found = []
for file in "quiet", "fast":
    counts = collections.Counter(line.strip() for line in open(f"{folder}/{file}"))
    found += [name for name, count in counts.most_common() if count > 1]
for line in open(f"{folder}/calls"):
    match = re.match(r"c?fn=\(\d+\) (.*?)('\d+)?$", line)
    if match: found.append(match[1])

# Swift's own library and SQLite have one section for each object. If one of them were moved between the functions, it would
# separate them.
large = []
for line in open(f"{folder}/map"):
    match = re.match(r" *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\d+ {9}\S.*:\(\.text", line)
    if match and int(match[2], 16) > 8 << 10: large.append((int(match[1], 16), int(match[2], 16)))

def is_alone(address):
    return not any(start <= int(address, 16) < start + size for start, size in large)

# One address can have several names, and the linker may know it by any of them.
order = dict.fromkeys(
    name for each in found for address in addresses[each] if is_alone(address) for name in names[address])
print(*order, sep="\n")
EOF
echo "$(wc --lines <Sources/function-order.txt) functions"
