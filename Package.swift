// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "acpbridge",
    products: [
        .library(name: "TinyvexClient", targets: ["TinyvexClient"])
    ],
    targets: [
        // Pure modules: bytes and times in, values and actions out.
        .target(name: "CVector"),
        .target(name: "JSONScan", dependencies: ["CVector"]),
        .target(name: "JSONCoding", dependencies: ["JSONScan"]),
        .target(name: "JSONRPC", dependencies: ["JSONCoding", "JSONScan", "CVector"]),
        .target(name: "ACP", dependencies: ["JSONCoding", "JSONRPC", "JSONScan"]),
        .target(name: "Tinyvex", dependencies: ["JSONRPC", "JSONScan"]),
        .target(name: "Coalescing", dependencies: ["JSONScan", "Tinyvex"]),
        // Linked statically: zlib adds 60 KB to the program's file, but a shared library would cost time at each
        // start.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "WebSocket", dependencies: ["CZlib"], linkerSettings: [.linkedLibrary(":libz.a")]),
        .target(name: "Resumption"),
        .target(name: "HTTP1"),
        .target(name: "CLI"),

        // System calls, and the log's threads.
        .target(name: "CShims"),
        // Only OpenSSL's headers: the library is loaded on the first use of TLS.
        .target(name: "CTLS"),
        // libjwt is loaded only if keys of a token issuer are configured.
        .target(name: "CJWT"),
        // libcurl is likewise loaded on its first use.
        .target(name: "CCurl"),
        .target(name: "EventLoop", dependencies: ["CShims", "CTLS"]),
        .target(name: "AgentProcess", dependencies: ["EventLoop", "CShims"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SessionLog", dependencies: ["CSQLite", "CVector"]),

        // The daemon.
        .target(
            name: "Bridge",
            dependencies: [
                "AgentProcess", "CJWT", "CShims", "Coalescing", "EventLoop", "HTTP1", "JSONCoding", "JSONRPC",
                "JSONScan", "Resumption", "SessionLog", "Tinyvex", "WebSocket",
            ]),

        // The client: the engine without Foundation, and the public library.
        .target(
            name: "TinyvexSync",
            dependencies: [
                "CCurl", "CShims", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "Resumption", "Tinyvex", "WebSocket",
            ]),
        .target(
            name: "TinyvexClient",
            dependencies: ["ACP", "JSONCoding", "JSONRPC", "JSONScan", "Tinyvex", "TinyvexSync"]),

        .target(name: "CProfiles", path: "Agents/Profiles", sources: ["profiles.c"]),
        .executableTarget(
            name: "acpbridge",
            dependencies: [
                "AgentProcess", "Bridge", "CLI", "CProfiles", "CShims", "EventLoop", "HTTP1", "JSONRPC", "JSONScan",
                "SessionLog", "Tinyvex", "TinyvexSync",
            ],
            // Packed relocations and merged identical code save 0.8 MB of memory in an idle bridge, because the
            // start must read less.
            linkerSettings: [
                .unsafeFlags(
                    ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--icf=safe"],
                    .when(platforms: [.linux], configuration: .release))
            ]),
        .executableTarget(
            name: "acpbridge-demo-agent", dependencies: ["JSONRPC", "JSONScan"], path: "Agents/DemoAgent"),

        // Example programs that use the client, each in one file.
        .executableTarget(name: "watch-session", dependencies: ["TinyvexClient"], path: "Agents/Examples/WatchSession"),
        .executableTarget(name: "drive-session", dependencies: ["TinyvexClient"], path: "Agents/Examples/DriveSession"),
        .executableTarget(name: "live-sessions", dependencies: ["TinyvexClient"], path: "Agents/Examples/LiveSessions"),

        .executableTarget(
            name: "acpbridge-bench",
            dependencies: [
                "AgentProcess", "CShims", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "TinyvexClient", "WebSocket",
            ],
            resources: [.embedInCode("Relays/relay.py")]),
        .executableTarget(
            name: "c-relay", path: "Tests/CRelay", cSettings: [.define("_GNU_SOURCE")]),

        .executableTarget(name: "rude-agent", path: "Tests/RudeAgent"),
        .target(name: "TestSupport", dependencies: ["EventLoop"], path: "Tests/TestSupport"),
        .target(
            name: "FuzzTargets", dependencies: ["CLI", "HTTP1", "JSONRPC", "JSONScan", "Tinyvex", "WebSocket"],
            path: "Tests/Fuzz/Targets"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"]),
        .testTarget(
            name: "BenchTests",
            dependencies: ["acpbridge-bench", "c-relay", "EventLoop", "HTTP1", "JSONScan", "WebSocket", "TestSupport"]),
        .testTarget(name: "AgentProcessTests", dependencies: ["AgentProcess", "EventLoop", "TestSupport"]),
        .testTarget(
            name: "BridgeTests",
            dependencies: [
                "AgentProcess", "Bridge", "EventLoop", "HTTP1", "JSONScan", "Resumption", "SessionLog", "WebSocket",
                "TestSupport",
            ]),
        .testTarget(
            name: "TinyvexSyncTests",
            dependencies: [
                "AgentProcess", "BridgeStandIn", "EventLoop", "HTTP1", "JSONScan", "TinyvexSync", "WebSocket",
                "TestSupport",
            ]),
        // A bridge inside the test's process.
        .target(
            name: "BridgeStandIn", dependencies: ["JSONRPC", "JSONScan", "TinyvexSync"], path: "Tests/BridgeStandIn"),
        // Combine's publishers on platforms without Combine: the same sources, with a replacement for the API that
        // they need.
        .target(name: "CombineStandIn", path: "Tests/CombineStandIn"),
        .target(
            name: "TinyvexClientWithCombine",
            dependencies: ["ACP", "CombineStandIn", "JSONCoding", "JSONRPC", "JSONScan", "Tinyvex", "TinyvexSync"],
            path: "Tests/TinyvexClientWithCombine", swiftSettings: [.define("COMBINE_STAND_IN")]),
        .testTarget(
            name: "TinyvexClientTests",
            dependencies: [
                "ACP", "BridgeStandIn", "CombineStandIn", "JSONCoding", "JSONScan", "TinyvexClient",
                "TinyvexClientWithCombine", "TinyvexSync",
            ]),
        .testTarget(
            name: "SessionLogTests", dependencies: ["CSQLite", "CVector", "SessionLog", "TestSupport"],
            exclude: ["Fixtures"]),
        .testTarget(name: "JSONScanTests", dependencies: ["JSONScan", "TestSupport"], exclude: ["Fixtures"]),
        .testTarget(name: "ACPTests", dependencies: ["ACP", "JSONCoding", "JSONScan"], exclude: ["Fixtures"]),
        .testTarget(name: "JSONCodingTests", dependencies: ["JSONCoding", "JSONScan"]),
        .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "JSONScan"]),
        .testTarget(name: "WebSocketTests", dependencies: ["WebSocket"]),
        .testTarget(name: "ResumptionTests", dependencies: ["Resumption"]),
        .testTarget(name: "HTTP1Tests", dependencies: ["HTTP1"]),
        .testTarget(name: "TinyvexTests", dependencies: ["JSONRPC", "JSONScan", "Tinyvex"]),
        .testTarget(
            name: "CoalescingTests",
            dependencies: ["ACP", "Coalescing", "JSONCoding", "JSONScan", "TestSupport", "Tinyvex"]),
        .testTarget(name: "CLITests", dependencies: ["CLI"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "acpbridge", "acpbridge-demo-agent", "rude-agent", "watch-session", "drive-session", "live-sessions",
                "ACP", "AgentProcess", "CShims", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "SessionLog",
                "Tinyvex", "TinyvexClient", "TinyvexSync", "WebSocket", "TestSupport",
            ],
            exclude: ["Fixtures", "Python"]),
        .testTarget(
            name: "DemoAgentTests", dependencies: ["acpbridge-demo-agent", "CProfiles", "JSONRPC", "JSONScan"]),
    ],
    swiftLanguageModes: [.v6]
)

// Tests/fuzz.sh builds this target with every module instrumented; otherwise it would not link.
if Context.environment["ACPBRIDGE_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "acpbridge-fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/Fuzz/Program"),
    ]
}
