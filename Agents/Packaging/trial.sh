#!/usr/bin/env bash
# Tries the Debian package and the tarball in fresh folders of Debian 12 and 13: install, a session as an ordinary user, upgrade
# under a live session, remove, purge. Prints what it shows; the exit status is 0 if everything was true.
#
#     sudo Agents/Packaging/trial.sh [--suite bookworm|trixie] [ACPBRIDGE DEMO_AGENT [OLD.deb]]
#
# Without programs, it takes those in .build/release, which Sources/build.sh makes. Without an old package, it upgrades from a
# package with the same programs and a lower version. Not part of Tests/run.sh: it takes several minutes, needs root, and
# downloads packages.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname "$(dirname "$here")")
source "$here/folders.sh"
separate "$0" "$@"

suites=(bookworm trixie)
if [[ ${1-} == --suite ]]; then suites=("$2") && shift 2; fi
program=$(realpath "${1:-$project/.build/release/acpbridge}")
demo=$(realpath "${2:-$project/.build/release/acpbridge-demo-agent}")
old=${3:+$(realpath "$3")}
prepare_folders
SOURCE_DATE_EPOCH=$(git -c safe.directory="*" -C "$project" log -1 --format=%ct)
export SOURCE_DATE_EPOCH

build_packages() {
    show "Packages"
    "$here/package.sh" "$program" "$demo" "$work/new"
    # A copy of the project in another folder, with the programs in yet another one.
    mkdir -p "$work/elsewhere/Agents" "$work/programs"
    cp -r "$here" "$work/elsewhere/Agents/"
    cp -r "$project/Protocol" "$project/README.md" "$work/elsewhere/"
    cp "$program" "$demo" "$work/programs"
    (umask 077 && "$work/elsewhere/Agents/Packaging/package.sh" "$work/programs/$(basename "$program")" \
        "$work/programs/$(basename "$demo")" "$work/again" >/dev/null)
    expect "two folders give the same bytes" diff -r "$work/new" "$work/again"
    new=$(echo "$work"/new/*.deb)
    if [[ ! $old ]]; then
        ACPBRIDGE_PACKAGE_VERSION="$(dpkg-deb --field "$new" Version)~1" "$here/package.sh" "$program" "$demo" "$work/old" >/dev/null
        old=$(echo "$work"/old/*.deb)
    fi
    if command -v lintian >/dev/null; then
        expect "lintian finds nothing" lintian --fail-on error,warning --allow-root "$new"
        { lintian --allow-root --show-overrides "$new" 2>/dev/null || true; } | sed --quiet 's/^O: acpbridge: /  overridden: /p'
    else
        echo "  lintian was not run: apt-get install lintian"
    fi
}

installed() { inside dpkg-query --show --showformat '${Version}' acpbridge; }
status() { as alice "acpbridge status --json" | grep --only-matching "\"$1\":[^,}]*" | head -1 | cut --delimiter : --fields 2-; }
# The names and sizes of all files outside of the users' and apt's own folders.
files() {
    inside find / -xdev \( -path /home -o -path /tmp -o -path /var/cache -o -path /var/lib/apt -o -path /var/lib/dpkg \
        -o -path /var/log -o -path /etc/ld.so.cache \) -prune -o -print | sort
}
updates() { as alice "acpbridge attach latest --no-follow | wc --lines"; }
has_more_updates_than() { (($(updates) > $1)); }
has_ended() { as alice "acpbridge attach latest --no-follow --format flat" | grep --quiet '"kind":"turn_end"'; }
numbers_have_no_gaps() {
    as alice "acpbridge attach latest --no-follow --envelope" |
        sed 's/^{"seq":\([0-9]*\),.*/\1/' | awk '$1 != NR { exit 1 } END { exit NR == 0 }'
}

try_package() {
    local agent bridge count
    cp "$old" "$root/tmp/old.deb"
    cp "$new" "$root/tmp/new.deb"
    files >"$root.before"
    install /tmp/old.deb
    echo "  installed $(installed); needs $(dpkg-deb --field "$old" Depends)"
    files >"$root.between"

    show "$1: a session as an ordinary user"
    as alice "acpbridge --version && acpbridge agents | grep demo"
    as alice "acpbridge run --agent demo --detach 'Try the package, no permission, 400 words, 100 ms apart'"
    expect "the agent works" eventually has_more_updates_than 5
    agent=$(pgrep -f "^(/usr/bin/)?acpbridge-demo-agent" | head -1)
    bridge=$(status pid)
    count=$(updates)

    show "$1: upgrade under the live session"
    install /tmp/new.deb
    echo "  installed $(installed)"
    expect "the bridge still runs" test "$(status pid)" == "$bridge"
    as alice "acpbridge serve --replace"
    expect "the bridge is the new program, in the same process" test "$(status pid)" == "$bridge"
    expect "and not a deleted file" cmp "/proc/$bridge/exe" "$root/usr/bin/acpbridge"
    expect "the agent is the same process" test -d "/proc/$agent"
    expect "it works on" eventually has_more_updates_than "$count"
    as alice "acpbridge cancel latest" || true
    expect "its turn ends" eventually has_ended
    expect "the updates' numbers have no gaps" numbers_have_no_gaps
    as alice "acpbridge attach latest --no-follow --format flat | tail --lines 1"
    as alice "acpbridge stop"

    show "$1: manual page, completions, lnav"
    expect "the manual page is there" inside test -s /usr/share/man/man1/acpbridge.1.gz
    inside bash -c '. /usr/share/bash-completion/completions/acpbridge && complete -p acpbridge'
    expect "the example configuration is valid" as alice "acpbridge config check /usr/share/doc/acpbridge/examples/config.json"
    as alice "acpbridge attach latest --no-follow --format flat >session.ndjson; acpbridge stop"
    as alice "lnav -n -c ';SELECT kind, count(*) FROM acpbridge_session GROUP BY kind' -c ':write-csv-to -' session.ndjson"

    show "$1: remove, purge"
    inside apt-get -qq remove --yes acpbridge >/dev/null 2>&1
    expect "no program is left" inside test ! -e /usr/bin/acpbridge -a ! -e /usr/bin/acpbridge-demo-agent
    expect "the user's sessions are kept" as alice "test -s .local/state/acpbridge/log.sqlite || ls .local/state/acpbridge"
    inside apt-get -qq purge --yes --autoremove acpbridge >/dev/null 2>&1
    files >"$root.after"
    expect "no file of the package is left" diff "$root.before" "$root.after"
}

try_tarball() {
    show "$1: the tarball"
    tar --extract --gzip --file "$(echo "$work"/new/*.tar.gz)" --directory "$root/opt"
    as alice 'PATH=$(echo /opt/acpbridge-*/bin):$PATH; acpbridge run --agent demo --pretty "hello, no permission, 3 words"
        acpbridge stop'
}

build_packages
for suite in "${suites[@]}"; do
    show "$suite"
    open_folder "$suite" "$suite" lnav
    add_user alice 1000
    try_package "$suite"
    try_tarball "$suite"
done
echo
echo "Everything was as expected"
