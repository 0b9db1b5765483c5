#!/usr/bin/env bash
# Shows several bridges with one hub on this machine, and leaves no files behind: starts PostgreSQL in a temporary folder,
# three bridges with a demo agent each, and reads their sessions from the hub. Then it kills a bridge, and reads its
# session again. Takes less than a minute after the build.
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
    for name in one two three; do ACPBRIDGE_HOME=$work/$name acpbridge stop >/dev/null 2>&1 || true; done
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
query owner "CREATE ROLE viewer LOGIN IN ROLE acpbridge_view"

heading "Starting three bridges, each with a user of the hub of its own: acpbridge serve --hub ADDRESS"
pids=()
for name in one two three; do
    query owner "CREATE ROLE $name LOGIN IN ROLE acpbridge_ship"
    mkdir -m 700 "$work/$name"
    ACPBRIDGE_HOME=$work/$name acpbridge serve --no-tcp --hub "$(hub_user "$name")" >"$work/$name.out" 2>&1 &
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

heading "Bridge three is killed. A viewer reads all sessions, and the last updates of the killed bridge, from the hub:"
kill -KILL "${pids[2]}"
wait "${pids[2]}" 2>/dev/null || true
query viewer "SELECT to_hex(log_id) AS log, sid, agent, left(prompt, 40) AS prompt, seq AS updates
    FROM acpbridge.session JOIN acpbridge.head USING (log_id, sid) ORDER BY log_id, sid"
query viewer "SELECT right(convert_from(r.body, 'UTF8'), 300) AS \"the last update\"
    FROM acpbridge.session s JOIN acpbridge.run r USING (day, log_id, sid)
    WHERE s.prompt LIKE '%bridge three%' AND r.count > 0 ORDER BY r.n DESC LIMIT 1"

heading "Bridge one deletes nothing of another bridge, and reads no updates:"
query one "DELETE FROM acpbridge.session WHERE prompt LIKE '%bridge two%' RETURNING sid" || true
query one "SELECT body FROM acpbridge.run" || true
