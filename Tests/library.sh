#!/usr/bin/env bash
# Measures what the client library adds to a program: the size of the program's file, and the time from its start to its
# end. Writes a Markdown table. The first run builds the library in release mode, which takes some minutes.
#
#     Tests/library.sh [--runs N]
#
# Four programs are compared: an empty one, one that only uses Foundation, one with TinyvexClient, and one with TinyvexHTTP.
# Those with the library make a client, subscribe and end, without a bridge. Swift's libraries are linked statically, as in
# the bridge itself. Do not use the machine meanwhile. The time is the median of N runs (default 51).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=51
while (($#)); do
    case $1 in
        --runs) runs=${2-} && shift ;;
        --runs=*) runs=${1#--runs=} ;;
        *) echo "Tests/library.sh [--runs N]" >&2 && exit 64 ;;
    esac
    shift
done
[[ $runs =~ ^[1-9][0-9]*$ ]] || { echo "Tests/library.sh: --runs must be a positive number" >&2 && exit 64; }

readonly package=.build/library-programs root=$PWD

# program NAME: writes the program's source from standard input.
program() {
    mkdir -p "$package/Sources/$1"
    cat >"$package/Sources/$1/Program.swift"
}

program empty <<'END'
@main enum Program {
    static func main() { print("empty") }
}
END

program foundation <<'END'
import Foundation

@main enum Program {
    static func main() { print(URL(string: "https://bridge.example")?.host() ?? "") }
}
END

program client <<'END'
import Foundation
import TinyvexClient

@main enum Program {
    static func main() async {
        let client = TinyvexClient(endpoint: URL(filePath: "/nonexistent/bridge.sock"))
        let rows = client.subscribe("sessions:list", as: [SessionRow].self)
        let updates = client.subscribeSessionUpdates(sessionId: "s1")
        // Not awaited: the time until a bridge answers is not the library's.
        if CommandLine.argc > 1 {
            do {
                for try await value in rows { print(value.count) }
                for try await update in updates { print(update.line) }
            } catch {
                print(error)
            }
        }
        client.close()
    }
}
END

program http <<'END'
import Foundation
import TinyvexClient
import TinyvexHTTP

@main enum Program {
    static func main() async {
        guard let endpoint = URL(string: "http://127.0.0.1:9") else { return }
        let client = TinyvexHTTPClient(endpoint: endpoint)
        if CommandLine.argc > 1 {
            do {
                print(try await client.query("sessions:list", as: [SessionRow].self).count)
                print(try await client.files.upload(contentsOf: URL(filePath: "/etc/hostname")))
            } catch {
                print(error)
            }
        }
    }
}
END

cat >"$package/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "programs",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "acpbridge", path: "$root")],
    targets: [
        .executableTarget(name: "empty"),
        .executableTarget(name: "foundation"),
        .executableTarget(
            name: "client", dependencies: [.product(name: "TinyvexClient", package: "acpbridge")]),
        .executableTarget(
            name: "http",
            dependencies: [
                .product(name: "TinyvexClient", package: "acpbridge"), .product(name: "TinyvexHTTP", package: "acpbridge"),
            ]),
    ])
END

for name in empty foundation client http; do
    swift build --package-path "$package" --configuration release --static-swift-stdlib --product "$name" >&2
done

python3 - "$runs" "$package/.build/release" <<'END'
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

runs, folder = int(sys.argv[1]), sys.argv[2]
programs = [
    ("empty", "nothing"), ("foundation", "Foundation"), ("client", "`TinyvexClient`"), ("http", "`TinyvexHTTP`"),
]


def milliseconds(path):
    start = time.perf_counter()
    subprocess.run([path], stdout=subprocess.DEVNULL, check=True)
    return 1000 * (time.perf_counter() - start)


def stripped_size(path):
    with tempfile.TemporaryDirectory() as temporary:
        copy = os.path.join(temporary, "program")
        shutil.copy(path, copy)
        subprocess.run(["strip", copy], check=True)
        return os.path.getsize(copy)


paths = {name: os.path.join(folder, name) for name, _ in programs}
times = {name: [] for name in paths}
# One run of each in turn, so that a slow moment of the machine affects all. The first round only warms the page cache.
for round in range(runs + 1):
    for name, path in paths.items():
        took = milliseconds(path)
        if round:
            times[name].append(took)

print("| a program with | file, MB | stripped, MB | start to end, ms |")
print("|---|---|---|---|")
for name, title in programs:
    size, stripped = os.path.getsize(paths[name]) / 1e6, stripped_size(paths[name]) / 1e6
    print(f"| {title} | {size:.1f} | {stripped:.1f} | {statistics.median(times[name]):.1f} |")
END
