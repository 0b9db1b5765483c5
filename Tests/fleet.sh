#!/usr/bin/env bash
# Tests shipping to a hub with a real PostgreSQL, which the script starts in a temporary folder: byte-equal contents, an
# outage, labels, deletions, imports, a viewer with the same bytes, requests across bridges, the search, the retention,
# readers that wait for the hub, the metrics, the rights of the roles, and that the password appears in no output. Then
# Tests/Fleet: troubles between a bridge and its hub, random faults, long outages, and measurements.
# Installs PostgreSQL 15 on Debian if it is missing. Without it, the test is skipped with the reason.
#
#     Tests/fleet.sh [--short]
#
# --short ships fewer updates, omits the second outage, and has 5 faults and an outage of 60 s instead of 100 faults, an outage
# of 10 minutes and the measurements. The long form takes about 50 minutes.
# FLEET_PROGRAMS is a folder with acpbridge, acpbridge-demo-agent and acpbridge-bench; without it, they are built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh

short=
many=20000
if [[ ${1-} == --short ]]; then short=1 many=200; fi

skip() { echo "Skipped: $*" && exit 0; }

install_packages postgresql-15 libpq5 sqlite3 curl iproute2 openssl || skip "PostgreSQL could not be installed"
server=/usr/lib/postgresql/15/bin
[[ -x $server/initdb ]] || skip "there is no $server/initdb"
# PostgreSQL refuses to run as root.
as=()
if ((EUID == 0)); then as=(setpriv --reuid postgres --regid postgres --clear-groups); fi

programs=${FLEET_PROGRAMS:-.build/release}
[[ ${FLEET_PROGRAMS-} ]] || Sources/build.sh acpbridge acpbridge-demo-agent acpbridge-bench
bridge=$(realpath "$programs/acpbridge")
PATH=$(realpath "$programs"):$PATH

work=$(mktemp --directory /tmp/acpb.XXXX)
chmod 711 "$work"
port=$((20000 + RANDOM % 20000))
export SWIFT_BACKTRACE=enable=no ACPBRIDGE_HOME=$work/home HOME=$work/home
unset "${!PG@}"
mkdir -m 700 "$work/home" "$work/pg"
printf 'hidden-word\n' >"$work/password"
chmod 644 "$work/password"
((EUID == 0)) && chown postgres "$work/pg"
database=127.0.0.1:$port/fleet
owner=postgres://postgres:hidden-word@$database

pg() { "${as[@]}" "$server/pg_ctl" --pgdata "$work/pg/data" --log "$work/pg/log" --wait --silent "$@"; }
start_server() { pg --options "-p $port -k $work/pg -c fsync=off" start; }
query() { psql --no-psqlrc --quiet --tuples-only --no-align "$owner" --command "$1"; }
cleanup() {
    "$bridge" stop >/dev/null 2>&1 || true
    ACPBRIDGE_HOME=$work/viewer "$bridge" stop >/dev/null 2>&1 || true
    pg stop --mode immediate >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap cleanup EXIT

fail() {
    echo "FAILED: $*" >&2
    tail -n 20 "$work/bridge.err" >&2 2>/dev/null || true
    exit 1
}

# eventually WHAT COMMAND…: repeats the command until it succeeds, for up to 60 s.
eventually() {
    local what=$1 end=$((SECONDS + 60))
    shift
    until "$@"; do
        ((SECONDS < end)) || fail "$what"
        sleep 0.2
    done
}

state() { "$bridge" status --json 2>/dev/null | grep --quiet "\"hub\":{[^}]*\"state\":\"$1\""; }

# local_updates, hub_updates: all updates of all sessions, in order.
local_updates() {
    sqlite3 -readonly "$work/home/state/sessions.db" \
        "SELECT CAST(lines AS TEXT) FROM run ORDER BY sid, first" | sed '/^$/d'
}
hub_updates() {
    query "SELECT convert_from(r.body, 'UTF8') FROM acpbridge.session s JOIN acpbridge.run r USING (day, log_id, sid)
        WHERE r.count > 0 AND r.n < coalesce((SELECT min(c.first_n) FROM acpbridge.claim c
            WHERE (c.log_id, c.sid) = (r.log_id, r.sid) AND c.epoch > r.epoch), 'infinity'::float8)
        ORDER BY r.log_id, r.sid, r.n" | sed '/^$/d'
}
is_equal() { [[ $(local_updates | sha256sum) == "$(hub_updates | sha256sum)" ]]; }

# work PROMPT: one session with one turn.
work() {
    "$bridge" run --agent demo "$1, no permission, pace=0" </dev/null >/dev/null 2>>"$work/run.err" || fail "a turn failed: $(tail -n 3 "$work/run.err")"
}

# mutation NAME ARGS: calls a mutation of the bridge.
mutation() {
    local out
    out=$(curl --silent --unix-socket "$work/home/run/bridge.sock" --data "{\"path\":\"$1\",\"args\":$2}" http://localhost/api/mutation)
    [[ $out == *'"status":"success"'* ]] || fail "$1: $out"
}
# metrics HOME: the text of /metrics.
metrics() { curl --silent --fail --unix-socket "$1/run/bridge.sock" http://localhost/metrics; }
# has_metric HOME SAMPLE: true if the metrics have this line.
has_metric() { [[ $'\n'$(metrics "$1")$'\n' == *$'\n'"$2"$'\n'* ]]; }
# hub_has COUNT CONDITION: true if so many sessions at the hub meet the condition.
hub_has() { [[ $(query "SELECT count(*) FROM acpbridge.session WHERE $2") == "$1" ]]; }

"${as[@]}" "$server/initdb" --pgdata "$work/pg/data" --auth scram-sha-256 --username postgres \
    --pwfile "$work/password" --encoding UTF8 --locale C.UTF-8 >/dev/null
start_server
psql --quiet "postgres://postgres:hidden-word@127.0.0.1:$port/postgres" --command 'CREATE DATABASE fleet'

echo "Commands"
export ACPBRIDGE_HUB=$owner
"$bridge" hub status >"$work/out" 2>&1 && fail "hub status accepts a database without tables"
grep --quiet 'acpbridge hub init' "$work/out" || fail "hub status does not name hub init"
"$bridge" hub init 2>>"$work/out"
"$bridge" hub init 2>>"$work/out"
"$bridge" hub migrate 2>>"$work/out"
query "CREATE ROLE one LOGIN PASSWORD 'hidden-word' IN ROLE acpbridge_ship;
    CREATE ROLE two LOGIN PASSWORD 'hidden-word' IN ROLE acpbridge_ship;
    CREATE ROLE reader LOGIN PASSWORD 'hidden-word' IN ROLE acpbridge_view;
    CREATE ROLE tenant LOGIN PASSWORD 'hidden-word' IN ROLE acpbridge_view;
    INSERT INTO acpbridge.tenant_view VALUES ('tenant', 'somebody')"
export ACPBRIDGE_HUB=postgres://one:hidden-word@$database
"$bridge" config show >>"$work/out"
grep --quiet 'one:\*\*\*@' "$work/out" || fail "config show does not mask the password"
"$bridge" serve --hub "$owner" >>"$work/out" 2>&1 && fail "a password on the command line is accepted"

echo "Shipping"
serve() { "$bridge" serve --no-tcp --log-level info --hub-search "$@" >"$work/bridge.out" 2>>"$work/bridge.err" & }
serve
pid=$!
eventually "the bridge starts" state current
work '300 chunks, zebrafish'
work "$many chunks"
eventually "the hub is current" state current
eventually "the metrics have the state of the hub" has_metric "$work/home" 'acpbridge_hub_state{state="current"} 1'
has_metric "$work/home" 'acpbridge_hub_state{state="failed"} 0' || fail "the metrics do not have the states of the hub"
[[ $(metrics "$work/home") == *$'\nacpbridge_hub_last_shipment_age_seconds '[0-9]* ]] || fail "the metrics do not have the last shipment"
own=$(ACPBRIDGE_HUB=$owner "$bridge" hub status 2>&1)
[[ $own == *"This bridge ships to $database: "*"updates shipped"* ]] || fail "hub status does not report the bridge's own figures: $own"
eventually "the hub has the same updates" is_equal
[[ $(hub_updates | wc --lines) -ge 500 ]] || fail "the hub has too few updates"

echo "An outage"
pg stop --mode immediate
work '400 chunks'
eventually "the metrics have the outage" has_metric "$work/home" 'acpbridge_hub_state{state="failed"} 1'
start_server
eventually "the hub is current after the outage" is_equal
(($(grep --count hub_failed "$work/bridge.err") <= 3)) || fail "the outage is logged for each attempt"

echo "Killed and started again"
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
serve
pid=$!
# Without a bridge, the next command would start another one.
runs() { "$bridge" status --json 2>/dev/null | grep --quiet "\"pid\":$pid\b"; }
eventually "the bridge starts again" runs
work '100 chunks'
eventually "the hub is current after a kill" is_equal

echo "Labels, imports and deletions"
session=$(query 'SELECT session_id FROM acpbridge.session ORDER BY sid LIMIT 1')
mutation sessions:setTitle "{\"sessionId\":\"$session\",\"title\":\"A label\"}"
eventually "the hub has the label" hub_has 1 "own_title = 'A label'"
"$bridge" export "$session" --format ndjson >"$work/export.ndjson"
"$bridge" import "$work/export.ndjson" >>"$work/out"
eventually "the hub has the import" hub_has 1 "session_id LIKE 'imported-%'"
eventually "the hub has the import's updates" is_equal
imported=$(query "SELECT session_id FROM acpbridge.session WHERE session_id LIKE 'imported-%'")
mutation sessions:delete "{\"sessionId\":\"$imported\"}"
eventually "the hub deletes what was deleted" hub_has 0 "session_id LIKE 'imported-%'"
"$bridge" import "$work/export.ndjson" >>"$work/out"
eventually "the hub has the second import" hub_has 1 "session_id LIKE 'imported-%'"
pg stop --mode immediate
imported=$("$bridge" sessions --all --json | grep --only-matching 'imported-[0-9a-f]*' | head -n 1)
mutation sessions:delete "{\"sessionId\":\"$imported\"}"
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
# An earlier version has left a deletion in its file.
echo 4611686018427387904 >"$work/home/state/hub-deletions"
serve
pid=$!
eventually "the bridge starts without its hub" state failed
start_server
eventually "the hub deletes what was deleted while it was away" hub_has 0 "session_id LIKE 'imported-%'"
eventually "the hub has the same updates after the deletions" is_equal
[[ ! -e $work/home/state/hub-deletions ]] || fail "the file of earlier versions is kept"

echo "A viewer"
# viewer COMMAND…: at a bridge that only shows the sessions of the hub.
viewer() { ACPBRIDGE_HOME=$work/viewer "$bridge" "$@"; }
viewer_runs() { viewer status --json 2>/dev/null | grep --quiet "\"pid\":$viewer_pid\b"; }
# start_viewer USER: with this user of the hub.
start_viewer() {
    mkdir -p -m 700 "$work/viewer"
    ACPBRIDGE_HOME=$work/viewer ACPBRIDGE_HUB=postgres://$1:hidden-word@$database ACPBRIDGE_HUB_ROLE=serve \
        "$bridge" serve --no-tcp --no-agents --log-level info >"$work/bridge.viewer.out" 2>>"$work/bridge.viewer.err" &
    viewer_pid=$!
    eventually "the viewer starts" viewer_reads
}
# Only `status` starts no other bridge.
viewer_reads() { viewer_runs && viewer sessions --all --json >/dev/null 2>&1 && viewer status --json 2>/dev/null | grep --quiet '"hubReader":{[^}]*"online"'; }
stop_viewer() { viewer stop >/dev/null && wait "$viewer_pid"; }
# shows SESSION: the viewer and the bridge show the same whole timeline.
shows() {
    "$bridge" attach "$1" --all --no-follow >"$work/expected" 2>/dev/null
    viewer attach "$1" --all --no-follow >"$work/found" 2>/dev/null
    [[ -s $work/expected ]] && cmp --silent "$work/expected" "$work/found"
}
sessions_of() { grep --only-matching '"sessionId":"[^"]*"' | cut --delimiter '"' --fields 4 | sort; }
start_viewer reader
has_metric "$work/viewer" 'acpbridge_hub_reader_state{state="online"} 1' || fail "the viewer's metrics do not have its state"
[[ $(viewer sessions --all --json | sessions_of) == "$("$bridge" sessions --all --json | sessions_of)" ]] ||
    fail "the viewer lists other sessions than the bridge"
viewer sessions --all | head -n 1 | grep --quiet 'BRIDGE$' || fail "the list has no column of bridges"
"$bridge" sessions --all | head -n 1 | grep --quiet BRIDGE && fail "a bridge that shows its own sessions lists a bridge"
# usages COMMAND…: the usage of all sessions that have some.
usages() { "$@" sessions --all --json | grep --only-matching '"usage":{[^}]*}' | sort; }
has_usages() { [[ $(usages viewer) && $(usages viewer) == "$(usages "$bridge")" ]]; }
eventually "the viewer's rows have the usage of the bridge's sessions" has_usages
for session in $(viewer sessions --all --json | sessions_of); do
    shows "$session" || fail "the viewer shows another timeline of $session than the bridge"
done
live=$("$bridge" run --agent demo --detach '2000 chunks, no permission, pace=0.005' 2>>"$work/run.err") || fail "no live session"
eventually "the viewer lists the live session" eval 'viewer sessions --json | grep --quiet "$live"'
viewer attach "$live" --all >"$work/followed" 2>/dev/null &
follower=$!
begun() { (($(wc --lines <"$work/followed") > 10)); }
eventually "the viewer sends the live session" begun
viewer attach "$live" --no-follow >/dev/null 2>&1 || fail "a second reader is refused"
# refused COMMAND…: the viewer refuses the command, and names the bridge of the session.
refused() {
    viewer "$@" >"$work/refused" 2>&1 && fail "the viewer accepts: $*"
    grep --quiet "is at bridge \"$(hostname)\".*TVX011" "$work/refused" || fail "$*: $(cat "$work/refused")"
}
refused prompt "$live" hello
refused cancel "$live"
refused stop "$live"
viewer run --agent demo hello </dev/null >"$work/refused" 2>&1 && fail "a viewer starts an agent"
grep --quiet 'without --no-agents' "$work/refused" || fail "the viewer does not name --no-agents"
sleep 1
pg stop --mode immediate
sleep 1
start_server
sleep 2
"$bridge" stop "$live" >>"$work/out" 2>&1
wait "$follower" || fail "the follower failed"
"$bridge" attach "$live" --all --no-follow >"$work/expected" 2>/dev/null
cmp "$work/expected" "$work/followed" || fail "the follower got other updates than the bridge has"

echo "Search"
# hits COMMAND…: the sessions and numbers of the hits, without the name of the bridge.
hits() { "$@" search zebrafish --json --limit 100 2>>"$work/out" | sed 's/"bridge":"[^"]*",//' | sort; }
# finds_same: the viewer finds the same as the bridge, which finds something.
finds_same() { [[ $(hits "$bridge") ]] && [[ $(hits viewer) == "$(hits "$bridge")" ]]; }
eventually "the viewer finds the words of another bridge's session" finds_same
[[ $(viewer search zebrafish --json) == *"\"bridge\":\"$(hostname)\""* ]] || fail "a hit does not name its bridge"
[[ $(viewer search zebrafish) == *BRIDGE* ]] || fail "the list of hits has no column of bridges"
[[ ! $(viewer search zebrafish unicornfish --json) ]] || fail "the viewer finds words that do not occur"
[[ $(viewer search 'zebraf*' --limit 1 --json | wc --lines) == 1 ]] || fail "the viewer does not find the beginning of a word"
stop_viewer
start_viewer tenant
[[ ! $(viewer search zebrafish --json) ]] || fail "a tenant's viewer finds words of others"
[[ ! $(viewer sessions --all --json) ]] || fail "a tenant's viewer lists sessions of others"
viewer attach "$live" --no-follow >/dev/null 2>&1 && fail "a tenant's viewer shows a session of others"
stop_viewer

echo "Requests across bridges"
"$bridge" stop
wait "$pid" || true
ACPBRIDGE_HUB_COMMANDS=all "$bridge" serve --no-tcp --log-level info >"$work/bridge.out" 2>>"$work/bridge.err" &
pid=$!
eventually "the bridge starts with --hub-commands" runs
eventually "the bridge ships again" state current
start_viewer reader
# A viewer reads the hub once a second at least, and a bridge ships once a second.
session=$("$bridge" run --agent demo --detach 'quiet, 3 chunks, no permission, pace=0' 2>>"$work/run.err") || fail "no session"
lists() { viewer sessions --json | grep --quiet "$1"; }
eventually "the viewer lists the session" lists "$session"
# hub_entries KIND TEXT: the number of entries of this kind on the session's timeline at the hub that contain the text.
hub_entries() {
    query "SELECT count(*) FROM acpbridge.session s JOIN acpbridge.run r USING (day, log_id, sid)
        WHERE s.session_id = '$session' AND r.kind = '$1' AND position('$2' IN convert_from(r.body, 'UTF8')) > 0"
}
has_entries() { [[ $(hub_entries "$2" "$3") == "$1" ]]; }
# call BRIDGE KIND NAME ARGS: calls a mutation or an action over the Unix socket of bridge `home` or `viewer`.
call() { curl --silent --unix-socket "$work/$1/run/bridge.sock" --data "{\"path\":\"$3\",\"args\":$4}" "http://localhost/api/$2"; }

viewer prompt "$session" '/echo across bridges' >"$work/turn" 2>&1 || fail "a prompt across bridges: $(tail -n 3 "$work/turn")"
eventually "the hub has the prompt once" has_entries 1 prompt 'across bridges'
grep --quiet 'across bridges' "$work/turn" || fail "the viewer does not print the turn"

viewer prompt "$session" '5000 chunks, no permission, pace=20ms' >"$work/turn" 2>&1 &
turn=$!
eventually "the hub has the second prompt" has_entries 1 prompt '5000 chunks'
viewer cancel "$session" || fail "a cancellation across bridges"
wait "$turn" || true
# In version 2 of ACP, the reason is in an update.
was_cancelled() { viewer attach "$session" --all --no-follow | grep --quiet '"stopReason":"cancelled"'; }
eventually "the turn was cancelled" was_cancelled

viewer prompt "$session" '2 chunks, ask permission, pace=0' >"$work/turn" 2>&1 &
turn=$!
asks() { viewer answer --json | grep --quiet "\"sessionId\":\"$session\".*\"bridge\":\"$(hostname)\""; }
eventually "the viewer lists the permission request" asks
waits_first() {
    local row='"data":\[{"sessionId":"'$session'"[^{}]*"waitingTs":[1-9]'
    call viewer query sessions:list '{"order":"waiting"}' | grep --quiet "$row"
}
eventually "the viewer lists the session that waits first" waits_first
while kill -0 "$turn" 2>/dev/null; do
    viewer answer "$session" --option allow >>"$work/out" 2>&1 || true
    sleep 0.3
done
wait "$turn" || fail "the turn with a permission failed: $(tail -n 1 "$work/turn")"
answered() { [[ $(query "SELECT count(*) FROM acpbridge.asking") == 0 ]]; }
eventually "the hub has no open requests any more" answered
(($(hub_entries permission_answer allow) > 0)) || fail "the permission was not answered at its bridge"

[[ $(call viewer mutation sessions:setTitle "{\"sessionId\":\"$session\",\"title\":\"From afar\"}") == *'"success"'* ]] ||
    fail "a title across bridges"
eventually "the hub has the title" hub_has 1 "own_title = 'From afar'"
[[ $(call viewer mutation sessions:delete "{\"sessionId\":\"$live\"}") == *'"deleted":true'* ]] || fail "a deletion across bridges"
eventually "the hub has deleted the session" hub_has 0 "session_id = '$live'"
viewer stop "$session" >>"$work/out" 2>&1 || fail "agents:stop across bridges: $(tail -n 1 "$work/out")"
ended() { ! lists "$session"; }
eventually "the session has ended" ended
grep --quiet '"who":"hub reader: uid' "$work/home/state/audit.log" || fail "the audit log does not name the viewer's client"
[[ $(query 'SELECT count(*) FROM acpbridge.command') == 0 ]] || fail "answered commands are left at the hub"

echo "A read-only user, and a bridge that is killed"
session=$("$bridge" run --agent demo --detach 'quiet, 3 chunks, no permission, pace=0' 2>>"$work/run.err") || fail "no session"
eventually "the viewer lists the second session" lists "$session"
stop_viewer
query 'ALTER ROLE reader SET default_transaction_read_only = on'
start_viewer reader
viewer cancel "$session" >"$work/refused" 2>&1 && fail "a read-only hub carries a command"
grep --quiet 'read-only replica' "$work/refused" || fail "a read-only hub: $(cat "$work/refused")"
stop_viewer
query 'ALTER ROLE reader RESET default_transaction_read_only'
start_viewer reader
call viewer action sessions:prompt "{\"sessionId\":\"$session\",\"text\":\"5000 chunks, no permission, pace=20ms\"}" >"$work/unknown" &
unknown=$!
eventually "the prompt runs" has_entries 1 prompt '5000 chunks'
kill -KILL "$pid"
wait "$pid" 2>/dev/null || true
wait "$unknown" || true
grep --quiet TVX007 "$work/unknown" || fail "the outcome is not unknown: $(cat "$work/unknown")"
began=$SECONDS
viewer cancel "$session" >"$work/refused" 2>&1 && fail "a bridge that was killed accepts a command"
((SECONDS - began < 5)) || fail "the refusal took $((SECONDS - began)) s"
grep --quiet 'cannot be reached now' "$work/refused" || fail "an unreachable bridge: $(cat "$work/refused")"
nothing_waits() { [[ $(query 'SELECT count(*) FROM acpbridge.command') == 0 ]]; }
eventually "no command is left for the bridge that was killed" nothing_waits
stop_viewer
start_viewer tenant
viewer cancel "$session" >"$work/refused" 2>&1 && fail "a tenant commands a session of others"
grep --quiet TVX008 "$work/refused" || grep --quiet 'no session' "$work/refused" || fail "a tenant learns of a session: $(cat "$work/refused")"
stop_viewer
"$bridge" serve --no-tcp --log-level info >"$work/bridge.out" 2>>"$work/bridge.err" &
pid=$!
eventually "the bridge starts for the last time" runs
eventually "the bridge ships for the last time" state current
work_count=$(query 'SELECT count(*) FROM acpbridge.session')

echo "Rights"
# as_user USER QUERY: prints the result, or nothing if it is refused.
as_user() { psql --no-psqlrc --quiet --tuples-only --no-align "postgres://$1:hidden-word@$database" --command "$2" 2>/dev/null || true; }
[[ $(as_user reader 'SELECT count(*) FROM acpbridge.session') == "$work_count" ]] || fail "a viewer does not see all sessions"
# A tenant's user reads no row of any table and partition. The two exceptions say nothing about sessions.
for table in $(query "SELECT relname FROM pg_class WHERE relnamespace = 'acpbridge'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
        AND relname NOT IN ('schema_version', 'retention')"); do
    # Columns that the user cannot read are no part of the count.
    rows=$(as_user tenant "SELECT count(*) FROM acpbridge.$table")
    [[ ! $rows || $rows == 0 ]] || fail "a tenant sees rows of others in $table"
    [[ $(query "SELECT has_table_privilege('acpbridge_view', 'acpbridge.$table', 'TRUNCATE')") == f ]] || fail "a viewer can empty $table"
done
for table in session head claim run bridge; do
    [[ $(as_user tenant "SELECT count(*) FROM acpbridge.$table") == 0 ]] || fail "a tenant cannot read $table"
done
for table in session head claim; do
    [[ $(as_user two "SELECT count(*) FROM acpbridge.$table") == 0 ]] || fail "a bridge sees rows of others in $table"
done
find_word="SELECT count(*) FROM acpbridge.search('''zebrafish''', NULL, NULL, NULL, NULL, -1, NULL, NULL, NULL, NULL, 9)"
(($(as_user reader "$find_word") > 0)) || fail "a viewer cannot search"
[[ $(as_user tenant "$find_word") == 0 ]] || fail "a tenant finds words of others"
[[ ! $(as_user one "$find_word") ]] || fail "a bridge searches"
[[ ! $(as_user reader 'SELECT words FROM acpbridge.document LIMIT 1') ]] || fail "a viewer reads words"
[[ ! $(as_user two 'DELETE FROM acpbridge.document RETURNING 1') ]] || fail "a bridge deletes words of others"
[[ ! $(as_user one 'SELECT body FROM acpbridge.run LIMIT 1') ]] || fail "a bridge reads updates"
[[ ! $(as_user reader 'DELETE FROM acpbridge.run RETURNING 1') ]] || fail "a viewer deletes updates"
for right in INSERT UPDATE DELETE TRUNCATE; do
    for table in run session head claim bridge document; do
        [[ $(query "SELECT has_table_privilege('reader', 'acpbridge.$table', '$right')") == f ]] || fail "a viewer has the right to $right in $table"
    done
done
[[ ! $(as_user two 'SELECT viewer FROM acpbridge.watch') ]] || fail "a bridge sees who watches others"
[[ ! $(as_user two 'DELETE FROM acpbridge.run RETURNING 1') ]] || fail "a bridge deletes updates of others"
[[ ! $(as_user two 'DELETE FROM acpbridge.session RETURNING 1') ]] || fail "a bridge deletes sessions of others"
[[ ! $(as_user reader 'UPDATE acpbridge.session SET title = 1 RETURNING 1') ]] || fail "a viewer changes sessions"
[[ ! $(as_user two 'UPDATE acpbridge.bridge SET instance = 1 RETURNING 1') ]] || fail "a bridge takes a lease of others"
# insert USER COLUMNS VALUES: as this user, a command for the first session. Prints the number of the session.
insert() {
    as_user "$1" "INSERT INTO acpbridge.command (id, log_id, sid, who, kind, name, arguments$2)
        SELECT '$1', log_id, sid, 'w', 'action', 'n', ''$3 FROM (VALUES ($first)) AS s(log_id, sid) RETURNING sid"
}
first=$(query 'SELECT log_id || $$, $$ || sid FROM acpbridge.session ORDER BY sid LIMIT 1')
[[ ! $(insert tenant '' '') ]] || fail "a tenant commands a session of others"
[[ ! $(insert tenant ', tenant' ", 'somebody'") ]] || fail "a tenant commands a session of others as its own"
[[ ! $(insert reader ', sender' ", 'owner'") ]] || fail "a viewer commands as another user"
[[ ! $(insert reader ', taken' ', now()') ]] || fail "a viewer inserts a taken command"
[[ ! $(insert two '' '') ]] || fail "a bridge commands another one"
[[ $(insert reader '' '') ]] || fail "a viewer cannot command"
for user in tenant two; do
    [[ $(as_user "$user" 'SELECT count(log_id) FROM acpbridge.command') == 0 ]] || fail "$user sees commands of others"
    [[ ! $(as_user "$user" 'DELETE FROM acpbridge.command RETURNING id') ]] || fail "$user deletes commands of others"
done
[[ ! $(as_user reader 'UPDATE acpbridge.command SET answer = arguments RETURNING id') ]] || fail "a viewer answers a command"
[[ ! $(as_user reader 'SELECT arguments FROM acpbridge.command') ]] || fail "a viewer reads arguments of commands"
[[ ! $(as_user two "UPDATE acpbridge.command SET taken = now() RETURNING id") ]] || fail "a bridge takes commands of others"
[[ $(as_user one 'SELECT count(*) FROM acpbridge.command') == 1 ]] || fail "a bridge does not see its commands"
[[ ! $(as_user two 'SELECT body FROM acpbridge.asking') ]] || fail "a bridge reads requests of others"

echo "Retention"
live=$("$bridge" run --agent demo --detach '50 chunks, no permission, pace=0' 2>>"$work/run.err") || fail "no session to delete"
eventually "the hub has the session" hub_has 1 "session_id = '$live'"
"$bridge" stop "$live" >>"$work/out" 2>&1
# The hub believes that a session ended long ago. The bridge's log has its true time.
eventually "the session has ended" hub_has 1 "session_id = '$live' AND NOT live"
query "UPDATE acpbridge.session SET last_ts = 1000 WHERE session_id = '$live';
    UPDATE acpbridge.head h SET ts = 1000 FROM acpbridge.session s
        WHERE (s.log_id, s.sid) = (h.log_id, h.sid) AND s.session_id = '$live';
    SELECT acpbridge.make_day('2020-01-31')" >/dev/null
# retain ARGUMENTS…: as the owner of the tables.
retain() { ACPBRIDGE_HUB=$owner "$bridge" hub retain "$@" >"$work/retained" 2>>"$work/out"; }
retain 30d --dry-run
grep --quiet ' 1 of [0-9]* sessions would be deleted$' "$work/retained" || fail "the plan does not have the session: $(cat "$work/retained")"
hub_has 1 "session_id = '$live'" || fail "a dry run deletes"
retain 30d
grep --quiet ' 1 of [0-9]* sessions were deleted$' "$work/retained" || fail "the session was not deleted: $(cat "$work/retained")"
grep --quiet '^2020-01-31: .*partition.*dropped$' "$work/retained" || fail "the empty partition was not dropped: $(cat "$work/retained")"
[[ ! $(query "SELECT to_regclass('acpbridge.run_20200131')") ]] || fail "the partition of an old day exists"
hub_has 0 "session_id = '$live'" || fail "an old session was not deleted"
left=$(query 'SELECT count(*) FROM acpbridge.run r WHERE NOT EXISTS (
    SELECT FROM acpbridge.session s WHERE (s.log_id, s.sid) = (r.log_id, r.sid))')
[[ $left == 0 ]] || fail "rows without a session are left"
# The bridge notices it with its next transaction. By its log the session is not old, so it is shipped again.
work '50 chunks'
eventually "the bridge ships again what it still keeps" is_equal
[[ ! $(as_user one 'UPDATE acpbridge.retention SET before = 0 RETURNING 1') ]] || fail "a bridge changes the retention"
retain 1m && fail "hub retain accepts a minute"

echo "Wrong rows"
# The user of another bridge can write anything into its own rows. A viewer reads all other sessions, and its memory stays small.
as_user two "INSERT INTO acpbridge.bridge (log_id, name, version, instance, lease_until)
        VALUES (77, 'two', '1', 'i', now() + interval '1h');
    INSERT INTO acpbridge.session (log_id, sid, day, agent, session_id, archived, epoch, created, last_ts, live, running, facts_sum, tenant)
        SELECT 77, t.*, 0, NULL FROM (VALUES
            (1, DATE 'infinity', 'a', 'endless', false, 1, 1000, 1000, false, false),
            (2, DATE '2026-01-01', 'a', 'large', false, 1, 1000, 1000, false, false),
            (3, DATE '2026-01-01', 'a', 'claims', false, 1, 1000, 1000, false, false),
            (4, DATE '2026-01-01', 'a', 'times', false, 1, 1000, 1000, false, false),
            (5, DATE '2026-01-01', 'a', 'both', false, 1, 1000, 1000, false, false)) AS t;
    UPDATE acpbridge.session SET tenant = repeat('t', 30000000) WHERE sid = 1;
    INSERT INTO acpbridge.head SELECT 77, sid, 1, 1, 1, 1, 1, 1000 FROM generate_series(1, 5) sid;
    UPDATE acpbridge.head SET n = 20, seq = 20, seq_n = 20 WHERE sid = 4;
    INSERT INTO acpbridge.claim SELECT 77, 3, n, n, n FROM generate_series(1, 5000) n;
    SELECT acpbridge.make_day('2026-01-01');
    INSERT INTO acpbridge.run
        VALUES ('2026-01-01', 77, 2, 1, 1, 1, 1, 1000, NULL, convert_to(repeat(' ', 200000000), 'UTF8'), NULL, 0);
    INSERT INTO acpbridge.run
        SELECT '2026-01-01', 77, 4, 1, n, n, 1, 1000, NULL, '{}', convert_to(repeat(' ', 20000000), 'UTF8'), 0 FROM generate_series(1, 20) n;
    INSERT INTO acpbridge.run VALUES ('2026-01-01', 77, 5, 1, 1, 1, 1, 1000, NULL,
        convert_to(repeat(' ', 20000000), 'UTF8'), convert_to(repeat(' ', 120000000), 'UTF8'), 0)" >/dev/null
start_viewer reader
outages=$(grep --count hub_failed "$work/bridge.viewer.err" || true)
listed_all() { viewer sessions --all --json | grep --quiet "\"$1\""; }
for name in endless large claims times both "$live"; do eventually "the viewer lists $name" listed_all "$name"; done
for name in endless large claims times both; do
    viewer attach "$name" --pretty --all --no-follow >>"$work/out" 2>&1 && fail "the viewer reads $name"
    viewer attach "$live" --all --no-follow >/dev/null 2>&1 || fail "the viewer does not read other sessions after $name"
done
[[ $(grep --count hub_failed "$work/bridge.viewer.err" || true) == "$outages" ]] || fail "a wrong row counts as a failure of the hub"
kilobytes=$(sed --quiet 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$viewer_pid/status")
((kilobytes < 150000)) || fail "a viewer takes $kilobytes KiB for a large row"
stop_viewer
retain 30d || fail "hub retain fails because of an infinite day"
for table in session head claim run bridge; do query "DELETE FROM acpbridge.$table WHERE log_id = 77"; done

echo "Readers that wait for the hub"
"$bridge" attach "$live" --all --no-follow >"$work/expected" 2>/dev/null
"$bridge" stop
wait "$pid" 2>/dev/null || true
serve --durability hub
pid=$!
eventually "the bridge starts again" state current
"$bridge" status --json | grep --quiet '"hasStandby":false' || fail "the status does not have the standby"
grep --quiet 'no synchronous standby' "$work/bridge.err" || fail "the log does not warn of the missing standby"
"$bridge" attach "$live" --all --no-follow >"$work/found" 2>/dev/null
cmp "$work/expected" "$work/found" || fail "a reader does not get what the hub has"
waiting=$("$bridge" run --agent demo --detach '4000 chunks, no permission, pace=0.3' 2>>"$work/run.err") || fail "no live session"
: >"$work/followed"
"$bridge" attach "$waiting" --all >"$work/followed" 2>/dev/null &
follower=$!
eventually "the reader gets the live session" begun
if [[ ! $short ]]; then
    pg stop --mode immediate
    sleep 2
    before=$(wc --lines <"$work/followed")
    sleep 2
    [[ $(wc --lines <"$work/followed") == "$before" ]] || fail "a reader gets what the hub does not have"
    start_server
    goes_on() { (($(wc --lines <"$work/followed") > before)); }
    eventually "the reader goes on when the hub is back" goes_on
fi
"$bridge" stop "$waiting" >>"$work/out" 2>&1
wait "$follower" || fail "the follower failed"
"$bridge" attach "$waiting" --all --no-follow >"$work/expected" 2>/dev/null
cmp "$work/expected" "$work/followed" || fail "a reader that waited got other updates than the bridge has"
eventually "the hub has the same updates as its readers" is_equal

echo "Stopping"
began=$SECONDS
"$bridge" stop
((SECONDS - began < 9)) || fail "stopping took $((SECONDS - began)) s"
[[ $(query 'SELECT count(*) FROM acpbridge.session WHERE live') == 0 ]] || fail "sessions stay live after a stop"
ACPBRIDGE_HUB=$owner "$bridge" hub status --json | grep --quiet '"reachable":false' || fail "the lease was not ended"

if grep --recursive --quiet hidden-word "$work/out" "$work"/bridge.* "$work/run.err" "$work/home"; then
    fail "the password appears in the output, a log or a file of the bridge"
fi

# Each of these has a server and bridges of its own.
others=("troubles.py $programs")
if [[ $short ]]; then
    others+=("faults.py $programs --count 5" "measure.py $programs outage --seconds 60 --sessions 20 --rate 10")
else
    others+=("faults.py $programs --count 100")
    for row in lag catch-up readers live-list stored "outage --seconds 600"; do others+=("measure.py $programs $row"); done
fi
echo "Troubles, faults and outages, in network namespaces if the machine permits it"
# run_other NUMBER ARGUMENTS…
run_other() { python3 "Tests/Fleet/$2" "${@:3}" >"$work/other.$1" 2>&1; }
waiting=()
for number in "${!others[@]}"; do
    read -ra words <<<"${others[number]}"
    if [[ $short ]]; then
        run_other "$number" "${words[@]}" &
        waiting+=($!)
    else
        # Figures need a machine that does nothing else.
        run_other "$number" "${words[@]}" || { cat "$work/other.$number" && fail "${words[*]}"; }
        cat "$work/other.$number"
    fi
done
for number in "${!waiting[@]}"; do
    wait "${waiting[number]}" || { cat "$work/other.$number" && fail "${others[number]}"; }
    grep '^{' "$work/other.$number" || true
done
echo "Passed"
