#!/usr/bin/env bash
# Shows what acpbridge does, and leaves nothing behind: builds it, starts a bridge in a folder of its own, runs the demo
# agent behind it as an editor would, and shows what a terminal that is attached to the session sees, as it comes.
#
#     Agents/demo.sh [WHAT TO ASK THE AGENT]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh

prompt=${*:-How do editors and coding agents work together? 120 words, 40 ms apart}

say() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
bold='' plain=''
if [[ -t 1 ]]; then bold=$'\e[1m' plain=$'\e[0m'; fi

build() {
    Sources/build.sh
    PATH=$PWD/.build/release:$PATH
}

# MARK: The editor's side of ACP, as little of it as a conversation needs

# send MESSAGE: one line to the agent.
send() { printf '%s\n' "$1" >&"${agent[1]}"; }

# receive ID: reads the agent's lines up to the response to ID, which it leaves in $line. Where the agent asks for
# permission, it is given the first option, which is to allow it once.
receive() {
    local id option
    while IFS= read -r -t 60 -u "${agent[0]}" line; do
        if [[ $line == *'"method":"session/request_permission"'* ]]; then
            id=${line#*'"id":'}
            option=${line#*'"optionId":"'}
            send '{"jsonrpc":"2.0","id":'"${id%%,*}"',"result":{"outcome":{"outcome":"selected","optionId":"'"${option%%'"'*}"'"}}}'
        elif [[ $line != *'"method":'* && $line == *"\"id\":$1,"* ]]; then
            return
        fi
    done
    echo "The agent did not answer" >&2
    return 1
}

# json_string TEXT: with its quotes.
json_string() {
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"}
    text=${text//$'\n'/\\n}
    text=${text//$'\t'/\\t}
    printf '"%s"' "${text//[[:cntrl:]]/ }"
}

# MARK: The demonstration

home='' viewer=''
clean_up() {
    trap - EXIT
    [[ ! $viewer ]] || kill "$viewer" 2>/dev/null || true
    if [[ $home ]]; then
        acpbridge stop >/dev/null 2>&1 || true
        rm -rf "$home"
    fi
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

require_swift
install_packages "${build_packages[@]}"
say "Building acpbridge and its demo agent (the first time takes a minute or two)"
build

# Short: a Unix socket's path has at most 107 bytes.
home=$(mktemp --directory /tmp/acpb.XXXX)
export ACPBRIDGE_HOME=$home
unset ACPBRIDGE_TOKEN
project=$home/project
mkdir "$project"

say "Starting a bridge, and the agent behind it, as an editor does: acpbridge -- acpbridge-demo-agent"
coproc agent { cd "$project" && exec acpbridge -- acpbridge-demo-agent; }
editor=$agent_PID
send '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"demo.sh","version":"1"}}}'
receive 1
send '{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":'"$(json_string "$project")"',"mcpServers":[]}}'
receive 2
[[ $line =~ \"sessionId\":\"([^\"]+)\" ]]
session=${BASH_REMATCH[1]}
acpbridge sessions

say "Attaching to it from here: acpbridge attach latest --pretty"
acpbridge attach latest --pretty &
viewer=$!

send '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"'"$session"'","prompt":[{"type":"text","text":'"$(json_string "$prompt")"'}]}}'
receive 3

# The editor closes: the agent ends, and so does the session that the viewer follows.
eval "exec ${agent[1]}>&-"
wait "$editor" || true
wait "$viewer"
viewer=''

updates=$(acpbridge attach "$session" --no-follow | wc --lines)
say "The agent has ended; its $updates updates are stored, each as the agent wrote it. The last three:"
acpbridge attach "$session" --from $((updates - 2))
say "To have them live in another program: acpbridge attach latest | jq -c .params.update"
echo "Your own agent instead of this one, in your editor's settings: acpbridge --agent NAME (acpbridge agents lists them)"
