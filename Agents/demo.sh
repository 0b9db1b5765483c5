#!/usr/bin/env bash
# Demonstrates acpbridge without leaving files behind: builds it, starts a bridge in a temporary folder, runs the
# demo agent under it as an editor would, and shows the live output of a terminal that is attached to the session.
#
#     Agents/demo.sh [PROMPT]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh

prompt=${*:-How do editors and coding agents work together? 120 words, 40 ms apart}

heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
bold='' plain=''
if [[ -t 1 ]]; then bold=$'\e[1m' plain=$'\e[0m'; fi

build() {
    Sources/build.sh
    PATH=$PWD/.build/release:$PATH
}

# MARK: The part of an ACP client that a conversation needs

# send MESSAGE: sends one line to the agent.
send() { printf '%s\n' "$1" >&"${agent[1]}"; }

# receive ID: reads the agent's lines until the response to ID, which it stores in $line. It answers permission
# requests with the first option, which allows the tool call once.
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
    echo "The agent did not respond" >&2
    return 1
}

# json_string TEXT: encodes TEXT as a JSON string, with quotes.
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
heading "Building acpbridge and its demo agent (the first build takes a minute or two)"
build

# A short path, because the path of a Unix socket has at most 107 bytes.
home=$(mktemp --directory /tmp/acpb.XXXX)
export ACPBRIDGE_HOME=$home
unset ACPBRIDGE_TOKEN
project=$home/project
mkdir "$project"

heading "Starting a bridge with an agent, as an editor does: acpbridge -- acpbridge-demo-agent"
coproc agent { cd "$project" && exec acpbridge -- acpbridge-demo-agent; }
editor=$agent_PID
send '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1,"clientInfo":{"name":"demo.sh","version":"1"}}}'
receive 1
send '{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":'"$(json_string "$project")"',"mcpServers":[]}}'
receive 2
[[ $line =~ \"sessionId\":\"([^\"]+)\" ]]
session=${BASH_REMATCH[1]}
acpbridge sessions

heading "Attaching to the session from this terminal: acpbridge attach latest --pretty"
acpbridge attach latest --pretty &
viewer=$!

send '{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"'"$session"'","prompt":[{"type":"text","text":'"$(json_string "$prompt")"'}]}}'
receive 3

# Close the editor: the agent ends, and so does the session that the viewer follows.
eval "exec ${agent[1]}>&-"
wait "$editor" || true
wait "$viewer"
viewer=''

updates=$(acpbridge attach "$session" --no-follow | wc --lines)
heading "The agent has ended. Its $updates updates are stored, exactly as the agent wrote them. The last three:"
acpbridge attach "$session" --from $((updates - 2))
heading "To read them live in another program: acpbridge attach latest | jq -c .params.update"
echo "To use your own agent, set this command in your editor: acpbridge --agent NAME ('acpbridge agents' lists the names)"
