#!/usr/bin/env bash
# Shows several bridges with one hub on this machine, and leaves no files behind: starts PostgreSQL in a temporary folder,
# three bridges with a demo agent each, and two viewer nodes, which list and show their sessions. Then it kills a bridge, and
# shows its session again. Takes less than a minute after the build.
#
#     Agents/fleet-demo.sh
#
# FLEET_PROGRAMS is a folder with acpbridge and acpbridge-demo-agent; without it, they are built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh

heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
bold='' plain=''
if [[ -t 1 ]]; then bold=$'\e[1m' plain=$'\e[0m'; fi

install_packages postgresql-15 libpq5
server=/usr/lib/postgresql/15/bin
# PostgreSQL refuses to run as root.
as=()
if ((EUID == 0)); then as=(setpriv --reuid postgres --regid postgres --clear-groups); fi
if [[ ! ${FLEET_PROGRAMS-} ]]; then
    require_swift
    install_packages "${build_packages[@]}"
    heading "Building acpbridge and its demo agent (the first build takes a minute or two)"
    Sources/build.sh
fi
PATH=$(realpath "${FLEET_PROGRAMS:-.build/release}"):$PATH

# A short path, because the path of a Unix socket has at most 107 bytes.
work=$(mktemp --directory /tmp/acpb.XXXX)
clean_up() {
    trap - EXIT
    for name in view-a view-b one two three; do ACPBRIDGE_HOME=$work/$name acpbridge stop >/dev/null 2>&1 || true; done
    "${as[@]}" "$server/pg_ctl" --pgdata "$work/pg/data" --mode immediate --silent stop >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

heading "Starting PostgreSQL, and creating the hub: acpbridge hub init"
chmod 711 "$work"
mkdir -m 700 "$work/pg"
if ((EUID == 0)); then chown postgres "$work/pg"; fi
unset "${!PG@}" ACPBRIDGE_TOKEN
# Only the socket in the temporary folder, without passwords. A hub on another machine needs passwords and TLS.
"${as[@]}" "$server/initdb" --pgdata "$work/pg/data" --auth trust --username owner --encoding UTF8 --locale C.UTF-8 >/dev/null
chmod 711 "$work/pg"
"${as[@]}" "$server/pg_ctl" --pgdata "$work/pg/data" --log "$work/pg/log" --wait --silent \
    --options "-k $work/pg -c listen_addresses=" start
# hub_user NAME: the address of the hub for one of its users.
hub_user() { printf 'postgres:///postgres?host=%s&user=%s' "$work/pg" "$1"; }
ACPBRIDGE_HUB=$(hub_user owner) acpbridge hub init
query() { psql --no-psqlrc --quiet "$(hub_user "$1")" --command "$2"; }
query_value() { psql --no-psqlrc --quiet --tuples-only --no-align "$(hub_user owner)" --command "$1"; }
query owner "CREATE ROLE viewer LOGIN IN ROLE acpbridge_view"

heading "Starting three bridges, each with a user of the hub of its own: acpbridge serve --hub ADDRESS --hub-search --hub-commands all"
# named NAME COMMAND…: runs the command on a machine of this name, if the system permits it. Lists show the machine's name.
named() {
    if unshare --uts true 2>/dev/null; then
        exec unshare --uts bash -c 'hostname "$0" && exec "$@"' "$@"
    fi
    exec "${@:2}"
}
pids=()
for name in one two three; do
    query owner "CREATE ROLE $name LOGIN IN ROLE acpbridge_ship"
    mkdir -m 700 "$work/$name"
    ACPBRIDGE_HOME=$work/$name named "$name" \
        acpbridge serve --no-tcp --hub "$(hub_user "$name")" --hub-search --hub-commands all >"$work/$name.out" 2>&1 &
    pids+=($!)
done
for name in one two three; do
    export ACPBRIDGE_HOME=$work/$name
    for _ in {1..100}; do
        if acpbridge status >/dev/null 2>&1; then break; fi
        sleep 0.1
    done
    echo "A prompt for the demo agent of bridge $name"
    acpbridge run --agent demo "Reply with 40 words about bridge $name, no permission, pace=0" </dev/null >/dev/null 2>&1
done
# Without a viewer that follows it, a bridge ships once a second.
sleep 3

heading "The bridges of the hub: acpbridge hub status"
ACPBRIDGE_HUB=$(hub_user owner) acpbridge hub status

heading "Two viewer nodes: acpbridge serve --hub ADDRESS --hub-role serve --no-agents"
for name in view-a view-b; do
    mkdir -m 700 "$work/$name"
    ACPBRIDGE_HOME=$work/$name acpbridge serve --no-tcp --no-agents --hub "$(hub_user viewer)" --hub-role serve >"$work/$name.out" 2>&1 &
done
for name in view-a view-b; do
    for _ in {1..100}; do
        if ACPBRIDGE_HOME=$work/$name acpbridge status >/dev/null 2>&1; then break; fi
        sleep 0.1
    done
done
export ACPBRIDGE_HOME=$work/view-a
echo "The first one lists the sessions of all bridges:"
acpbridge sessions --all
session=$(query_value "SELECT session_id FROM acpbridge.session WHERE prompt LIKE '%bridge three%'")

heading "A session of bridge two, followed at the second viewer node while its agent works: acpbridge attach SESSION --pretty"
live=$(ACPBRIDGE_HOME=$work/two acpbridge run --agent demo --detach "Reply with 600 words about bridge two, no permission, pace=0.05")
sleep 2
ACPBRIDGE_HOME=$work/view-b timeout 4 acpbridge attach "$live" --all --pretty || true
echo "Cancelled, prompted and stopped from there, because the bridge runs with --hub-commands all:"
ACPBRIDGE_HOME=$work/view-b acpbridge cancel "$live"
ACPBRIDGE_HOME=$work/view-b acpbridge prompt "$live" "Reply with 20 words, no permission, pace=0" --pretty --queue
ACPBRIDGE_HOME=$work/view-b acpbridge stop "$live"

heading "Bridge three is killed. A viewer node still shows its session:"
kill -KILL "${pids[2]}"
wait "${pids[2]}" 2>/dev/null || true
acpbridge attach "$session" --all --no-follow --pretty

heading "A word in the sessions of all bridges: acpbridge search WORD"
acpbridge search bridge --limit 5

heading "What the hub would delete of more than 90 days ago: acpbridge hub retain 90d --dry-run"
ACPBRIDGE_HUB=$(hub_user owner) acpbridge hub retain 90d --dry-run

heading "Bridge one deletes nothing of another bridge, and reads no updates:"
query one "DELETE FROM acpbridge.session WHERE prompt LIKE '%bridge two%' RETURNING sid" || true
query one "SELECT body FROM acpbridge.run" || true
