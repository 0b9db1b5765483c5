#!/usr/bin/env bash
# Makes a Debian package and a tarball of programs that Sources/build.sh has built.
#
#     Agents/Packaging/package.sh [ACPBRIDGE DEMO_AGENT [FOLDER]]
#
# Without arguments, it takes the programs in .build/release. FOLDER gets acpbridge_VERSION_ARCH.deb and
# acpbridge-VERSION-linux-ARCH.tar.gz; the default is .build/packages. The same programs give the same bytes: all times are
# those of the last commit, or SOURCE_DATE_EPOCH. DEBFULLNAME and DEBEMAIL name the maintainer of the package. With
# ACPBRIDGE_DOWNLOADS, the https address of a folder with the tarball, FOLDER also gets acpbridge/, the entry for the ACP registry. Needs binutils,
# dpkg-deb and gzip. trial.sh tries the package.
set -euo pipefail
umask 022
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$(dirname "$(dirname "$here")")
program=$(realpath "${1:-$project/.build/release/acpbridge}")
demo=$(realpath "${2:-$project/.build/release/acpbridge-demo-agent}")
output=${3:-$project/.build/packages}
mkdir -p "$output"
output=$(realpath "$output")

fail() { echo "Error: $*" >&2 && exit 1; }
[[ -x $program && -x $demo ]] || fail "build the programs first, with Sources/build.sh"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
# Another version, such as 0.2.0~1, lets a test upgrade to the same programs.
version=${ACPBRIDGE_PACKAGE_VERSION:-$("$program" --version | cut -d ' ' -f 2)}
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The oldest supported system is Debian 12.
newest_libc=2.36

# libraries PROGRAM...: the Debian packages of the libraries that are loaded at the start. Those that are loaded later,
# only for some features, are in "Recommends" and "Suggests".
libraries() {
    local name libc
    libc=$(objdump --dynamic-syms "$@" | grep --only-matching 'GLIBC_2\.[0-9]*' | sed 's/GLIBC_//' | sort --unique --version-sort | tail -1)
    [[ $(printf '%s\n' "$libc" "$newest_libc" | sort --version-sort | tail -1) == "$newest_libc" ]] ||
        fail "the programs need glibc $libc, which Debian 12 does not have: build them there"
    echo "libc6 (>= $libc)"
    for name in $(objdump --private-headers "$@" | awk '$1 == "NEEDED" { print $2 }' | sort --unique); do
        case $name in
            libc.so.6 | libm.so.6 | ld-linux*) ;;
            libgcc_s.so.1) echo libgcc-s1 ;;
            *) fail "a program needs $name, which a user may not have: build it with Sources/build.sh" ;;
        esac
    done
}

# put MODE SOURCE TARGET: installs a file, below the root of the package.
put() { install -D --mode "$1" "$2" "$work/root/$3"; }

# compressed SOURCE TARGET
compressed() {
    mkdir -p "$(dirname "$work/root/$2")"
    gzip --best --no-name <"$1" >"$work/root/$2"
}

# without_hashes PROGRAM: the compiler and the linker store hashes of the arguments, which contain the folder of the build. Nothing
# reads the first. The second, the build's id, becomes a hash of the stripped program. Removing the sections would also remove
# the mark of read-only tables (RELRO).
without_hashes() {
    local size
    size=$(readelf --wide --section-headers "$1" | sed --quiet 's/.* \.swift_modhash  *PROGBITS  *[^ ]* [^ ]* \([^ ]*\) .*/\1/p')
    [[ $size ]] || return 0
    head --bytes "$((16#$size))" /dev/zero >"$work/zeros"
    printf '\4\0\0\0\24\0\0\0\3\0\0\0GNU\0' >"$work/id"
    head --bytes 20 /dev/zero | cat "$work/id" - >"$work/no-id"
    objcopy --update-section .swift_modhash="$work/zeros" --update-section .note.gnu.build-id="$work/no-id" "$1"
    printf "$(sha1sum "$1" | cut --characters 1-40 | sed 's/../\\x&/g')" >>"$work/id"
    objcopy --update-section .note.gnu.build-id="$work/id" "$1"
}

for file in "$program" "$demo"; do
    put 755 "$file" "usr/bin/$(basename "$file")"
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$work/root/usr/bin/$(basename "$file")"
    without_hashes "$work/root/usr/bin/$(basename "$file")"
done
# Before anything is written: unsuitable programs make no package at all.
needed=$(libraries "$work"/root/usr/bin/*)
"$program" man >"$work/acpbridge.1"
compressed "$work/acpbridge.1" usr/share/man/man1/acpbridge.1.gz
for shell in bash zsh fish; do "$program" completions "$shell" >"$work/$shell"; done
put 644 "$work/bash" usr/share/bash-completion/completions/acpbridge
put 644 "$work/zsh" usr/share/zsh/vendor-completions/_acpbridge
put 644 "$work/fish" usr/share/fish/vendor_completions.d/acpbridge.fish
for unit in "$here"/systemd/user/*; do put 644 "$unit" "usr/lib/systemd/user/$(basename "$unit")"; done
for unit in "$here"/systemd/system/*; do put 644 "$unit" "usr/lib/systemd/system/$(basename "$unit")"; done
documents=usr/share/doc/acpbridge
put 644 "$here/debian/copyright" $documents/copyright
put 644 "$here/config.example.json" $documents/examples/config.json
put 644 "$here/viewer.example.json" $documents/examples/viewer.json
put 644 "$here/grafana/acpbridge.json" $documents/examples/grafana.json
for file in "$here"/logs/*.{conf,json,toml}; do put 644 "$file" "$documents/examples/logs/$(basename "$file")"; done
compressed "$here/logs/README.md" $documents/logs.md.gz
for file in README.md Protocol/{CHANGELOG,README,acp,configuration,fleet,http,log,notifications,security,tinyvex}.md; do
    compressed "$project/$file" "$documents/$file.gz"
done

# The tarball has the same files, without those that only Debian uses.
name=acpbridge-$version-linux-$architecture
mkdir -p "$work/$name"
cp -r "$work/root/usr/." "$work/$name"
mv "$work/$name/share/zsh/vendor-completions" "$work/$name/share/zsh/site-functions"
touch_all() { find "$1" -exec touch --no-dereference --date "@$SOURCE_DATE_EPOCH" {} +; }
touch_all "$work/$name"
tar --directory "$work" --create --sort=name --owner=0 --group=0 --numeric-owner --format=gnu "$name" |
    gzip --best --no-name >"$output/$name.tar.gz"

# The entry for the ACP registry names the tarball, so that the tarball must be at that address before the entry is submitted.
if [[ ${ACPBRIDGE_DOWNLOADS-} ]]; then
    [[ $ACPBRIDGE_DOWNLOADS =~ ^https://[A-Za-z0-9._/-]+$ ]] || fail "ACPBRIDGE_DOWNLOADS is not a plain https address"
    mkdir -p "$output/acpbridge"
    cp "$here/registry/icon.svg" "$output/acpbridge/icon.svg"
    sed -e "s|@VERSION@|$version|" -e "s|@MACHINE@|$(uname -m)|" -e "s|@FOLDER@|$name|" \
        -e "s|@ARCHIVE@|${ACPBRIDGE_DOWNLOADS%/}/$name.tar.gz|" \
        -e "s|@SHA256@|$(sha256sum "$output/$name.tar.gz" | cut -d ' ' -f 1)|" \
        "$here/registry/agent.json.in" >"$output/acpbridge/agent.json"
    echo "$output/acpbridge/agent.json: the entry for the ACP registry"
fi

# Only for Debian: the changes in its format, and a folder in which lnav finds its format file.
maintainer=$(sed --quiet 's/^Maintainer: //p' "$here/debian/control.in")
[[ -z ${DEBEMAIL:-} ]] || maintainer="${DEBFULLNAME:-The acpbridge project} <$DEBEMAIL>"
[[ $maintainer != *[\|\&\\]* ]] || fail "the maintainer '$maintainer' has a character that is not allowed"
printf 'acpbridge (%s) unstable; urgency=medium\n\n  * See Protocol/CHANGELOG.md.gz.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date --utc --date "@$SOURCE_DATE_EPOCH" --rfc-email)" >"$work/changelog"
compressed "$work/changelog" $documents/changelog.gz
put 644 "$here/logs/lnav.json" etc/lnav/formats/acpbridge/acpbridge.json
mkdir "$work/root/DEBIAN"
sed -e "s|^Maintainer: .*|Maintainer: $maintainer|" -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$(paste --serial --delimiters=, <<<"$needed" | sed 's/,/, /g')/" \
    -e "s/@SIZE@/$(du --summarize --apparent-size --block-size=1024 "$work/root/usr" | cut -f 1)/" \
    "$here/debian/control.in" >"$work/root/DEBIAN/control"
for script in postinst prerm; do install --mode 755 "$here/debian/$script" "$work/root/DEBIAN/$script"; done
(cd "$work/root" && find etc -type f -printf '/%p\n') >"$work/root/DEBIAN/conffiles"
put 644 "$here/debian/lintian-overrides" usr/share/lintian/overrides/acpbridge
(cd "$work/root" && find etc usr -type f -print0 | sort --zero-terminated | xargs --null md5sum) >"$work/root/DEBIAN/md5sums"
chmod 644 "$work"/root/DEBIAN/{conffiles,control,md5sums}
touch_all "$work/root"
dpkg-deb --root-owner-group -Zxz --build "$work/root" "$output/acpbridge_${version}_$architecture.deb" >/dev/null

for file in "$output/acpbridge_${version}_$architecture.deb" "$output/$name.tar.gz"; do
    echo "$file: $(stat --format %s "$file") bytes, the programs in it $(du --bytes --total "$work"/root/usr/bin/* | tail -1 | cut -f 1) bytes"
done
