// swift-tools-version: 6.2
import PackageDescription

/// Makes library calls of C code check the sizes of their buffers. Sources/build.sh does not set this flag, because
/// Swift's importer would then also read the headers with it.
let fortified: [CSetting] = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

let package = Package(
    name: "acpbridge",
    products: [
        .library(name: "TinyvexClient", targets: ["TinyvexClient"])
    ],
    targets: [
        // Pure modules: bytes and times in, values and actions out.
        .target(name: "CVector", cSettings: fortified),
        .target(name: "JSONScan", dependencies: ["CVector"]),
        .target(name: "JSONCoding", dependencies: ["JSONScan"]),
        .target(name: "JSONRPC", dependencies: ["JSONCoding", "JSONScan", "CVector"]),
        .target(name: "ACP", dependencies: ["JSONCoding", "JSONRPC", "JSONScan"]),
        .target(name: "Tinyvex", dependencies: ["JSONRPC", "JSONScan"]),
        .target(name: "Coalescing", dependencies: ["JSONScan", "Tinyvex"]),
        // zlib is linked statically. It adds 60 KB to the program's file, but a shared library would take time at each
        // start.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "WebSocket", dependencies: ["CVector", "CZlib"], linkerSettings: [.linkedLibrary(":libz.a")]),
        .target(name: "FieldLimits"),
        .target(name: "Resumption"),
        .target(name: "HTTP1"),
        .target(name: "CLI"),
        .target(name: "TerminalText"),
        .target(name: "SessionText", dependencies: ["JSONScan", "TerminalText", "Tinyvex"]),

        // Opens libraries at run time.
        .target(name: "CLibrary", cSettings: fortified),
        // Provides system calls, and the log's threads.
        .target(name: "CShims", cSettings: fortified),
        // Uses only OpenSSL's headers. The library is loaded on the first use of TLS.
        .target(name: "CTLS", dependencies: ["CLibrary"], cSettings: fortified),
        // libjwt is loaded only if keys of a token issuer are configured.
        .target(name: "CJWT", dependencies: ["CLibrary"], cSettings: fortified),
        // libcurl is likewise loaded on its first use.
        .target(name: "CCurl", dependencies: ["CLibrary"], cSettings: fortified),
        .target(name: "Posix", dependencies: ["CShims"]),
        .target(name: "EventLoop", dependencies: ["CShims", "CTLS", "Posix"]),
        .target(name: "AgentProcess", dependencies: ["CShims", "EventLoop", "Posix"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SessionLog", dependencies: ["CSQLite", "CShims", "CVector", "FieldLimits"]),

        // The daemon, from the bottom up: each target depends only on those above it.
        .target(name: "ACPRouting", dependencies: ["FieldLimits", "JSONRPC", "JSONScan"]),
        .target(
            name: "Access",
            dependencies: [
                "CJWT", "EventLoop", "HTTP1", "JSONScan", "Posix", "SessionLog", "Tinyvex",
            ]),
        .target(
            name: "Connections", dependencies: ["Access", "Coalescing", "EventLoop", "Posix", "WebSocket"]),
        .target(
            name: "SessionStreams",
            dependencies: [
                "ACPRouting", "Access", "Coalescing", "Connections", "EventLoop", "FieldLimits", "JSONRPC", "JSONScan",
                "Posix", "SessionLog", "Tinyvex", "WebSocket",
            ]),
        .target(
            name: "Agents",
            dependencies: [
                "ACPRouting", "Access", "AgentProcess", "EventLoop", "FieldLimits", "JSONRPC", "JSONScan", "Posix",
                "SessionLog", "SessionStreams", "Tinyvex",
            ]),
        .target(
            name: "Functions",
            dependencies: [
                "ACPRouting", "Access", "Agents", "Connections", "EventLoop", "JSONRPC", "JSONScan", "Posix",
                "SessionLog", "SessionStreams", "SessionText", "TerminalText", "Tinyvex", "WebSocket",
            ]),
        .target(
            name: "Clients",
            dependencies: [
                "ACPRouting", "Access", "AgentProcess", "Agents", "Connections", "EventLoop", "Functions", "HTTP1",
                "JSONRPC", "JSONScan", "Posix", "Resumption", "SessionLog", "SessionStreams", "Tinyvex", "WebSocket",
            ]),
        .target(
            name: "Bridge",
            dependencies: [
                "Access", "AgentProcess", "Agents", "CShims", "Clients", "Connections", "EventLoop", "Functions",
                "HTTP1", "JSONCoding", "JSONRPC", "JSONScan", "Posix", "Resumption", "SessionLog", "SessionStreams",
                "Tinyvex", "WebSocket",
            ]),

        // The client: the engine without Foundation, and the public library.
        .target(
            name: "TinyvexSync",
            dependencies: [
                "CCurl", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "Posix", "Resumption", "Tinyvex", "WebSocket",
            ]),
        .target(
            name: "TinyvexClient",
            dependencies: ["ACP", "JSONCoding", "JSONRPC", "JSONScan", "Tinyvex", "TinyvexSync"]),

        .target(name: "CProfiles", path: "Agents/Profiles", sources: ["profiles.c"]),
        .executableTarget(
            name: "acpbridge",
            dependencies: [
                "Access", "AgentProcess", "Agents", "Bridge", "CLI", "CProfiles", "CShims", "Clients", "EventLoop",
                "Functions", "HTTP1", "JSONRPC", "JSONScan", "Posix", "SessionLog", "SessionText", "TerminalText",
                "Tinyvex", "TinyvexSync",
            ],
            // Packed relocations and merged identical code save 0.8 MB of memory in an idle bridge, because
            // less is read at the start.
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
                "AgentProcess", "CShims", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "Posix", "TinyvexClient",
                "WebSocket",
            ],
            resources: [.embedInCode("Relays/relay.py")]),
        .executableTarget(
            name: "c-relay", path: "Tests/CRelay", cSettings: [.define("_GNU_SOURCE")]),

        .executableTarget(name: "rude-agent", path: "Tests/RudeAgent"),
        .target(name: "TestSupport", dependencies: ["EventLoop", "Posix"], path: "Tests/TestSupport"),
        .target(
            name: "FuzzTargets", dependencies: ["CLI", "HTTP1", "JSONRPC", "JSONScan", "Tinyvex", "WebSocket"],
            path: "Tests/Fuzz/Targets"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "Posix", "TestSupport"]),
        .testTarget(
            name: "BenchTests",
            dependencies: [
                "EventLoop", "HTTP1", "JSONScan", "Posix", "TestSupport", "WebSocket", "acpbridge-bench", "c-relay",
            ]),
        .testTarget(name: "AgentProcessTests", dependencies: ["AgentProcess", "EventLoop", "Posix", "TestSupport"]),
        .testTarget(
            name: "BridgeTests",
            dependencies: [
                "ACPRouting", "Access", "AgentProcess", "Agents", "Bridge", "Clients", "Connections", "EventLoop",
                "FieldLimits", "Functions", "HTTP1", "JSONRPC", "JSONScan", "Posix", "Resumption", "SessionLog",
                "SessionStreams", "TestSupport", "Tinyvex", "WebSocket",
            ]),
        .testTarget(
            name: "TinyvexSyncTests",
            dependencies: [
                "AgentProcess", "BridgeStandIn", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "Posix", "TestSupport",
                "TinyvexSync", "WebSocket",
            ]),
        // Runs a bridge inside the test's process.
        .target(
            name: "BridgeStandIn", dependencies: ["JSONRPC", "JSONScan", "TinyvexSync"], path: "Tests/BridgeStandIn"),
        // Provides Combine's publishers on platforms without Combine. The same sources are built with a replacement for
        // the API that they need.
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
            name: "SessionLogTests",
            dependencies: [
                "CSQLite", "CVector", "FieldLimits", "Posix", "SessionLog", "TestSupport",
            ],
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
            dependencies: [
                "ACP", "Coalescing", "JSONCoding", "JSONScan", "TestSupport", "Tinyvex",
            ]),
        .testTarget(name: "CLITests", dependencies: ["CLI"]),
        .testTarget(name: "TerminalTextTests", dependencies: ["TerminalText"]),
        .testTarget(name: "SessionTextTests", dependencies: ["JSONScan", "SessionText", "TerminalText", "Tinyvex"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ACP", "AgentProcess", "CShims", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "Posix", "SessionLog",
                "TestSupport", "Tinyvex", "TinyvexClient", "WebSocket", "acpbridge", "acpbridge-demo-agent",
                "drive-session", "live-sessions", "rude-agent", "watch-session",
            ],
            exclude: ["Fixtures", "Python"]),
        .testTarget(
            name: "DemoAgentTests", dependencies: ["acpbridge-demo-agent", "CProfiles", "JSONRPC", "JSONScan"]),
    ],
    swiftLanguageModes: [.v6]
)

// Only Tests/fuzz.sh builds this target, with every module instrumented. Without instrumentation the target would
// not link.
if Context.environment["ACPBRIDGE_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "acpbridge-fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/Fuzz/Program"),
    ]
}
