#!/usr/bin/env bash
# Checks the web page: types, format, unit tests, and that the built files belong to the sources. Takes some seconds. With
# --bridge, also follows a real bridge through connections that break.
#
#     Tests/page.sh [--fix] [--bridge PROGRAM]
#
# --fix formats the files and builds the page again.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source Tests/packages.sh

fix=
bridge=
while (($#)); do
    case $1 in
    --fix) fix=1 ;;
    --bridge) bridge=${2?--bridge takes a program} && shift ;;
    *) echo "Usage: Tests/page.sh [--fix] [--bridge PROGRAM]" >&2 && exit 64 ;;
    esac
    shift
done

install_packages "${page_packages[@]}"
export NODE_PATH=/usr/share/nodejs

built=$(mktemp --directory)
trap 'rm -rf "$built"' EXIT
modules=(Sources/Page/web/*.js Tests/Page/*.js)

node Tests/Page/format.cjs ${fix:+--fix} "${modules[@]}"
if [[ $fix ]]; then Sources/Page/build.sh; fi
tsc --project Sources/Page/web
Sources/Page/build.sh "$built" >/dev/null
if ! diff --recursive --brief "$built" Sources/CPage/served; then
    echo "Sources/CPage/served is not what Sources/Page/web builds: run Sources/Page/build.sh" >&2
    exit 1
fi

# markdown-it is a CommonJS package of Debian's, which only a bundle can import.
esbuild Sources/Page/web/markdown.js --bundle --format=esm --define:global=globalThis --log-level=warning \
    --outfile=Tests/Page/built/markdown.mjs
tests=(Tests/Page/{pure,changes,groups,find,timeline,export,markdown,tinyvex}.test.js)
if [[ $bridge ]]; then
    BRIDGE_PROGRAM=$(realpath "$bridge")
    export BRIDGE_PROGRAM
    tests+=(Tests/Page/bridge.test.js)
fi
if ! node --test "${tests[@]}" >"$built/log" 2>&1; then
    cat "$built/log"
    exit 1
fi
grep '^# pass' "$built/log" | sed 's/# pass/The page'"'"'s tests pass:/'
