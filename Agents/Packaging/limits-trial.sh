#!/usr/bin/env bash
# Tries the limits of agents with a kernel that has control groups of version 2 with their controllers: a virtual machine (QEMU)
# with Debian's own kernel and systemd. Memory, processes and processors of an agent with its children; for a user's unit and
# for the template of a shared host. Prints what it shows; the exit status is 0 if everything was true.
#
#     sudo Agents/Packaging/limits-trial.sh [--suite bookworm|trixie] PACKAGE.deb
#
# Needs qemu-system-x86 and cpio; QEMU 7.2 of Debian 12 does not start the kernel of Debian 13. Not part of Tests/run.sh: it takes minutes, needs root, and
# downloads packages.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/folders.sh"

# The steps inside of the machine are the second half of this file.
if [[ ${1-} != --inside ]]; then
    command -v qemu-system-x86_64 >/dev/null || fail "there is no QEMU: apt-get install qemu-system-x86"
    command -v cpio >/dev/null || fail "there is no cpio: apt-get install cpio"
    separate "$0" "$@"
    read_arguments "$@"
    prepare_folders
    show "A machine with Debian $suite"
    open_folder "$suite" machine
    cp "$package" "$root/tmp/acpbridge.deb"
    install systemd systemd-sysv dbus libpam-systemd procps /tmp/acpbridge.deb
    # The kernel alone: the whole system is its first file system, so it needs no module.
    kernel=$(inside apt-cache depends linux-image-cloud-amd64 | awk '$1 == "Depends:" { print $2; exit }')
    inside bash -c 'cd /tmp && apt-get -qq download "$1" && dpkg --extract "$1"_*.deb kernel' bash "$kernel" 2>/dev/null
    cp "$root"/tmp/kernel/boot/vmlinuz-* "$work/vmlinuz"
    rm -rf "$root/tmp/kernel" "$root"/tmp/*.deb "$root"/var/cache/apt/*.bin
    mkdir -p "$root/var/lib/systemd/linger"
    for user in alice:1000 bob:1001; do
        inside useradd --create-home --shell /bin/bash --uid "${user#*:}" "${user%:*}"
        touch "$root/var/lib/systemd/linger/${user%:*}"
    done
    mkdir -p "$root/root/trial"
    cp "$here/limits-trial.sh" "$here/folders.sh" "$root/root/trial/"
    cat >"$root/etc/systemd/system/trial.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/root/trial/limits-trial.sh --inside
ExecStopPost=/usr/bin/systemctl poweroff --force --force
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
UNIT
    inside systemctl --quiet mask serial-getty@ttyS0.service getty@tty1.service
    umount --lazy "$root/dev" "$root/proc" "$root/run"
    (cd "$root" && find . -xdev -path ./usr/share/doc -prune -o -print0 | cpio --null --create --quiet --format=newc) >"$work/system"
    # Without KVM: a virtual machine in a virtual machine does not start everywhere.
    timeout 900 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 3G -nodefaults -no-reboot -display none -serial stdio -nic none \
        -kernel "$work/vmlinuz" -initrd "$work/system" \
        -append 'console=ttyS0 quiet panic=-1 rdinit=/sbin/init systemd.unit=trial.service systemd.wants=multi-user.target systemd.show_status=0' \
        </dev/null | tr --delete '\r' | tee "$work/output"
    expect "the machine has ended after its last step" grep --quiet '^Everything was as expected' "$work/output"
    exit
fi

export PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 SYSTEMD_PAGER=cat

# at USER COMMAND: runs a shell command as this user.
at() {
    setpriv --reuid "$1" --regid "$1" --init-groups --reset-env bash -c \
        'cd && export XDG_RUNTIME_DIR=/run/user/$(id -u) LANG=C.UTF-8 && eval "$1"' bash "$2"
}

# An agent with children: with /tmp/USER.memory they take 300 MB, with /tmp/USER.processes they are a hundred, with
# /tmp/USER.processors two of them are busy. They wait without a child: a shell that cannot fork for 15 s ends.
make_agent() {
    cat >/usr/local/bin/greedy-agent <<'AGENT'
#!/bin/bash
exec {never}<>/run/greedy-agent
has() { [[ -e /tmp/$USER.$1 ]]; }
until_there() { until has "$1"; do read -r -t 0.1 -u "$never" || true; done; }
{
    (until_there memory && head --bytes 300M /dev/zero | tail --bytes 300M) &
    (until_there processes && for each in {1..100}; do has processes || break; sleep 300 & done) &
    (until_there processors && for each in 1 2; do while has processors; do :; done & done) &
} >/dev/null 2>&1 </dev/null
exec {never}<&-
exec acpbridge-demo-agent
AGENT
    chmod 755 /usr/local/bin/greedy-agent
    mkfifo --mode 666 /run/greedy-agent
}

status() { at "$1" "acpbridge status --json" | grep --only-matching "\"$2\":[^,}]*" | head -1 | cut --delimiter : --fields 2-; }
agent_of() { pgrep --euid "$1" --full '^(/(usr/)?bin/)?acpbridge-demo-agent' | sort --numeric-sort | tail -1; }
group_of() { echo "/sys/fs/cgroup$(sed --quiet 's/^0:://p' "/proc/$1/cgroup")"; }
value() { cat "$group/$1"; }
event() { awk -v name="$2" '$1 == name { print $2 }' "$group/$1"; }
begin() { at "$1" "acpbridge run --agent greedy --detach 'Try the limits, no permission, 2000 words, 100 ms apart'"; }
has_agent() { [[ $(agent_of "$1") ]]; }
in_agent_group() { [[ $(group_of "$(agent_of "$1")") == */agent-* ]]; }
was_limited() { (($(event pids.events max) > 0)); }
# Also the child that the shell was starting when the others ended.
children_have_ended() { at "$1" "pkill sleep"; (($(value pids.current) < 10)); }
last_entry() { at "$1" "acpbridge attach $2 --no-follow --format flat | tail -1"; }
has_ended() { [[ ! -d /proc/$1 ]]; }

# try_limits USER SOCKET SERVICE CONTROL...: CONTROL starts and reloads the units.
try_limits() {
    local user=$1 socket=$2 service=$3 bridge session agent other group used passed
    shift 3
    manage() { if [[ $1 == --user ]]; then at "$user" "systemctl $*"; else systemctl "$@"; fi; }
    at "$user" "mkdir -p -m 700 .config/acpbridge/agents
        echo '{ \"limit\": { \"agent-memory\": \"100MiB\", \"agent-processes\": 30, \"agent-processors\": 1 } }' >.config/acpbridge/config.json
        echo '{ \"name\": \"greedy\", \"command\": [\"env\", \"USER=$user\", \"greedy-agent\"] }' >.config/acpbridge/agents/greedy.json"
    manage "$@" enable --quiet --now "$socket"
    expect "the bridge answers" eventually at "$user" "acpbridge status"
    bridge=$(status "$user" pid)
    echo "  the bridge's group: $(group_of "$bridge"), with the controllers $(cat "$(dirname "$(group_of "$bridge")")/cgroup.controllers")"
    expect "the bridge has moved to a group of its own" grep --quiet '/bridge$' <<<"$(group_of "$bridge")"
    expect "limits hold for an agent as a whole" test "$(status "$user" limitsWholeAgents)" == true
    at "$user" "acpbridge doctor" | grep ' limits ' || true

    session=$(begin "$user")
    expect "an agent runs" eventually has_agent "$user"
    expect "in a group of its own" eventually in_agent_group "$user"
    agent=$(agent_of "$user")
    group=$(group_of "$agent")
    expect "memory.max $(value memory.max), memory.oom.group $(value memory.oom.group), pids.max $(value pids.max), cpu.max $(value cpu.max)" \
        test "$(value memory.max) $(value pids.max) $(value cpu.max)" == "104857600 30 100000 100000"

    touch "/tmp/$user.processes"
    expect "a hundred children: the kernel refused some" eventually was_limited
    expect "there are $(value pids.current) processes and threads, at most 30" test "$(value pids.current)" -le 30
    expect "the agent works on" test -d "/proc/$agent"
    rm "/tmp/$user.processes"
    expect "its children have ended" eventually children_have_ended "$user"

    touch "/tmp/$user.processors"
    sleep 1
    used=$(event cpu.stat usage_usec) passed=${EPOCHREALTIME/./}
    sleep 4
    used=$(($(event cpu.stat usage_usec) - used)) passed=$((${EPOCHREALTIME/./} - passed))
    expect "two busy children: $((used / 1000)) ms of two processors in $((passed / 1000)) ms" \
        test $((used * 2)) -gt "$passed" -a $((used * 5)) -lt $((passed * 6))

    manage "$@" reload "$service"
    expect "after an upgrade: the same bridge" test "$(status "$user" pid)" == "$bridge"
    expect "the agent in its group" test "$(group_of "$agent")" == "$group"
    expect "limits hold for an agent as a whole" test "$(status "$user" limitsWholeAgents)" == true
    rm -f "/tmp/$user.processors"
    begin "$user"
    is_second() { [[ $(agent_of "$user") != "$agent" ]] && in_agent_group "$user"; }
    expect "another agent has another group" eventually is_second
    other=$(agent_of "$user")

    # The second agent waits for the same file: it is stopped, so that only the first one takes the memory.
    kill -STOP $(cat "$(group_of "$other")/cgroup.procs")
    touch "/tmp/$user.memory"
    expect "300 MB: the agent was ended" eventually has_ended "$agent"
    rm "/tmp/$user.memory"
    kill -CONT $(cat "$(group_of "$other")/cgroup.procs")
    expect "with all its processes" eventually eval '[[ ! -e $group/cgroup.procs || ! $(cat "$group/cgroup.procs") ]]'
    expect "its session: $(last_entry "$user" "$session")" grep --quiet 'agent_exit.*signal 9' <<<"$(last_entry "$user" "$session")"
    expect "the other agent runs" test -d "/proc/$other"
    expect "the bridge runs" test "$(status "$user" pid)" == "$bridge"
    expect "the unit is $(manage "$@" is-active "$service")" test "$(manage "$@" is-active "$service")" == active
    at "$user" "acpbridge sessions --all"
    begin "$user"
    expect "the next agent's start has removed the empty group" eventually eval '[[ ! -e $group ]]'
    manage "$@" stop "$service" 2>/dev/null
    expect "after a stop: no agent is left" eval '! has_agent "$user"'
}

show "Controllers: $(cat /sys/fs/cgroup/cgroup.controllers)"
uname --kernel-release
systemctl --version | head -1
make_agent
eventually systemctl is-active --quiet user@1000.service
show "The user's unit"
try_limits alice acpbridge.socket acpbridge.service --user
show "The template of a shared host"
try_limits bob acpbridge@1001.socket acpbridge@1001.service --system
show "A bridge without a unit, with a scope for its agent"
at alice "systemctl --user disable --quiet --now acpbridge.socket 2>/dev/null; rm .config/acpbridge/config.json
    echo '{ \"name\": \"scoped\", \"command\": [\"systemd-run\", \"--user\", \"--scope\", \"--quiet\", \"-p\", \"MemoryMax=100M\",
        \"-p\", \"TasksMax=30\", \"--\", \"acpbridge-demo-agent\"] }' >.config/acpbridge/agents/scoped.json
    acpbridge run --agent scoped --detach 'Try the limits, no permission, 500 words, 100 ms apart'"
expect "its agent runs" eventually has_agent alice
group=$(group_of "$(agent_of alice)")
expect "in a scope: $(basename "$group"), memory.max $(value memory.max), pids.max $(value pids.max)" \
    test "$(value memory.max) $(value pids.max)" == "104857600 30"
at alice "acpbridge stop"
expect "after a stop: no agent is left" eval '! has_agent alice'
echo
echo "Everything was as expected"
