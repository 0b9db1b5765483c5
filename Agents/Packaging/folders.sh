# shellcheck shell=bash
# Sourced by the trials: fresh Debian systems in folders, made by debootstrap. Needs root, debootstrap and Linux with
# overlayfs.
#
# The trial runs in namespaces of its own. All its mounts and processes end with it.

# The folders as debootstrap made them. They are kept, because each takes a minute.
folders_cache=${ACPBRIDGE_FOLDERS:-/var/cache/acpbridge-trials}

fail() { echo "Error: $*" >&2 && exit 1; }

# separate PROGRAM ARGUMENTS...: starts the script again, in namespaces of its own.
separate() {
    [[ ! ${ACPBRIDGE_IS_SEPARATE-} ]] || return 0
    ((EUID == 0)) || fail "run this as root: it mounts folders and changes its root folder"
    command -v debootstrap >/dev/null || fail "there is no debootstrap: apt-get install debootstrap"
    ACPBRIDGE_IS_SEPARATE=1 exec unshare --mount --pid --fork --kill-child --mount-proc -- "$@"
}

# read_arguments [--suite SUITE] PACKAGE.deb: sets $suite, bookworm by default, and $package.
read_arguments() {
    suite=bookworm
    if [[ ${1-} == --suite ]]; then suite=$2 && shift 2; fi
    package=$(realpath "${1:?"the package; package.sh makes it"}")
}

# prepare_folders: call once, before open_folder. Sets $work, a folder in memory that every user can enter.
prepare_folders() {
    work=$folders_cache/work
    mkdir -p "$work"
    mount -t tmpfs -o mode=755 tmpfs "$work"
}

# open_folder SUITE NAME [PACKAGE...]: a Debian of this version, with these packages. Sets $root.
open_folder() {
    local suite=$1 name=$2 base=$folders_cache/$1
    shift 2
    if [[ ! -e $base/.complete ]]; then
        echo "Making a folder with Debian $suite (once, a minute or more)"
        rm -rf "$base"
        debootstrap --variant=minbase "$suite" "$base" http://deb.debian.org/debian >"$base.log" || fail "see $base.log"
        touch "$base/.complete"
    fi
    root=$work/$name
    mkdir -p "$root" "$root.upper" "$root.work"
    mount -t overlay overlay -o "lowerdir=$base,upperdir=$root.upper,workdir=$root.work" "$root"
    rm "$root/.complete"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs -o mode=755 tmpfs "$root/run"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    # No package may start a service.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    inside apt-get -qq update
    (($# == 0)) || install "$@"
}

# inside COMMAND...: runs a command as root in the folder $root.
inside() {
    env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        chroot "$root" "$@"
}

# install PACKAGE...: in the folder $root.
install() {
    inside apt-get -qq install --yes --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >"$root.install.log" 2>&1 ||
        { tail "$root.install.log" >&2 && fail "apt-get install $*"; }
}

# add_user NAME ID: an ordinary user in the folder $root, with the folder that a login creates.
add_user() {
    inside useradd --create-home --shell /bin/bash --uid "$2" "$1"
    inside install --directory --mode 700 --owner "$1" --group "$1" "/run/user/$2"
}

# as NAME COMMAND: runs a shell command as this user in the folder $root.
as() {
    # "cd" and XDG_RUNTIME_DIR are what a login does. The user's id is known only inside.
    inside setpriv --reuid "$1" --regid "$1" --init-groups --reset-env bash -c \
        'cd && export XDG_RUNTIME_DIR=/run/user/$(id -u) LANG=C.UTF-8 && eval "$1"' bash "$2"
}

# show TEXT: the heading of a step.
show() { printf '\n== %s\n' "$*"; }

# expect TEXT CONDITION...: a claim, and the command that proves it.
expect() {
    local claim=$1
    shift
    "$@" || fail "not true: $claim"
    echo "  $claim"
}

# eventually COMMAND...: succeeds as soon as the command does, within 60 seconds.
eventually() {
    local deadline=$((SECONDS + 60))
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || return 1
        sleep 0.2
    done
}
