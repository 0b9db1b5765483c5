#!/usr/bin/env bash
# Builds the page's files in Sources/CPage/served from the modules in Sources/Page/web, with the libraries of Debian's
# packages. For maintainers: users get the built files with the sources.
#
#     Sources/Page/build.sh [FOLDER]    (default: Sources/CPage/served)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# The largest sum of all files that a browser loads, compressed with gzip, in bytes.
readonly limit=150000
web=Sources/Page/web
served=${1-Sources/CPage/served}
export NODE_PATH=/usr/share/nodejs
mkdir -p "$served"

options=(--bundle --minify --format=esm --target=es2020 --charset=utf8 --define:global=globalThis --log-level=warning)
# $1: module, $2: file, $3: banner
bundle() {
    esbuild "$web/$1" "${options[@]}" --legal-comments=none --banner:js="$3" --outfile="$served/$2"
}
version() {
    node -p "const p = require('/usr/share/nodejs/$1/package.json'); p.name + ' ' + p.version + ' (' + (p.license ?? 'MIT') + ')'"
}

bundle page.js page.js "/* acpbridge's page. Contains $(version markdown-it), linkify-it, mdurl, uc.micro, punycode (MIT), entities (BSD-2-Clause). */"
bundle code-tools.js code.js "/* Contains $(version prismjs), $(version diff). */"
bundle service-worker.js service-worker.js ''
esbuild "$web/page.css" --minify --charset=utf8 --log-level=warning --outfile="$served/page.css"
cp "$web"/{index.html,manifest.webmanifest,icon.svg,icon-192.png,icon-512.png} "$served/"

sum=0
for file in "$served"/*; do sum=$((sum + $(gzip --best --no-name --stdout "$file" | wc --bytes))); done
echo "$served: $sum bytes compressed; the limit is $limit"
((sum <= limit))
