#!/usr/bin/env bash
# Builds programs as they are installed: optimised, hardened, and without a need for Swift's libraries on the machine that
# they run on. Leaves them in .build/release.
#
#     Sources/build.sh [PRODUCT...]    (without one: acpbridge and acpbridge-demo-agent)
#
# Package.swift cannot hold these flags: SwiftPM refuses a dependency that has unsafe ones, and the package is also a
# library.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(--configuration release --static-swift-stdlib)
# The loader must not search the program's own folder for libraries: another user could put one there.
options+=(--disable-local-rpath)
# Every symbol is resolved at the start, and the tables are read-only from then on.
for flag in now relro noexecstack; do options+=(-Xlinker -z -Xlinker "$flag"); done
# For the C targets. Package.swift has _FORTIFY_SOURCE.
options+=(-Xcc -fstack-protector-strong -Xcc -fstack-clash-protection)
if [[ $(uname --machine) == x86_64 ]]; then options+=(-Xcc -fcf-protection=full); fi
# The path of an update crosses a dozen targets.
options+=(-Xswiftc -cross-module-optimization)
# Without the module for regular expressions, which would add 1 MB and 5 % to each start. An error about `contains`,
# `firstRange(of:)` or `split` with a text only here, and not in a debug build, is due to this: see Sources/TextSearch.
options+=(-Xswiftc -Xfrontend -Xswiftc -disable-implicit-string-processing-module-import)
# The functions that run often are next to each other in the program: see Sources/order.sh. The linker ignores names that a
# program does not have. LLVM's linker is part of Swift.
options+=(-Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld)
options+=(-Xlinker "--symbol-ordering-file=$PWD/Sources/function-order.txt" -Xlinker --no-warn-symbol-ordering)
# For Sources/order.sh.
[[ ! ${LINK_MAP-} ]] || options+=(-Xlinker "-Map=$LINK_MAP")
# The parts of functions that never ran in the benchmarks are put apart: see Sources/profile.sh.
toolchain=$(dirname "$(readlink --canonicalize "$(command -v swiftc)")")
mkdir -p .build/profiles
if [[ ${PROFILE_RAW-} ]]; then
    # For Sources/profile.sh.
    profile=$PROFILE_RAW
    options+=(-Xswiftc -Xfrontend -Xswiftc "-ir-profile-generate=$profile" -Xswiftc -Xllvm -Xswiftc -disable-vp)
    options+=(-Xlinker -u -Xlinker __llvm_profile_runtime)
    options+=(-Xlinker "$(echo "$toolchain"/../lib/clang/*/lib/linux/libclang_rt.profile-"$(uname --machine)".a)")
else
    profile=$PWD/.build/profiles/$(cksum <Sources/profile.proftext | tr ' ' -).profdata
    if [[ -e $profile ]] || "$toolchain/llvm-profdata" merge --output="$profile" Sources/profile.proftext; then
        options+=(-Xswiftc -Xfrontend -Xswiftc "-ir-profile-use=$profile")
        # A changed function is compiled without its counts.
        options+=(-Xswiftc -Xllvm -Xswiftc -no-pgo-warn-mismatch)
        options+=(-Xswiftc -Xllvm -Xswiftc -enable-split-machine-functions)
    else
        echo "This version of Swift cannot use Sources/profile.proftext: the programs become slower" >&2
        profile=none
    fi
fi
# SwiftPM does not compile a module again when only these options change.
[[ $profile == "$(cat .build/profiles/used 2>/dev/null)" ]] || rm --recursive --force .build/release/*
echo "$profile" >.build/profiles/used
# Nothing looks up the program's own symbols.
options+=(-Xlinker --no-export-dynamic)
# The loader would bind a thousand symbols of the C++ library at each start, for the few that Swift's runtime uses, and those
# of SQLite. The linker takes the archives if the folder that it searches first has nothing else. libgcc_s, which has the
# functions for C++ exceptions, would take 0.2 ms to load, so they are linked, too.
archives=$PWD/.build/archives
mkdir -p "$archives"
for archive in libstdc++.a libsqlite3.a; do
    path=$(cc -print-file-name="$archive" 2>/dev/null || true)
    [[ $path != /* ]] || ln --symbolic --force "$path" "$archives/"
done
# SQLite's own description would name the system's folder first.
if [[ -e $archives/libsqlite3.a ]]; then
    printf '%s\n' 'Name: SQLite' 'Description: SQLite' 'Version: 3' "Libs: -L${archives// /\\ } -lsqlite3" >"$archives/sqlite3.pc"
    options+=(--pkg-config-path "$archives")
fi
options+=(-Xlinker "-L$archives")
unwinder=$(cc -print-file-name=libgcc_eh.a 2>/dev/null || true)
[[ $unwinder != /* ]] || options+=(-Xlinker "$unwinder")
[[ -t 1 ]] || options+=(--quiet)

# check PROGRAM: fails if the linker has left something of this out.
check() {
    local facts fault=
    command -v readelf >/dev/null || { echo "There is no readelf: $1 is not checked" >&2 && return; }
    facts=$(readelf --wide --dynamic --program-headers "$1")
    if grep --quiet --extended-regexp 'R(UN)?PATH' <<<"$facts"; then fault='it searches folders of its own for libraries'; fi
    grep --quiet --extended-regexp 'FLAGS(_1)?\).*(BIND_)?NOW' <<<"$facts" || fault='it binds symbols late'
    grep --quiet GNU_RELRO <<<"$facts" || fault='its tables stay writable'
    grep --quiet --extended-regexp 'GNU_STACK.* RW ' <<<"$facts" || fault='its stack is executable'
    grep --quiet --extended-regexp 'FLAGS_1\).*PIE' <<<"$facts" || fault='it is loaded at a fixed address'
    [[ ! $fault ]] || { echo "$1 is not hardened: $fault" >&2 && return 1; }
    # A fault of the optimiser: the program would end there (see RunBuffer). Only for x86-64.
    fault=$(objdump --disassemble --no-show-raw-insn "$1" | awk -F '\t' '
        /^[0-9a-f]+ </ { name = $1; onStack = 0 }
        $2 ~ /,%[re]di *$|^pop +%rdi/ { onStack = $2 ~ /^lea .*\(%r[bs]p\)/ }
        $2 ~ /^(call|jmp) .*<swift_dealloc(Partial)?ClassInstance>/ && onStack { print name }
        $2 ~ /^call / { onStack = 0 }')
    [[ ! $fault ]] || { printf '%s frees objects on the stack in:\n%s\n' "$1" "$fault" >&2 && return 1; }
}

if (($# == 0)); then set -- acpbridge acpbridge-demo-agent; fi
sums=$(cksum "$archives"/*.a 2>/dev/null || true)
for product; do
    # SwiftPM does not know these files. A new archive can have an old date.
    if [[ Sources/function-order.txt -nt .build/release/$product || $sums != $(cat "$archives/$product.sums" 2>/dev/null) ]]; then
        rm --force ".build/release/$product"
    fi
    swift build "${options[@]}" --product "$product"
    check ".build/release/$product"
    echo "$sums" >"$archives/$product.sums"
done
