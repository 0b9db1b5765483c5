#!/usr/bin/env bash
# Tries the settings in logs/ with real programs: lnav, journald, rsyslog and syslog-ng, each in a fresh folder of Debian 12. The
# lines come from a session of the demo agent. Prints what it shows; the exit status is 0 if everything was true.
#
#     sudo Agents/Packaging/logs-trial.sh [--suite bookworm|trixie] PACKAGE.deb
#
# Not part of Tests/run.sh: it takes minutes, needs root, and downloads packages. fluent-bit and vector are not tried, because
# Debian does not have them.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/folders.sh"
command -v jq >/dev/null || fail "there is no jq: apt-get install jq"
separate "$0" "$@"

read_arguments "$@"
prepare_folders

show "Lines of a session of the demo agent"
open_folder "$suite" session
cp "$package" "$root/tmp/acpbridge.deb"
install /tmp/acpbridge.deb
add_user alice 1000
as alice "acpbridge run --agent demo --detach 'Fill the log, no permission, pace=0, 60 words, 100 thoughts'"
has_ended() { as alice "acpbridge attach latest --no-follow --format flat" | grep --quiet '"kind":"turn_end"'; }
expect "its turn ends" eventually has_ended
as alice "acpbridge attach latest --no-follow --format flat" >"$work/session.ndjson"
# A line near the limit, with characters that JSON escapes.
jq --compact-output '.kind = "longest" | .text = ("\"x" * 2000 | .[0:2600])' <<<"$(tail --lines 1 "$work/session.ndjson")" \
    >>"$work/session.ndjson"
count=$(wc --lines <"$work/session.ndjson")
longest=$(awk '{ if (length > longest) longest = length } END { print longest }' "$work/session.ndjson")
echo "  $count lines, the longest with $longest bytes"
expect "the longest line is near the limit" test "$longest" -gt 3900
head -3 "$work/session.ndjson"

# log_lines FILE: how many of the session's lines are in the file that a syslog daemon wrote.
all_lines_in() { (($(grep --count "^20[0-9-]*T[0-9:.]*Z " "$1") == count)); }

show "lnav"
install lnav
cp "$work/session.ndjson" "$root/home/alice/"
expect "the format has no error" inside lnav -C
as alice "lnav -n -c ';SELECT count(*) AS lines, count(tool) AS with_tool, max(seq) AS seq FROM acpbridge_session' \
    -c ':write-json-to -' session.ndjson" | tee "$work/lnav.json"
expect "lnav knows each line" test "$(jq '.[0].lines' "$work/lnav.json")" == "$count"
as alice "lnav -n session.ndjson" | head -3

# open_with SUFFIX PACKAGE...: another folder, with the programs of a system log.
open_with() {
    local name=$1
    shift
    open_folder "$suite" "$name" bsdutils "$@"
    cp "$work/session.ndjson" "$root/tmp/"
}

show "journald"
open_with journald systemd
mkdir -p "$root/run/systemd/journal" "$root/run/log/journal"
inside systemd-machine-id-setup 2>/dev/null
# journald looks up the control groups of its senders.
mount -t sysfs sysfs "$root/sys"
mount -t tmpfs tmpfs "$root/sys/fs/cgroup"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
inside /lib/systemd/systemd-journald >"$root.log" 2>&1 &
expect "journald listens" eventually test -S "$root/run/systemd/journal/stdout"
inside bash -c 'systemd-cat --identifier=acpbridge </tmp/session.ndjson; journalctl --sync 2>/dev/null || true'
journal() { inside journalctl --identifier=acpbridge --output=cat --no-pager; }
has_all() { [[ $(journal | wc --lines) == "$count" ]]; }
expect "each line is an entry" eventually has_all
journal >"$root.out"
expect "with the same bytes" cmp "$root.out" "$work/session.ndjson"
jq --raw-output 'select(.kind == "turn_end") | .status' "$root.out"

show "rsyslog"
open_with rsyslog rsyslog
cp "$here/logs/rsyslog.conf" "$root/etc/rsyslog.d/30-acpbridge.conf"
# This folder has no kernel log.
sed --in-place '/imklog/d' "$root/etc/rsyslog.conf"
mkdir -p "$root/run/dev"
expect "the settings have no error" inside rsyslogd -N1 2>"$root.check"
sed --in-place 's|^module(load="imuxsock").*|module(load="imuxsock" SysSock.Name="/run/dev/log")|' "$root/etc/rsyslog.conf"
inside rsyslogd -n >"$root.log" 2>&1 &
expect "rsyslog listens" eventually test -S "$root/run/dev/log"
inside bash -c 'logger --socket /run/dev/log --tag acpbridge --size 8192 </tmp/session.ndjson'
expect "each line is in its file, with its members" eventually all_lines_in "$root/var/log/acpbridge.log" || cat "$root.log"
head -3 "$root/var/log/acpbridge.log"

show "syslog-ng"
open_with syslog-ng syslog-ng-core
mkdir -p "$root/etc/syslog-ng/conf.d" "$root/run/dev"
cp "$here/logs/syslog-ng.conf" "$root/etc/syslog-ng/conf.d/acpbridge.conf"
sed --in-place 's|system();|unix-dgram("/run/dev/log");|' "$root/etc/syslog-ng/syslog-ng.conf"
expect "the settings have no error" inside syslog-ng --syntax-only
inside syslog-ng --foreground --no-caps >"$root.log" 2>&1 &
expect "syslog-ng listens" eventually test -S "$root/run/dev/log"
inside bash -c 'logger --socket /run/dev/log --tag acpbridge --size 8192 </tmp/session.ndjson'
expect "each line is in its file, with its members" eventually all_lines_in "$root/var/log/acpbridge.log"
head -3 "$root/var/log/acpbridge.log"

echo
echo "Everything was as expected"
