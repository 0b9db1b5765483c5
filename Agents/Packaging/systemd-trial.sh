#!/usr/bin/env bash
# Tries the systemd units with a real systemd, in a folder of Debian 12 and in namespaces of its own: socket activation,
# readiness, reload, watchdog, stop, wrong settings, for a user's unit and for the template of a shared host. Prints what it
# shows; the exit status is 0 if everything was true.
#
#     sudo Agents/Packaging/systemd-trial.sh [--suite bookworm|trixie] PACKAGE.deb
#
# Not part of Tests/run.sh: it takes minutes, needs root, and downloads packages. limits-trial.sh tries the
# limits of memory and processes, which need cgroup v2 with its controllers.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/folders.sh"

# systemd gets a cgroup of its own. It must be entered before the namespaces are made.
if [[ ! ${ACPBRIDGE_IS_SEPARATE-} ]]; then
    hierarchy=$(mktemp --directory)
    mount -t cgroup2 cgroup2 "$hierarchy"
    mkdir -p "$hierarchy/acpbridge-trial"
    echo $$ >"$hierarchy/acpbridge-trial/cgroup.procs"
    umount "$hierarchy" && rmdir "$hierarchy"
fi
separate "$0" "$@"

read_arguments "$@"
prepare_folders
show "A folder with Debian $suite and systemd"
open_folder "$suite" system
cp "$package" "$root/tmp/acpbridge.deb"
install systemd systemd-sysv dbus libpam-systemd procps /tmp/acpbridge.deb
rm "$root/usr/sbin/policy-rc.d"
inside useradd --create-home --shell /bin/bash --uid 1000 alice
inside useradd --create-home --shell /bin/bash --uid 1001 bob
inside mkdir -p /var/lib/systemd/linger
touch "$root/var/lib/systemd/linger/alice" "$root/var/lib/systemd/linger/bob"

# boot: starts systemd as process 1 of its own namespaces, with the folder as its root. Sets $init, its id out here.
boot() {
    umount "$root/proc"
    unshare --mount --pid --fork --cgroup --kill-child -- bash -c '
        mount -t proc proc "$1/proc" && mount --rbind /sys "$1/sys" && mount --make-rslave "$1/sys"
        mount -t tmpfs tmpfs "$1/sys/fs/cgroup" && mount -t cgroup2 cgroup2 "$1/sys/fs/cgroup"
        # Not chroot, in which the kernel allows no user namespaces. LoadCredential= needs shared mounts.
        cd "$1" && pivot_root . mnt && umount --lazy /mnt && mount --make-rshared /
        exec env --ignore-environment container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            /lib/systemd/systemd --system --unit=multi-user.target --log-target=null' bash "$root" \
        >"$root.boot.log" 2>&1 </dev/null &
    local unshared=$!
    eventually pgrep --parent "$unshared" || fail "systemd did not start: $(cat "$root.boot.log")"
    init=$(pgrep --parent "$unshared")
    eventually booted systemctl list-units || fail "systemd does not answer: $(cat "$root.boot.log")"
    eventually booted systemctl is-active user@1000.service || booted systemctl --no-pager status user@1000.service || true
}

# booted COMMAND...: runs a command as root in the running system.
booted() {
    nsenter --target "$init" --mount --pid --cgroup --root -- env --chdir=/ --ignore-environment HOME=/root LANG=C.UTF-8 \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin SYSTEMD_PAGER=cat "$@"
}

# at USER COMMAND: runs a shell command as this user in the running system.
at() {
    booted setpriv --reuid "$1" --regid "$1" --init-groups --reset-env bash -c \
        'cd && export XDG_RUNTIME_DIR=/run/user/$(id -u) LANG=C.UTF-8 && eval "$1"' bash "$2"
}

# property USER UNIT NAME: of a user's unit, or of a system unit if USER is root.
property() {
    if [[ $1 == root ]]; then booted systemctl show --property "$3" --value "$2"; else
        at "$1" "systemctl --user show --property $3 --value $2"
    fi
}
is() { [[ $(property "$1" "$2" "$3") == "$4" ]]; }
agent_of() { booted pgrep --euid "$1" --full '^(/usr/bin/)?acpbridge-demo-agent' | head -1; }
has_agent() { [[ $(agent_of "$1") ]]; }
has_no_agent() { ! has_agent "$1"; }
environment_of() { booted cat "/proc/$1/environ" | tr '\0' '\n'; }
has_no_manager_variables() { ! environment_of "$1" | grep --extended-regexp '^(LISTEN_|NOTIFY_SOCKET|WATCHDOG_)'; }
begin() { at "$1" "acpbridge run --agent demo --detach 'Try the units, no permission, 600 words, 100 ms apart'"; }

boot
booted systemctl --version | head -1

show "The units"
for unit in acpbridge@1001.socket acpbridge@1001.service acpbridge-viewer.service; do
    expect "systemd-analyze verify $unit" booted systemd-analyze verify --man=no "/usr/lib/systemd/system/${unit/1001/}"
done
expect "systemd-analyze verify of the user units" at alice \
    "systemd-analyze --user verify --man=no /usr/lib/systemd/user/acpbridge.service /usr/lib/systemd/user/acpbridge.socket"

# try_units USER MANAGER SOCKET SERVICE: MANAGER is root for system units.
try_units() {
    local user=$1 manager=$2 socket=$3 service=$4 main agent inode control="systemctl"
    local path
    path=/run/user/$(booted id -u "$user")/acpbridge/bridge.sock
    [[ $manager == root ]] || control="systemctl --user"
    manage() { if [[ $manager == root ]]; then booted systemctl "$@"; else at "$manager" "$control $*"; fi; }

    manage enable --now "$socket" 2>&1
    expect "the socket listens, and no bridge runs" is "$manager" "$service" ActiveState inactive
    expect "socket $(booted stat --format '%A %U' "$path"), folder $(booted stat --format '%A %U' "$(dirname "$path")")" \
        test "$(booted stat --format '%a%U' "$path" "$(dirname "$path")" | xargs)" == "600$user 700$user"
    inode=$(booted stat --format %i "$path")
    at "$user" "acpbridge status" | head -3
    expect "the first command started the bridge" is "$manager" "$service" ActiveState active
    expect "it reported that it is ready" is "$manager" "$service" Type notify
    main=$(property "$manager" "$service" MainPID)
    expect "its user is $user" test "$(booted stat --format %U "/proc/$main")" == "$user"

    begin "$user"
    expect "an agent runs" eventually has_agent "$user"
    agent=$(agent_of "$user")
    expect "the agent has no variables of systemd" has_no_manager_variables "$agent"
    manage reload "$service"
    expect "after a reload: the same main process" is "$manager" "$service" MainPID "$main"
    expect "the unit is active" is "$manager" "$service" ActiveState active
    expect "the same agent" test "$(agent_of "$user")" == "$agent"
    expect "the same socket" test "$(booted stat --format %i "$path")" == "$inode"
    at "$user" "acpbridge status" | head -1
    manage reload "$service"
    expect "after another reload: the same main process" is "$manager" "$service" MainPID "$main"

    manage stop "$service" 2>/dev/null
    expect "after a stop: no agent is left" has_no_agent "$user"
    expect "its result is success" is "$manager" "$service" Result success
    expect "the same socket" test "$(booted stat --format %i "$path")" == "$inode"
    at "$user" "acpbridge sessions --all" | tail -1
    expect "the next command started it again" is "$manager" "$service" ActiveState active
    main=$(property "$manager" "$service" MainPID)
    booted kill -KILL "$main"
    is_another() { is "$manager" "$service" ActiveState active && ! is "$manager" "$service" MainPID "$main"; }
    expect "after SIGKILL: it is started again" eventually is_another
    manage stop "$service" 2>/dev/null
}

show "The user's units"
try_units alice alice acpbridge.socket acpbridge.service

show "The watchdog"
at alice "mkdir -p .config/systemd/user/acpbridge.service.d &&
    printf '[Service]\nWatchdogSec=3s\n' >.config/systemd/user/acpbridge.service.d/watchdog.conf && systemctl --user daemon-reload"
at alice "acpbridge status >/dev/null"
main=$(property alice acpbridge.service MainPID)
sleep 7
expect "a bridge that works is not ended" is alice acpbridge.service MainPID "$main"
begin alice
at alice "systemctl --user reload acpbridge"
sleep 7
expect "nor is one after a reload" is alice acpbridge.service MainPID "$main"
booted kill -STOP "$main"
watchdog_fired() { ! is alice acpbridge.service MainPID "$main" && is alice acpbridge.service ActiveState active; }
expect "a bridge that stands still is ended and started again" eventually watchdog_fired
at alice "systemctl --user stop acpbridge.service 2>/dev/null; rm -r .config/systemd/user/acpbridge.service.d; systemctl --user daemon-reload"

show "Wrong settings"
at alice "mkdir -p -m 700 .config/acpbridge && echo '{ \"lisen\": \":0\" }' >.config/acpbridge/config.json"
at alice "timeout 10 acpbridge status 2>&1" || true
expect "the unit fails" eventually is alice acpbridge.service Result exit-code
expect "with status 78, and is not started again" is alice acpbridge.service ExecMainStatus 78
at alice "rm .config/acpbridge/config.json; systemctl --user reset-failed acpbridge.service acpbridge.socket; systemctl --user restart acpbridge.socket"
expect "after the correction, it starts" at alice "acpbridge status >/dev/null"

show "The template of a shared host"
try_units bob root acpbridge@1001.socket acpbridge@1001.service
expect "another user cannot connect" eval '! at alice "acpbridge status --url unix:/run/user/1001/acpbridge/bridge.sock" 2>/dev/null'

show "A viewer node"
viewer() {
    booted systemd-run --pipe --wait --quiet --property=DynamicUser=yes --property=User=acpbridge-viewer \
        --property=StateDirectory=acpbridge-viewer --setenv=ACPBRIDGE_HOME=/var/lib/acpbridge-viewer acpbridge "$@"
}
booted systemctl start acpbridge-viewer.service
expect "without settings, it is not started" is root acpbridge-viewer.service ActiveState inactive
echo '{ "listen": "127.0.0.1:7799", "limit": { "agents": 1 } }' >"$root/etc/acpbridge-viewer.json"
chmod 600 "$root/etc/acpbridge-viewer.json"
booted systemctl start acpbridge-viewer.service || booted journalctl --no-pager --unit acpbridge-viewer.service || true
expect "it is active, with settings that only root can read" is root acpbridge-viewer.service ActiveState active
main=$(property root acpbridge-viewer.service MainPID)
expect "its user is $(booted ps -o user= -p "$main")" test "$(booted ps -o uid= -p "$main" | xargs)" -gt 1001
# ask PATH: the first line of the answer over TCP.
ask() { booted bash -c 'exec 3<>/dev/tcp/127.0.0.1/7799; printf "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n" "$1" >&3; head -1 <&3' bash "$1"; }
expect "it can store sessions: $(ask /readyz)" grep --quiet ' 200 ' <<<"$(ask /readyz)"
expect "it serves the page: $(ask /)" grep --quiet ' 200 ' <<<"$(ask /)"
expect "without a token: $(ask /v1/sessions)" grep --quiet ' 401 ' <<<"$(ask /v1/sessions)"
token=$(viewer token create --role observe --ttl 1h)
expect "a command of its user makes tokens" grep --quiet '^tk_' <<<"$token"
expect "a command of its user reaches it: $(viewer status | head -1)" viewer status
expect "it starts no agent" eval '! viewer run --agent demo --detach hello 2>/dev/null'
started() { viewer status --json | grep --only-matching '"startedTs":[0-9]*'; }
before=$(started)
booted systemctl reload acpbridge-viewer.service
replaced() { [[ $(started) != "$before" ]]; }
expect "after a reload: the program was replaced" eventually replaced
expect "the same main process" is root acpbridge-viewer.service MainPID "$main"
expect "it is active" is root acpbridge-viewer.service ActiveState active
expect "it can store sessions: $(ask /readyz)" grep --quiet ' 200 ' <<<"$(ask /readyz)"
booted journalctl --no-pager --quiet --unit acpbridge-viewer.service --grep 'warning|rror' || true
booted systemctl stop acpbridge-viewer.service
expect "its result is success" is root acpbridge-viewer.service Result success

show "systemd-socket-activate"
at alice "systemctl --user stop acpbridge.socket acpbridge.service 2>/dev/null; export ACPBRIDGE_HOME=\$HOME/activated
    mkdir -m 700 \$ACPBRIDGE_HOME; socket=\$(acpbridge status 2>&1 | grep --only-matching '/[^ ]*sock' | head -1)
    socket=\${socket:-\$ACPBRIDGE_HOME/bridge.sock}
    systemd-socket-activate --listen \$socket -E HOME -E PATH -E ACPBRIDGE_HOME acpbridge serve 2>&1 &
    for try in {1..50}; do [[ -S \$socket ]] && break; sleep 0.1; done
    acpbridge status | head -3; acpbridge stop; wait"

show "systemd-analyze security (0 is the strictest, 10 none; agents must be able to do what their user can do)"
booted systemd-analyze security --no-pager acpbridge@1001.service | tail -1
booted systemd-analyze security --no-pager acpbridge-viewer.service | tail -1
at alice "systemd-analyze --user security --no-pager acpbridge.service" | tail -1 || true

echo
echo "Everything was as expected"
