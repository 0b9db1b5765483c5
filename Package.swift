// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "acpbridge",
    targets: [
        // Pure: bytes and times in, values and actions out.
        .target(name: "CVector"),
        .target(name: "JSONScan", dependencies: ["CVector"]),
        .target(name: "JSONRPC", dependencies: ["JSONScan", "CVector"]),
        .target(name: "Tinyvex", dependencies: ["JSONRPC", "JSONScan"]),
        .target(name: "WebSocket"),
        .target(name: "HTTP1"),
        .target(name: "CLI"),

        // System calls, and the log's threads.
        .target(name: "CShims"),
        .target(name: "EventLoop", dependencies: ["CShims"]),
        .target(name: "AgentProcess", dependencies: ["EventLoop", "CShims"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SessionLog", dependencies: ["CSQLite"]),

        // What it is all for.
        .target(
            name: "Bridge",
            dependencies: [
                "AgentProcess", "CShims", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "SessionLog", "Tinyvex", "WebSocket",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
