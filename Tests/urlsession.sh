#!/usr/bin/env bash
# Runs the client library over URLSession against a bridge, with the programs of .build. Takes half a minute.
#
#     swift build --build-tests && Tests/urlsession.sh
#
# Foundation on Linux is built without WebSockets. A preloaded library (Tests/URLSession) adds them with libcurl 8.11 or
# newer: the system's, or else the one of Debian's backports, which is unpacked into .build. Without it, the test is
# skipped with the reason. Apple's URLSession is another program with the same interface, so this proves the library's own
# code and not its use there. On a Mac, set ACPBRIDGE_TEST_URL and the other variables of LiveBridgeTests to a bridge on a
# Linux machine, and run `swift test --filter LiveBridgeTests`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

skip() { echo "Skipped: $*" && exit 0; }

readonly out=$PWD/.build/urlsession
libraries=/usr/lib/$(uname -m)-linux-gnu
headers=/usr/include/$(uname -m)-linux-gnu
work=$(mktemp --directory /tmp/acpb.XXXX)
bridge=
proxy=

finish() {
    [[ -z $bridge ]] || kill "$bridge" 2>/dev/null || true
    [[ -z $proxy ]] || kill "$proxy" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$work"
}
trap finish EXIT

# has_websockets FOLDER: true if the folder's libcurl is new enough. Older ones have the functions, which do nothing.
has_websockets() {
    python3 - "$1/libcurl.so.4" <<'END'
import ctypes
import re
import sys

try:
    library = ctypes.CDLL(sys.argv[1])
except OSError:
    sys.exit(1)
library.curl_version.restype = ctypes.c_char_p
version = re.search(rb"libcurl/(\d+)\.(\d+)", library.curl_version())
sys.exit(0 if version and (int(version[1]), int(version[2])) >= (8, 11) else 1)
END
}

# Unpacks Debian's newer libcurl and its headers, without installing them.
fetch_libcurl() {
    local list=$out/apt mirror options
    rm -rf "$out" && mkdir -p "$list/lists/partial" "$list/cache/archives/partial"
    mirror=$(grep --no-filename --only-matching --extended-regexp 'https?://[^ ]*/debian/?( |$)' \
        /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 | tr -d ' ') || true
    [[ $mirror ]] || return 1
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $1-backports main" >"$list/sources"
    options=(-o "Dir::Etc::sourcelist=$list/sources" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State::lists=$list/lists" -o "Dir::Cache=$list/cache" -o APT::Sandbox::User=root
        -o Acquire::Retries=0 -o Acquire::http::Timeout=10 -o Acquire::https::Timeout=10)
    # An error ends none of these lines by itself: the caller decides.
    apt-get "${options[@]}" --quiet --quiet update || return 1
    (cd "$out" && apt-get "${options[@]}" --quiet --quiet download \
        "libcurl4/$1-backports" "libcurl4-openssl-dev/$1-backports") || return 1
    for package in "$out"/*.deb; do dpkg --extract "$package" "$out/root" || return 1; done
}

if ! has_websockets "$libraries"; then
    # shellcheck source=/dev/null
    has_websockets "$out/root$libraries" || fetch_libcurl "$(. /etc/os-release && echo "$VERSION_CODENAME")" ||
        skip "there is no libcurl 8.11, and Debian's backports cannot be reached"
    libraries=$out/root$libraries headers=$out/root$headers
fi
has_websockets "$libraries" || skip "there is no libcurl with WebSockets"
[[ -e $headers/curl/websockets.h ]] || skip "libcurl's headers are missing: install libcurl4-openssl-dev"

mkdir -p "$out"
compiler=$(dirname "$(readlink --canonicalize "$(command -v swiftc)")")/clang
"$compiler" -shared -fPIC -O1 -Wall -D_GNU_SOURCE "-I$headers" -o "$out/websockets.so" Tests/URLSession/websockets.c \
    "-L$libraries" -l:libcurl.so.4

export XDG_RUNTIME_DIR=$work HOME=$work
program=.build/debug/acpbridge
mkfifo "$work/ready" "$work/port" "$work/input"
$program serve --listen 127.0.0.1:0 >"$work/ready" 2>"$work/bridge.err" &
bridge=$!
read -r ready <"$work/ready"
url=$(jq --raw-output .url <<<"$ready")
token=$($program token create --role control --name urlsession | tail -n 1)
exec 5<>"$work/input"
python3 Tests/URLSession/breaking_proxy.py "${url##*:}" 60000 >"$work/port" <&5 &
proxy=$!
read -r port <"$work/port"

ACPBRIDGE_TEST_URL=$url ACPBRIDGE_TEST_TOKEN=$token ACPBRIDGE_TEST_BREAKING_URL=ws://127.0.0.1:$port \
    LD_PRELOAD=$out/websockets.so LD_LIBRARY_PATH=$libraries \
    timeout --kill-after 3 240 .build/debug/acpbridgePackageTests.xctest --testing-library swift-testing \
    --filter TinyvexClientPortableTests.LiveBridgeTests
