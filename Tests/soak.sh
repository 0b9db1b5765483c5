#!/usr/bin/env bash
# Runs a bridge under the load of a busy day for half an hour: local and remote editors that connect and disconnect,
# fast and slow readers, prompts and cancellations from other programs, killed agents, editors and readers, and
# upgrades. Afterwards, its memory and its descriptors must have returned to their initial values.
#
#     Tests/soak.sh [MINUTES]
#
# SOAK_PROGRAMS is a folder with acpbridge and acpbridge-demo-agent; without it, they are built. SOAK_SEED repeats
# the random choices of an earlier run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

minutes=${1:-30}
programs=${SOAK_PROGRAMS:-.build/release}
: "${SOAK_SEED:=$((RANDOM + 1))}"
export SWIFT_BACKTRACE=enable=no

# The number of concurrent clients of each kind.
readonly editors=6 readers=8 drivers=2
# The allowed growth of the memory of the bridge. Session views, cached pages and tails stay in memory, each with its own
# limit.
readonly growth_limit_kib=$((12 << 10))

if [[ ! ${SOAK_PROGRAMS-} ]]; then
    Sources/build.sh >.build/soak.log 2>&1 || { cat .build/soak.log && exit 1; }
fi
bridge=$(realpath "$programs/acpbridge")
agent=$(realpath "$programs/acpbridge-demo-agent")
home=$(mktemp --directory /tmp/acpb.XXXX)
export ACPBRIDGE_HOME=$home
daemon=0

# Prints all processes that run with this home, except the bridge and these scripts.
started() {
    grep --files-with-matches --null-data --line-regexp --fixed-strings "ACPBRIDGE_HOME=$home" /proc/[0-9]*/environ \
        2>/dev/null | cut --delimiter / --fields 3 | while read -r process; do
        case $(readlink "/proc/$process/exe" 2>/dev/null) in
            "$bridge"* | "$agent"*) ((process == daemon)) || echo "$process" ;;
        esac
    done || true
}

tidy_up() {
    touch "$home/over"
    local process
    for process in $(jobs -p) $(started) "$daemon"; do
        ((process == 0)) || kill -KILL "$process" 2>/dev/null || true
    done
    rm -rf "$home"
}
trap tidy_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# A random number below $1.
below() { echo $((RANDOM % $1)); }

request() { printf '{"jsonrpc":"2.0","id":%s,"method":"%s","params":%s}\n' "$@"; }

# An editor with one session: it sends some prompts, then disconnects or is killed, or its agent is killed. For one
# editor in four, the agent runs under a remote bridge.
editor() {
    local prompts=$((RANDOM % 3 + 1)) fate=$((RANDOM % 5)) line n
    local command=("$bridge" --linger 5s -- "$agent")
    if [[ $(below 4) == 0 ]]; then command=("$bridge" connect "$url/acp?agent=demo" --token-file "$home/config/token"); fi
    coproc chat { exec "${command[@]}" 2>>"$home/editors.err"; }
    # shellcheck disable=SC2154 # coproc sets it.
    local shim=$chat_PID to=${chat[1]} from=${chat[0]}
    {
        request 0 initialize '{"protocolVersion":1,"clientCapabilities":{}}' >&"$to"
        request 1 session/new "{\"cwd\":\"$home\",\"mcpServers\":[]}" >&"$to"
        local session=
        while [[ ! $session ]] && read -r -t 20 -u "$from" line; do
            if [[ $line =~ \"id\":1,.*\"sessionId\":\"([^\"]*)\" ]]; then session=${BASH_REMATCH[1]}; fi
        done
        for ((n = 2; n < prompts + 2; n++)); do
            request "$n" session/prompt "{\"sessionId\":\"$session\",\"prompt\":[{\"type\":\"text\",\"text\":\"$(words)\"}]}" >&"$to"
            ((fate != 0)) || { sleep "0.$(below 5)" && kill -KILL "$shim"; }
            ((fate != 1)) || pkill -KILL --parent "$daemon" --oldest || true
            while read -r -t 20 -u "$from" line; do [[ $line != *"\"id\":$n,"* ]] || break; done
        done
        [[ ! $session ]] || echo >>"$home/conversations"
    } 2>/dev/null || true
    exec {to}>&- {from}<&- || true
    wait "$shim" || true
}

words() { echo "$(below 400) chunks pace=1 no permission"; }

# A reader of a random kind, which disconnects after a while or is killed.
reader() {
    local elsewhere=(--url "$url" --token-file "$home/config/token")
    case $(below 7) in
        0) timeout 5 "$bridge" attach latest --pretty ;;
        1) timeout 5 "$bridge" attach latest --all --from start --policy latest | while read -r _; do sleep 0.01; done ;;
        2) "$bridge" sessions --all --json ;;
        3) "$bridge" attach latest --no-follow | head --lines 5 ;;
        4) "$bridge" status --json && "$bridge" agents ;;
        5) timeout --signal KILL "$(below 4).3" "$bridge" attach latest "${elsewhere[@]}" ;;
        6) timeout --signal KILL 3 "$bridge" attach latest "${elsewhere[@]}" --all | while read -r _; do sleep 0.05; done ;;
    esac >/dev/null 2>&1 || true
}

# A program besides the editors: it prompts the newest session, cancels its turn, or stops its agent.
driver() {
    case $(below 6) in
        0 | 1) timeout 10 "$bridge" prompt latest "$(words)" ;;
        2) timeout 10 "$bridge" prompt latest --queue --url "$url" --token-file "$home/config/token" "$(words)" ;;
        3) timeout --signal KILL 0.5 "$bridge" prompt latest "$(words)" ;;
        4) "$bridge" cancel latest ;;
        5) "$bridge" sessions --json | jq --raw-output .sessionId | tail --lines 1 | xargs --no-run-if-empty "$bridge" stop ;;
    esac >/dev/null 2>&1 || true
    sleep "$(below 2).$(below 10)"
}

upgrader() {
    sleep "$(below 20)"
    "$bridge" serve --replace >/dev/null 2>>"$home/upgrades.err" && echo >>"$home/upgrades"
}

# repeat SEED FUNCTION: runs the function repeatedly until the test is over.
repeat() {
    RANDOM=$1
    until [[ -e $home/over ]]; do
        "$2" 2>/dev/null || true
        sleep "0.$(below 10)"
    done
}

# times COUNT WORD
times() { yes "$2" | head --lines "$1"; }

# busy SECONDS [UPGRADERS]: runs the load for a time.
busy() {
    rm -f "$home/over"
    workers=()
    local worker seed=$SOAK_SEED
    for worker in $(times "$editors" editor) $(times "$readers" reader) $(times "$drivers" driver) $(times "${2-0}" upgrader); do
        seed=$((seed + 1))
        repeat "$seed" "$worker" &
        workers+=($!)
    done
    sleep "$1"
    touch "$home/over"
    wait "${workers[@]}" 2>/dev/null || true
}

resident_kib() { awk '/^VmRSS/ {print $2}' "/proc/$daemon/status"; }

# Excludes the log's own files, because some of them are opened on first use.
descriptors() { find "/proc/$daemon/fd" -type l -lname '*' -not -lname "$home/state/sessions.db*" | wc --lines; }

is_quiet() {
    "$bridge" status --json | jq --exit-status '.agents == 0 and .liveSessions == 0' >/dev/null &&
        [[ ! $(started) ]]
}

# quiet NAME: stops lingering agents, then checks that no process or descriptor is left.
quiet() {
    local session attempts=30
    until is_quiet || ((attempts-- == 0)); do
        for session in $("$bridge" sessions --json | jq --raw-output '"\(.agent):\(.sessionId)"'); do
            "$bridge" stop "$session" >/dev/null 2>&1 || true
        done
        sleep 1
    done
    sleep 2
    local left
    left=$(started)
    echo "$1: $(resident_kib) KiB, $(descriptors) descriptors, $(wc --words <<<"$left") other processes"
    [[ ! $left ]] || { ps -o pid,ppid,stat,etime,args --pid "${left//$'\n'/,}" || true; }
    if [[ $left ]] || (($(descriptors) > first_descriptors)); then fail "A process or a descriptor is left"; fi
}

fail() {
    echo "$1"
    "$bridge" status || true
    tail --lines 20 "$home/bridge.err"
    exit 1
}

mkdir -p "$home/config/agents"
touch "$home/upgrades" "$home/conversations"
echo "{\"name\":\"demo\",\"command\":[\"$agent\"]}" >"$home/config/agents/demo.json"
"$bridge" serve --listen 127.0.0.1:0 --retain 1d,64MB >"$home/ready" 2>"$home/bridge.err" &
daemon=$!
until [[ -s $home/ready ]]; do sleep 0.1; done
url=$(jq --raw-output '.url // .urls[0]' "$home/ready")
first_descriptors=$(descriptors)

echo "seed $SOAK_SEED, $minutes minutes, $first_descriptors descriptors"
busy $((minutes * 60 / 3)) 1
quiet "after $(wc --lines <"$home/upgrades") upgrades"
busy $((minutes * 60 / 6))
quiet "warm"
warm_kib=$(resident_kib)
busy $((minutes * 60 / 2))
quiet "at the end"

growth=$(($(resident_kib) - warm_kib))
echo "$(wc --lines <"$home/conversations") conversations," \
    "$("$bridge" sessions --all --json | wc --lines) sessions stored, $growth KiB more than when warm"
((growth <= growth_limit_kib)) || fail "The bridge's memory has grown by more than $growth_limit_kib KiB"
kill -TERM "$daemon"
wait "$daemon" || fail "The bridge exited with status $?"
echo "flat"
