#!/usr/bin/env bash
# Type-checks the portable targets for macOS 15 on Linux, to find API of the standard library that only later systems
# have. Takes a minute the first time, and some seconds after that. It proves nothing about the linker, about C headers or
# about Foundation: .github/workflows/apple.yml builds on a Mac.
#
#     Tests/apple.sh
#
# The interfaces of Swift and of its concurrency, as the toolchain has them for Linux, contain the availability of
# each declaration on Apple's systems. Copies of them are compiled for macOS. Targets that import Foundation are not
# checked; Tests/Checks/portable.py searches those for names that need a later system.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly target=x86_64-apple-macosx15.0
# From the bottom up.
readonly checked=(
    JSONScan JSONCoding MemoryChecks JSONRPC ACPMethods ACPBase ACPSessions ACPClientServices ACPNextEdits ACPConnection
    ACPVersion2 ACP Hashing TextSearch Tinyvex TinyvexTransport TinyvexMachine TinyvexSync
)

compiler=$(readlink -f "$(command -v swiftc)")
resources=$(dirname "$compiler")/../lib/swift
interfaces=$(dirname "$compiler")/../lib/swift_static/linux
out=.build/apple-check
version=$(swiftc --version 2>/dev/null)
if [[ ! -f $out/version || $(<$out/version) != "$version" ]]; then
    rm -rf "$out"
    mkdir -p "$out"
    for module in Swift _Concurrency; do
        # Some back-deployed functions have no body in the interface. Functions of the standard library's own clients
        # are not the subject here.
        sed -e "s/-target x86_64-unknown-linux-gnu/-target $target/" -e 's/-library-level api//' \
            -e 's/-target-min-inlining-version min//' -e '/^ *@backDeployed/d' \
            "$interfaces/$module.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface" >"$out/$module.swiftinterface"
        swiftc -frontend -compile-module-from-interface "$out/$module.swiftinterface" -module-name "$module" \
            -parse-stdlib -target "$target" -disable-objc-interop -resource-dir "$resources" -I "$out" \
            -module-cache-path "$out/cache" -o "$out/$module.swiftmodule"
    done
    printf 'module CVector {\n    umbrella "%s"\n    export *\n}\n' "$PWD/Sources/CVector/include" >"$out/CVector.modulemap"
    echo "$version" >"$out/version"
fi

# check MODULE SOURCES…: compiles the module's interface and type-checks its functions.
check() {
    local module=$1
    shift
    # Optimised, because other builds need a support module. Concurrency is imported explicitly, because the compiler
    # looks for the implicit import in the SDK.
    swiftc -frontend -emit-module -module-name "$module" "$@" -parse-as-library -O -o "$out/$module.swiftmodule" \
        -target "$target" -disable-objc-interop -swift-version 6 -package-name acpbridge -I "$out" \
        -resource-dir "$resources" -module-cache-path "$out/cache" -disable-implicit-string-processing-module-import \
        -Xcc -ffreestanding -Xcc "-fmodule-map-file=$out/CVector.modulemap"
}

check Synchronization Tests/Checks/StandIns/Synchronization.swift
check _StringProcessing Tests/Checks/StandIns/_StringProcessing.swift
for module in "${checked[@]}"; do
    mapfile -t sources < <(find "Sources/$module" -name '*.swift')
    check "$module" "${sources[@]}" -import-module _StringProcessing
done
echo "${#checked[@]} targets use only what macOS 15 has"
