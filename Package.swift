// swift-tools-version: 6.2
import PackageDescription

/// Makes library calls of C code check the sizes of their buffers. Sources/build.sh does not set this flag, because
/// Swift's importer would then also read the headers with it.
let fortified: [CSetting] = [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

let package = Package(
    name: "acpbridge",
    // The oldest systems with the standard library's Mutex and typed errors of AsyncSequence. watchOS is not listed: its
    // `Int` can have 32 bits, and it restricts WebSockets.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "TinyvexClient", targets: ["TinyvexClient"]),
        .library(name: "TinyvexHTTP", targets: ["TinyvexHTTP"]),
        .library(name: "ConvexCompatibility", targets: ["ConvexCompatibility"]),
    ],
    targets: [
        // Pure modules: bytes and times in, values and actions out.
        .target(name: "CVector", cSettings: fortified),
        .target(name: "MemoryChecks", dependencies: ["CVector"]),
        .target(name: "JSONScan", dependencies: ["CVector"]),
        .target(name: "JSONCoding", dependencies: ["JSONScan"]),
        .target(name: "JSONRPC", dependencies: ["CVector", "JSONCoding", "JSONScan", "MemoryChecks"]),
        // The names of the Agent Client Protocol's methods; the daemon and the client need no more of it.
        .target(name: "ACPMethods"),
        // The protocol's types. Programs import `ACP`, which re-exports the other modules.
        .target(name: "ACPBase", dependencies: ["ACPMethods", "JSONCoding", "JSONRPC"]),
        .target(name: "ACPSessions", dependencies: ["ACPBase", "ACPMethods", "JSONCoding"]),
        .target(name: "ACPClientServices", dependencies: ["ACPBase", "ACPMethods", "ACPSessions", "JSONCoding"]),
        .target(name: "ACPNextEdits", dependencies: ["ACPBase", "ACPMethods", "JSONCoding"]),
        .target(name: "ACPConnection", dependencies: ["ACPBase", "ACPMethods", "ACPNextEdits", "JSONCoding"]),
        // The types of version 2 that differ from those of version 1.
        .target(
            name: "ACPVersion2",
            dependencies: [
                "ACPBase", "ACPClientServices", "ACPConnection", "ACPMethods", "ACPSessions", "JSONCoding", "JSONScan",
            ]),
        .target(
            name: "ACP",
            dependencies: [
                "ACPBase", "ACPClientServices", "ACPConnection", "ACPMethods", "ACPNextEdits", "ACPSessions",
                "ACPVersion2", "JSONCoding",
            ]),
        .target(name: "Hashing"),
        .target(name: "Tinyvex", dependencies: ["Hashing", "JSONRPC", "JSONScan"]),
        .target(name: "Coalescing", dependencies: ["JSONScan", "Tinyvex"]),
        // zlib is linked statically. It adds 60 KB to the program's file, but a shared library would take time at each
        // start.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "WebSocket", dependencies: ["CZlib", "HTTPTokens", "MemoryChecks"],
            linkerSettings: [.linkedLibrary(":libz.a")]),
        // The web page. Its files are built from Sources/Page/web by Sources/Page/build.sh.
        .target(name: "CPage", exclude: ["served"]),
        .target(
            name: "Page", dependencies: ["CPage", "CZlib", "Hashing"],
            exclude: ["README.md", "build.sh", "screenshot.png", "web"],
            linkerSettings: [.linkedLibrary(":libz.a")]),
        // Pure: a turn's spans from the session's timeline, and OpenTelemetry's protocol.
        .target(name: "Tracing", dependencies: ["HTTPTokens", "JSONScan"]),
        .target(name: "FieldLimits"),
        // Pure: histograms and counters, and Prometheus' text format.
        .target(name: "Metrics", dependencies: ["JSONScan"]),
        .target(name: "Resumption"),
        .target(name: "HTTPTokens"),
        .target(name: "HTTP1", dependencies: ["HTTPTokens"]),
        .target(name: "ProductVersion"),
        // Pure. The standard library's own search for a text needs its module for regular expressions.
        .target(name: "TextSearch"),
        .target(name: "ArgumentParsing"),
        // Pure: addresses as users write them.
        .target(name: "NetworkArguments", dependencies: ["ArgumentParsing", "TextSearch"]),
        // Pure: the parsed command lines, a type of options for each command.
        .target(name: "Invocations", dependencies: ["ArgumentParsing", "NetworkArguments", "TextSearch"]),
        .target(name: "CLI", dependencies: ["ArgumentParsing", "Invocations", "TextSearch"]),
        // Rules that answer permission requests.
        .target(name: "PermissionRules", dependencies: ["JSONScan"]),
        // The settings of a bridge, from its configuration file, the environment and the command line.
        .target(
            name: "BridgeSettings",
            dependencies: ["ArgumentParsing", "CLI", "Invocations", "JSONScan", "PermissionRules", "TextSearch"]),
        .target(name: "TerminalText"),
        .target(name: "SessionText", dependencies: ["Hashing", "JSONScan", "TerminalText", "TextSearch", "Tinyvex"]),
        // Files of a session: the formats of an export, hidden secrets, the lines of an import.
        .target(
            name: "SessionExport",
            dependencies: [
                "FieldLimits", "JSONScan", "SessionRecords", "SessionText", "TerminalText", "TextSearch", "Tinyvex",
            ]),
        .target(name: "AgentQuestions", dependencies: ["JSONScan", "SessionText", "TerminalText"]),

        // Opens libraries at run time.
        .target(name: "CLibrary", cSettings: fortified),
        // Provides system calls.
        .target(name: "CShims", cSettings: fortified),
        // Uses only OpenSSL's headers. The library is loaded on the first use of TLS.
        .target(name: "CTLS", dependencies: ["CLibrary"], cSettings: fortified),
        // libjwt is loaded only if keys of a token issuer are configured.
        .target(name: "CJWT", dependencies: ["CLibrary"], cSettings: fortified),
        // The cryptography of notifications. libcrypto is loaded on its first use.
        .target(name: "CCrypto", dependencies: ["CLibrary"], cSettings: fortified),
        // libqrencode is loaded only to show a QR code.
        .target(name: "CQRCode", dependencies: ["CLibrary"], cSettings: fortified),
        // libpq is loaded only by a bridge with a hub, and by the commands for hubs.
        .target(name: "CPostgres", dependencies: ["CLibrary"], cSettings: fortified),
        // libcurl is likewise loaded on its first use.
        .target(name: "CCurl", dependencies: ["CLibrary"], cSettings: fortified),
        .target(name: "Posix", dependencies: ["CShims"]),
        // A connection to PostgreSQL; nothing about sessions.
        .target(name: "Postgres", dependencies: ["CPostgres", "Posix"]),
        .target(name: "PushCrypto", dependencies: ["CCrypto", "JSONScan", "Posix"]),
        // Pure: which notifications are sent, when, and as what.
        .target(
            name: "Notifications",
            dependencies: ["FieldLimits", "Hashing", "JSONCoding", "JSONScan", "PushCrypto", "TerminalText", "Tinyvex"]),
        // The daemon's own log, not the log of its sessions.
        .target(name: "Diagnostics", dependencies: ["JSONScan", "Posix", "TerminalText", "Tinyvex"]),
        .target(name: "EventLoop", dependencies: ["CShims", "CTLS", "Posix"]),
        .target(name: "AgentProcess", dependencies: ["CShims", "EventLoop", "Posix"]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // The session log, from the bottom up.
        .target(name: "SQLite", dependencies: ["CSQLite"]),
        .target(name: "SessionRecords", dependencies: ["CSQLite", "FieldLimits", "SQLite"]),
        .target(
            name: "SessionStore",
            dependencies: [
                "CShims", "CVector", "Diagnostics", "FieldLimits", "MemoryChecks", "Posix", "SQLite", "SessionRecords",
            ]),
        // What a PostgreSQL database that several bridges share holds of their logs. Nothing here has a thread.
        .target(
            name: "Hub",
            dependencies: ["CVector", "FieldLimits", "JSONScan", "Postgres", "SessionRecords", "TextSearch"]),
        // Pure: requests of one bridge to read another one's log, and their answers.
        .target(name: "Peers", dependencies: ["FieldLimits", "JSONScan", "SessionRecords", "TextSearch", "Tinyvex"]),
        .target(
            name: "SessionLog", dependencies: ["CShims", "Diagnostics", "Posix", "SessionRecords", "SessionStore"]),
        // The full-text index of the log's sessions, in a file of its own.
        .target(
            name: "SessionSearch",
            dependencies: ["CSQLite", "Hashing", "JSONScan", "Posix", "SQLite", "SessionRecords", "Tinyvex"]),

        // The daemon, from the bottom up.
        // Sends requests to servers, on threads of its own.
        .target(name: "OutgoingHTTP", dependencies: ["CCurl", "EventLoop", "Posix"]),
        // Key sets of token issuers, which it fetches and keeps current.
        .target(name: "JSONWebKeys", dependencies: ["EventLoop", "JSONScan", "OutgoingHTTP", "Posix"]),
        .target(name: "ACPRouting", dependencies: ["ACPMethods", "FieldLimits", "JSONRPC", "JSONScan"]),
        .target(
            name: "Access",
            dependencies: [
                "CJWT", "EventLoop", "FieldLimits", "HTTP1", "Hashing", "JSONScan", "JSONWebKeys", "Posix",
                "TextSearch", "Tinyvex",
            ]),
        .target(
            name: "Connections",
            dependencies: [
                "Access", "Coalescing", "Diagnostics", "EventLoop", "Posix", "WebSocket",
            ]),
        // Pure: which updates an agent repeats when it loads a session.
        .target(name: "SessionReplay", dependencies: ["ACPRouting", "JSONScan", "SessionRecords", "Tinyvex"]),
        // The log as the loop uses it: requests with actions for the answers.
        .target(
            name: "LogAccess",
            dependencies: ["Diagnostics", "EventLoop", "Posix", "SessionLog", "SessionRecords"]),
        .target(
            name: "SessionStreams",
            dependencies: [
                "ACPRouting", "Access", "Coalescing", "Connections", "Diagnostics", "EventLoop", "FieldLimits",
                "JSONScan", "LogAccess", "MemoryChecks", "Metrics", "Posix", "SessionLog", "SessionRecords",
                "SessionReplay", "Tinyvex", "WebSocket",
            ]),
        // The record of an agent's messages in a file, on a thread of its own.
        .target(
            name: "WireLogging",
            dependencies: ["Diagnostics", "JSONRPC", "JSONScan", "Posix", "SessionExport", "Tinyvex"]),
        // Pipes that are read and written with back-pressure, and lines that go between another party's lines.
        .target(name: "Pipes", dependencies: ["EventLoop", "JSONRPC", "MemoryChecks", "Posix"]),
        .target(
            name: "Agents",
            dependencies: [
                "ACPMethods", "ACPRouting", "Access", "AgentProcess", "Diagnostics", "EventLoop", "FieldLimits",
                "JSONRPC", "JSONScan", "PermissionRules", "Pipes", "Posix", "ProductVersion", "SessionRecords",
                "SessionStreams", "TextSearch", "Tinyvex", "WireLogging",
            ]),
        // Begins and continues sessions without an editor, for clients that do not speak ACP.
        .target(
            name: "SessionStarts",
            dependencies: [
                "ACPMethods", "ACPRouting", "Access", "Agents", "EventLoop", "FieldLimits", "JSONScan",
                "ProductVersion",
                "SessionStreams", "Tinyvex",
            ]),
        // Pure: what a session's updates add up to.
        .target(
            name: "SessionFolding",
            dependencies: [
                "ACPRouting", "JSONScan", "SessionRecords", "SessionText", "Tinyvex",
            ]),
        // The search index that follows the log, on a thread of its own.
        .target(
            name: "Searching",
            dependencies: [
                "ACPRouting", "Diagnostics", "EventLoop", "Hub", "JSONScan", "LogAccess", "Posix", "SQLite",
                "SessionRecords", "SessionSearch", "SessionStreams", "Tinyvex",
            ]),
        // Files that clients upload, on a thread of their own.
        .target(
            name: "FileStore",
            dependencies: [
                "Diagnostics", "EventLoop", "HTTPTokens", "Hashing", "JSONScan", "Posix", "TextSearch", "Tinyvex",
            ]),
        .target(
            name: "LiveQueries",
            dependencies: ["Connections", "EventLoop", "JSONScan", "Posix", "Tinyvex", "WebSocket"]),
        .target(
            name: "LogRetention", dependencies: ["EventLoop", "Posix", "SessionRecords", "SessionStreams"]),
        .target(
            name: "Functions",
            dependencies: [
                "ACPRouting", "Access", "Agents", "Diagnostics", "EventLoop", "FileStore", "JSONRPC", "JSONScan",
                "LiveQueries", "LogAccess", "Peers", "Posix", "Searching", "SessionExport", "SessionFolding",
                "SessionRecords", "SessionStarts", "SessionStreams", "SessionText", "TextSearch", "Tinyvex",
            ]),
        // Ships the log to a hub, and shows the sessions of its other bridges.
        .target(
            name: "HubSharing",
            dependencies: [
                "Diagnostics", "EventLoop", "Functions", "Hub", "JSONScan", "LiveQueries", "LogAccess", "Posix",
                "Postgres", "SQLite", "SessionRecords", "SessionSearch", "SessionStreams", "Tinyvex",
            ]),
        .target(
            name: "PeerSharing",
            dependencies: [
                "ACPRouting", "Access", "Diagnostics", "EventLoop", "FieldLimits", "Functions", "Hashing", "JSONRPC",
                "JSONScan",
                "LiveQueries", "LogAccess", "Peers", "Posix", "SessionRecords", "SessionStreams", "TextSearch",
                "Tinyvex", "TinyvexMachine", "TinyvexSockets", "TinyvexSync", "TinyvexTransport",
            ]),
        .target(
            name: "Clients",
            dependencies: [
                "ACPMethods", "ACPRouting", "Access", "AgentProcess", "Agents", "Connections", "Diagnostics",
                "EventLoop", "Functions", "HTTP1", "JSONRPC", "JSONScan", "LiveQueries", "Pipes", "Posix",
                "Resumption", "SessionRecords", "SessionReplay", "SessionStreams", "Tinyvex", "WebSocket",
            ]),
        // Sends notifications.
        .target(
            name: "NotificationDelivery",
            dependencies: [
                "AgentProcess", "Diagnostics", "EventLoop", "JSONScan", "Notifications", "OutgoingHTTP", "Posix",
                "PushCrypto", "Tinyvex",
            ]),
        // Sends the spans of turns to a collector.
        .target(
            name: "TraceDelivery",
            dependencies: [
                "Diagnostics", "EventLoop", "OutgoingHTTP", "Posix", "SessionRecords", "SessionStreams", "Tracing",
            ]),
        // Connections to the bridge before they have another protocol: requests over HTTP, and the page.
        .target(
            name: "HTTPServing",
            dependencies: [
                "Access", "Agents", "Clients", "Connections", "Diagnostics", "EventLoop", "FileStore", "Functions",
                "HTTP1", "JSONRPC", "JSONScan", "NotificationDelivery", "Notifications", "Page", "Posix", "Resumption",
                "Tinyvex", "WebSocket",
            ]),
        .target(
            name: "Bridge",
            dependencies: [
                "ACPRouting", "Access", "AgentProcess", "Agents", "CShims", "Clients", "Connections", "Diagnostics",
                "EventLoop", "FileStore", "Functions", "HTTPServing", "Hub", "HubSharing", "JSONCoding", "JSONScan",
                "JSONWebKeys", "LiveQueries", "LogAccess", "LogRetention", "Metrics", "NotificationDelivery",
                "Notifications",
                "PeerSharing", "PermissionRules", "Posix", "Searching", "SessionLog", "SessionRecords", "SessionStore",
                "SessionStreams", "Tinyvex", "TraceDelivery", "WebSocket",
            ]),

        // The client, from the bottom up. The first four targets call no system function, so they build
        // on every platform.
        .target(name: "TinyvexTransport"),
        .target(name: "RemoteAgent", dependencies: ["JSONRPC", "JSONScan", "Resumption", "TinyvexTransport"]),
        .target(
            name: "TinyvexMachine",
            dependencies: ["ACPMethods", "JSONRPC", "JSONScan", "TextSearch", "Tinyvex", "TinyvexTransport"]),
        .target(
            name: "TinyvexSync",
            dependencies: ["ACPMethods", "JSONRPC", "JSONScan", "Tinyvex", "TinyvexMachine", "TinyvexTransport"]),
        // Exists only on Linux; see `portableTargets`.
        .target(
            name: "TinyvexSockets",
            dependencies: [
                "CCurl", "EventLoop", "HTTP1", "Posix", "TinyvexMachine", "TinyvexSync", "TinyvexTransport",
                "WebSocket",
            ]),
        // The public library.
        .target(
            name: "TinyvexClient",
            dependencies: [
                "ACP", "ACPMethods", "JSONCoding", "JSONRPC", "JSONScan", "ProductVersion", "Tinyvex", "TinyvexMachine",
                "TinyvexSync",
                "TinyvexTransport",
            ]),

        // The client without an open connection. Not part of `TinyvexClient`, because FoundationNetworking adds 29 MB to
        // a program on Linux.
        .target(name: "TinyvexHTTP", dependencies: ["JSONScan", "TinyvexClient", "TinyvexTransport"]),
        // The library with the names of Convex's Swift clients.
        .target(name: "ConvexCompatibility", dependencies: ["TinyvexClient"]),

        .target(name: "CProfiles", path: "Agents/Profiles", sources: ["profiles.c"]),
        // The parts of the program acpbridge, from the bottom up: each target depends only on those above it.
        .target(name: "TerminalIO", dependencies: ["CShims", "Posix", "TerminalText", "TextSearch", "TinyvexSockets"]),
        .target(name: "CommandContext", dependencies: ["AgentProcess", "Bridge", "Posix", "TerminalText"]),
        .target(
            name: "LocalBridge",
            dependencies: [
                "AgentProcess", "Agents", "ArgumentParsing", "Bridge", "CProfiles", "CommandContext", "EventLoop",
                "JSONScan", "Posix",
            ]),
        .target(
            name: "BridgeRequests",
            dependencies: [
                "Access", "CommandContext", "Invocations", "JSONScan", "LocalBridge", "Posix", "ProductVersion",
                "SessionRecords", "TerminalIO", "TerminalText", "Tinyvex", "TinyvexMachine", "TinyvexSockets",
                "TinyvexSync", "TinyvexTransport",
            ]),
        .target(
            name: "SessionOutput",
            dependencies: [
                "BridgeRequests", "Invocations", "JSONScan", "Posix", "SessionRecords", "SessionText", "TerminalIO",
                "TerminalText", "Tinyvex", "TinyvexMachine", "TinyvexSync", "TinyvexTransport",
            ]),
        .target(
            name: "TerminalEditing",
            dependencies: [
                "AgentQuestions", "BridgeRequests", "Invocations", "JSONRPC", "JSONScan", "Posix", "SessionOutput",
                "SessionText", "TerminalIO", "TerminalText", "TinyvexMachine", "TinyvexSync",
            ]),
        .target(
            name: "EditorShims",
            dependencies: [
                "AgentProcess", "Agents", "BridgeRequests", "Clients", "CommandContext", "EventLoop", "HTTP1",
                "Invocations", "JSONRPC", "LocalBridge", "Posix", "RemoteAgent", "TerminalIO", "TerminalText",
                "TinyvexSockets", "TinyvexSync", "TinyvexTransport", "WireLogging",
            ]),
        .target(
            name: "DaemonCommands",
            dependencies: [
                "Access", "AgentProcess", "Agents", "ArgumentParsing", "Bridge", "BridgeRequests", "BridgeSettings",
                "CLI", "CShims", "CommandContext", "Diagnostics", "EventLoop", "Hub", "HubSharing", "Invocations",
                "JSONScan",
                "LocalBridge", "LogRetention", "NotificationDelivery", "Notifications", "PeerSharing",
                "PermissionRules",
                "Posix", "Postgres", "ProductVersion", "SessionRecords", "SessionStore", "TerminalIO", "TerminalText",
                "TextSearch", "TinyvexTransport", "TraceDelivery", "Tracing",
            ]),
        // What an editor's settings need for an agent under the bridge, and their file.
        .target(name: "EditorSetup", dependencies: ["BridgeSettings", "CommandContext", "Invocations", "Posix"]),
        // The way to the bridge's page: its address, QR codes.
        .target(name: "PageAccess", dependencies: ["CQRCode", "TerminalText"]),
        .target(
            name: "ExportCommands",
            dependencies: [
                "BridgeRequests", "CommandContext", "Invocations", "JSONScan", "Posix", "SessionExport", "SessionText",
                "TerminalIO", "TerminalText", "Tinyvex",
            ]),
        .target(
            name: "ReportCommands",
            dependencies: [
                "ACPRouting", "BridgeRequests", "CommandContext", "Invocations", "JSONScan", "Posix", "TerminalIO",
                "TerminalText", "Tinyvex",
            ]),
        .target(
            name: "ClientCommands",
            dependencies: [
                "ACPMethods", "ACPRouting", "Access", "AgentProcess", "AgentQuestions", "Agents", "BridgeRequests",
                "BridgeSettings", "CommandContext", "EditorSetup", "EventLoop", "Invocations", "JSONRPC", "JSONScan",
                "LocalBridge", "PageAccess", "Posix", "ProductVersion", "SessionOutput", "SessionRecords",
                "SessionText", "TerminalEditing", "TerminalIO", "TerminalText", "TextSearch", "Tinyvex", "TinyvexSync",
            ]),
        .executableTarget(
            name: "acpbridge",
            dependencies: [
                "AgentProcess", "ArgumentParsing", "CLI", "CShims", "ClientCommands", "CommandContext",
                "DaemonCommands", "EditorShims", "ExportCommands", "Invocations", "ProductVersion", "ReportCommands",
                "TerminalIO", "TerminalText",
            ],
            // Packed relocations and merged identical code save 0.8 MB of memory in an idle bridge, because
            // less is read at the start.
            linkerSettings: [
                .unsafeFlags(
                    ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--icf=safe"],
                    .when(platforms: [.linux], configuration: .release))
            ]),
        .target(name: "DemoPrompts", path: "Agents/DemoPrompts"),
        .executableTarget(
            name: "acpbridge-demo-agent", dependencies: ["DemoPrompts", "JSONRPC", "JSONScan"],
            path: "Agents/DemoAgent"),

        // Example programs that use the client, each in one file.
        .executableTarget(name: "watch-session", dependencies: ["TinyvexClient"], path: "Agents/Examples/WatchSession"),
        .executableTarget(name: "drive-session", dependencies: ["TinyvexClient"], path: "Agents/Examples/DriveSession"),
        .executableTarget(
            name: "answer-requests", dependencies: ["TinyvexClient"], path: "Agents/Examples/AnswerRequests"),
        .executableTarget(name: "live-sessions", dependencies: ["TinyvexClient"], path: "Agents/Examples/LiveSessions"),

        // An app for Apple's platforms. Here it is only type-checked, against a stand-in for SwiftUI.
        .target(name: "SwiftUIStandIn", path: "Tests/SwiftUIStandIn"),
        .target(
            name: "SessionsApp", dependencies: ["SwiftUIStandIn", "TinyvexClient"],
            path: "Agents/Examples/SessionsApp"),

        // The benchmark, from the bottom up.
        .target(
            name: "BenchMeasuring",
            dependencies: ["AgentProcess", "CShims", "EventLoop", "JSONRPC", "Posix"],
            path: "Tests/Bench/Measuring"),
        .target(
            name: "BenchLoad",
            dependencies: [
                "BenchMeasuring", "EventLoop", "JSONRPC", "JSONScan", "Posix", "TinyvexClient",
            ],
            path: "Tests/Bench/Load"),
        .target(
            name: "BenchSystems",
            dependencies: [
                "AgentProcess", "BenchLoad", "BenchMeasuring", "EventLoop", "HTTP1", "JSONRPC", "JSONScan", "Posix",
                "WebSocket",
            ],
            path: "Tests/Bench/Systems",
            resources: [.embedInCode("Relays/relay.py")]),
        .target(
            name: "BenchEcho",
            dependencies: [
                "BenchMeasuring", "EventLoop", "HTTP1", "Posix", "WebSocket",
            ],
            path: "Tests/Bench/Echo"),
        .executableTarget(
            name: "acpbridge-bench",
            dependencies: [
                "BenchEcho", "BenchLoad", "BenchMeasuring", "BenchSystems", "EventLoop", "JSONScan", "Posix",
            ],
            path: "Tests/Bench/Program"),
        .executableTarget(
            name: "c-relay", path: "Tests/CRelay", cSettings: [.define("_GNU_SOURCE")]),

        .executableTarget(name: "rude-agent", path: "Tests/RudeAgent"),
        .target(name: "TestSupport", dependencies: ["EventLoop", "Posix", "WebSocket"], path: "Tests/TestSupport"),
        .target(
            name: "FuzzTargets",
            dependencies: ["ArgumentParsing", "CLI", "HTTP1", "JSONRPC", "JSONScan", "Tinyvex", "WebSocket"],
            path: "Tests/Fuzz/Targets"),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"]),
        .testTarget(
            name: "EventLoopTests",
            dependencies: ["EventLoop", "Posix", "TestSupport"]),
        .testTarget(
            name: "BenchTests",
            dependencies: [
                "BenchEcho", "BenchLoad", "BenchMeasuring", "BenchSystems", "EventLoop", "HTTP1", "JSONScan", "Posix",
                "TestSupport", "WebSocket", "acpbridge-bench", "c-relay",
            ]),
        .testTarget(name: "AgentProcessTests", dependencies: ["AgentProcess", "EventLoop", "Posix", "TestSupport"]),
        .testTarget(
            name: "ACPRoutingTests",
            dependencies: ["ACPMethods", "ACPRouting", "JSONCoding", "JSONRPC", "JSONScan"]),
        .testTarget(name: "JSONWebKeysTests", dependencies: ["JSONWebKeys", "Posix", "TestSupport"]),
        .testTarget(
            name: "AccessTests",
            dependencies: [
                "Access", "EventLoop", "HTTP1", "Hashing", "JSONScan", "JSONWebKeys", "Posix", "TestSupport",
                "Tinyvex",
            ]),
        .testTarget(
            name: "ConnectionsTests",
            dependencies: [
                "Access", "Connections", "EventLoop", "Posix", "TestSupport", "WebSocket",
            ]),
        .testTarget(
            name: "SessionStreamsTests",
            dependencies: [
                "ACPRouting", "Access", "Coalescing", "Connections", "EventLoop", "JSONCoding", "JSONScan",
                "LogAccess", "Posix", "SQLite", "SessionLog", "SessionRecords", "SessionStreams", "TestSupport",
                "Tinyvex", "WebSocket",
            ]),
        .testTarget(
            name: "WireLoggingTests", dependencies: ["JSONScan", "Posix", "TestSupport", "WireLogging"]),
        .testTarget(name: "PipesTests", dependencies: ["EventLoop", "JSONRPC", "Pipes", "Posix", "TestSupport"]),
        .testTarget(
            name: "AgentsTests",
            dependencies: [
                "ACPRouting", "Access", "AgentProcess", "Agents", "EventLoop", "JSONCoding", "JSONRPC", "JSONScan",
                "LogAccess", "PermissionRules", "Pipes", "Posix", "ProductVersion", "SessionRecords", "SessionStreams",
                "TestSupport", "Tinyvex", "WireLogging",
            ]),
        .testTarget(
            name: "SessionFoldingTests",
            dependencies: ["ACPRouting", "JSONScan", "SessionFolding", "SessionRecords"]),
        .testTarget(
            name: "LogAccessTests", dependencies: ["EventLoop", "LogAccess", "SessionRecords", "TestSupport"]),
        .testTarget(
            name: "LiveQueriesTests",
            dependencies: [
                "Connections", "EventLoop", "JSONScan", "LiveQueries", "Posix", "TestSupport", "Tinyvex",
                "WebSocket",
            ]),
        .testTarget(
            name: "FunctionsTests",
            dependencies: [
                "ACPRouting", "Access", "Agents", "Connections", "EventLoop", "FieldLimits", "Functions", "JSONRPC",
                "JSONScan", "LiveQueries", "LogAccess", "LogRetention", "Peers", "Posix", "SessionFolding",
                "SessionRecords", "SessionStreams", "TestSupport", "Tinyvex", "WebSocket",
            ]),
        .testTarget(
            name: "ClientsTests",
            dependencies: [
                "ACPRouting", "Access", "AgentProcess", "Agents", "Clients", "Connections", "EventLoop", "FileStore",
                "Functions", "JSONRPC", "JSONScan", "LogAccess", "Posix", "Resumption", "SessionRecords",
                "SessionStreams", "TestSupport", "Tinyvex", "WebSocket",
            ]),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: [
                "Access", "Agents", "EventLoop", "HTTP1", "HTTPServing", "JSONScan", "Page", "Tinyvex",
            ]),
        .testTarget(
            name: "BridgeTests",
            dependencies: [
                "Access", "AgentProcess", "Agents", "Bridge", "Clients", "Diagnostics", "EventLoop", "FileStore",
                "Functions", "JSONCoding", "JSONScan", "LogAccess", "Posix", "SessionRecords", "SessionStreams",
                "TestSupport", "Tinyvex",
            ]),
        .testTarget(name: "TinyvexTransportTests", dependencies: ["TinyvexTransport"]),
        .testTarget(
            name: "RemoteAgentTests", dependencies: ["JSONScan", "RemoteAgent", "Resumption", "TinyvexTransport"]),
        .testTarget(
            name: "TinyvexMachineTests", dependencies: ["JSONRPC", "JSONScan", "TinyvexMachine", "TinyvexTransport"]),
        .testTarget(
            name: "TinyvexSyncTests",
            dependencies: [
                "BridgeStandIn", "JSONScan", "TinyvexMachine", "TinyvexSync", "TinyvexTransport",
            ]),
        .testTarget(
            name: "TinyvexSocketsTests",
            dependencies: [
                "AgentProcess", "EventLoop", "HTTP1", "JSONScan", "Posix", "TestSupport", "TinyvexMachine",
                "TinyvexSockets", "TinyvexSync", "TinyvexTransport", "WebSocket",
            ]),
        // Runs a bridge inside the test's process.
        .target(
            name: "BridgeStandIn", dependencies: ["JSONRPC", "JSONScan", "TinyvexMachine", "TinyvexSync"],
            path: "Tests/BridgeStandIn"),
        // The library as on a platform without `TinyvexSockets` and with Combine, from the same sources. The stand-in has
        // the part of Combine's API that the library and its users need.
        .target(name: "CombineStandIn", path: "Tests/CombineStandIn"),
        .target(
            name: "TinyvexClientPortable",
            dependencies: [
                "ACP", "ACPMethods", "CombineStandIn", "JSONCoding", "JSONRPC", "JSONScan", "ProductVersion", "Tinyvex",
                "TinyvexMachine", "TinyvexSync", "TinyvexTransport",
            ],
            path: "Tests/TinyvexClientPortable",
            swiftSettings: [.define("COMBINE_STAND_IN"), .define("TINYVEX_PORTABLE")]),
        .testTarget(
            name: "TinyvexClientTests",
            dependencies: ["BridgeStandIn", "JSONScan", "SwiftUIStandIn", "TinyvexClient", "TinyvexTransport"]),
        // The same tests of the portable library, and those of its publishers.
        .testTarget(
            name: "TinyvexClientPortableTests",
            dependencies: [
                "BridgeStandIn", "CombineStandIn", "JSONScan", "SwiftUIStandIn", "TinyvexClientPortable",
                "TinyvexTransport",
            ],
            path: "Tests/TinyvexClientPortableTests",
            swiftSettings: [.define("COMBINE_STAND_IN"), .define("TINYVEX_PORTABLE")]),
        .target(
            name: "ConvexCompatibilityPortable", dependencies: ["CombineStandIn", "TinyvexClientPortable"],
            path: "Tests/ConvexCompatibilityPortable",
            swiftSettings: [.define("COMBINE_STAND_IN"), .define("TINYVEX_PORTABLE")]),
        .testTarget(
            name: "ConvexCompatibilityTests",
            dependencies: [
                "BridgeStandIn", "CombineStandIn", "ConvexCompatibilityPortable", "JSONScan", "TinyvexClientPortable",
            ],
            exclude: ["README.md"]),
        .testTarget(
            name: "TinyvexHTTPTests", dependencies: ["JSONScan", "TinyvexClient", "TinyvexHTTP", "TinyvexTransport"]),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"]),
        .testTarget(name: "TextSearchTests", dependencies: ["TextSearch"]),
        .testTarget(
            name: "FileStoreTests",
            dependencies: ["EventLoop", "FileStore", "JSONScan", "TestSupport", "Tinyvex"]),
        .testTarget(name: "PushCryptoTests", dependencies: ["Posix", "PushCrypto"]),
        .testTarget(name: "NotificationsTests", dependencies: ["JSONScan", "Notifications", "PushCrypto", "Tinyvex"]),
        .testTarget(name: "PostgresTests", dependencies: ["Postgres"]),
        .testTarget(name: "HubTests", dependencies: ["Hub", "Postgres", "SessionRecords"]),
        .testTarget(
            name: "PeersTests",
            dependencies: [
                "EventLoop", "Functions", "JSONScan", "PeerSharing", "Peers", "SessionRecords", "TestSupport",
                "Tinyvex",
            ]),
        .testTarget(name: "PosixTests", dependencies: ["Posix", "TestSupport"]),
        .testTarget(name: "SQLiteTests", dependencies: ["CSQLite", "SQLite", "TestSupport"]),
        .testTarget(name: "SessionRecordsTests", dependencies: ["CSQLite", "SQLite", "SessionRecords"]),
        .testTarget(
            name: "SessionStoreTests",
            dependencies: [
                "CVector", "SQLite", "SessionRecords", "SessionStore", "TestSupport",
            ]),
        .testTarget(
            name: "SessionLogTests",
            dependencies: [
                "CSQLite", "FieldLimits", "Posix", "SQLite", "SessionLog", "SessionRecords", "SessionStore",
                "TestSupport",
            ],
            exclude: ["Fixtures"]),
        .testTarget(name: "SessionReplayTests", dependencies: ["SessionRecords", "SessionReplay", "TestSupport"]),
        .testTarget(
            name: "SearchingTests",
            dependencies: [
                "Access", "EventLoop", "Hub", "JSONScan", "LogAccess", "Posix", "Searching", "SessionRecords",
                "SessionSearch", "SessionStreams", "TestSupport", "Tinyvex",
            ]),
        .testTarget(
            name: "SessionSearchTests",
            dependencies: ["SQLite", "SessionRecords", "SessionSearch", "TestSupport", "Tinyvex"]),
        .testTarget(name: "JSONScanTests", dependencies: ["JSONScan", "TestSupport"], exclude: ["Fixtures"]),
        .testTarget(
            name: "ACPTests", dependencies: ["ACP", "ACPMethods", "JSONCoding", "JSONScan"], exclude: ["Fixtures"]),
        .testTarget(name: "JSONCodingTests", dependencies: ["JSONCoding", "JSONScan"]),
        .testTarget(name: "JSONRPCTests", dependencies: ["JSONRPC", "JSONScan"]),
        .testTarget(name: "WebSocketTests", dependencies: ["WebSocket"]),
        .testTarget(name: "PageTests", dependencies: ["Page"]),
        .testTarget(name: "ResumptionTests", dependencies: ["Resumption"]),
        .testTarget(name: "HTTP1Tests", dependencies: ["HTTP1"]),
        .testTarget(name: "TinyvexTests", dependencies: ["JSONRPC", "JSONScan", "Tinyvex"]),
        .testTarget(
            name: "CoalescingTests",
            dependencies: [
                "ACP", "Coalescing", "JSONCoding", "JSONScan", "TestSupport", "Tinyvex",
            ]),
        .testTarget(name: "ArgumentParsingTests", dependencies: ["ArgumentParsing"]),
        .testTarget(name: "CLITests", dependencies: ["ArgumentParsing", "CLI", "Invocations", "Posix"]),
        .testTarget(name: "PageAccessTests", dependencies: ["PageAccess", "TerminalText"]),
        .testTarget(
            name: "BridgeSettingsTests",
            dependencies: ["ArgumentParsing", "BridgeSettings", "CLI", "Invocations", "PermissionRules"]),
        .testTarget(name: "TerminalIOTests", dependencies: ["TerminalIO", "TerminalText"]),
        .testTarget(name: "CommandContextTests", dependencies: ["AgentProcess", "CommandContext"]),
        .testTarget(name: "LocalBridgeTests", dependencies: ["AgentProcess", "CommandContext", "LocalBridge"]),
        .testTarget(
            name: "BridgeRequestsTests",
            dependencies: [
                "BridgeRequests", "CommandContext", "JSONScan", "Posix", "TinyvexMachine", "TinyvexSync",
                "TinyvexTransport",
            ]),
        .testTarget(
            name: "SessionOutputTests",
            dependencies: [
                "BridgeRequests", "Invocations", "JSONScan", "SessionOutput", "TerminalText", "TinyvexMachine",
                "TinyvexTransport",
            ]),
        .testTarget(
            name: "TerminalEditingTests",
            dependencies: [
                "AgentQuestions", "BridgeRequests", "JSONScan", "SessionOutput", "TerminalEditing", "TerminalIO",
                "TerminalText",
            ]),
        .testTarget(name: "AgentQuestionsTests", dependencies: ["AgentQuestions", "JSONScan", "TerminalText"]),
        .testTarget(
            name: "DaemonCommandsTests",
            dependencies: ["DaemonCommands", "Hub", "JSONScan", "Posix", "SessionStore", "TerminalText"]),
        .testTarget(
            name: "ReportCommandsTests",
            dependencies: ["ACPRouting", "Invocations", "JSONScan", "ReportCommands"]),
        .testTarget(
            name: "ClientCommandsTests",
            dependencies: [
                "BridgeRequests", "ClientCommands", "CommandContext", "EditorSetup", "Invocations", "JSONScan",
                "TerminalIO",
            ]),
        .testTarget(name: "TerminalTextTests", dependencies: ["TerminalText"]),
        .testTarget(name: "TracingTests", dependencies: ["JSONScan", "Tracing"]),
        .testTarget(name: "MetricsTests", dependencies: ["Metrics"]),
        .testTarget(name: "DiagnosticsTests", dependencies: ["Diagnostics", "JSONScan", "Posix", "TestSupport"]),
        .testTarget(name: "PermissionRulesTests", dependencies: ["JSONScan", "PermissionRules"]),
        .testTarget(
            name: "SessionExportTests",
            dependencies: ["JSONScan", "SessionExport", "SessionRecords", "TestSupport", "Tinyvex"]),
        .testTarget(name: "SessionTextTests", dependencies: ["JSONScan", "SessionText", "TerminalText", "Tinyvex"]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "ACP", "AgentProcess", "CShims", "ConvexCompatibility", "EventLoop", "HTTP1", "JSONRPC", "JSONScan",
                "Posix", "PushCrypto", "SQLite", "SessionLog", "SessionRecords", "TestSupport", "Tinyvex",
                "TinyvexClient", "TinyvexHTTP", "WebSocket", "acpbridge", "acpbridge-demo-agent", "answer-requests",
                "drive-session", "live-sessions", "rude-agent", "watch-session",
            ],
            exclude: ["Fixtures", "Python"]),
        .testTarget(
            name: "DemoAgentTests",
            dependencies: ["CProfiles", "DemoPrompts", "JSONRPC", "JSONScan", "acpbridge-demo-agent"]),
        .testTarget(name: "DemoPromptsTests", dependencies: ["DemoPrompts"]),
    ],
    swiftLanguageModes: [.v6]
)

/// The targets that exist on each platform. Everything else needs Linux. Tests/Checks/portable.py checks this list.
let portableTargets: Set = [
    "ACP", "ACPBase", "ACPClientServices", "ACPConnection", "ACPMethods", "ACPNextEdits", "ACPSessions", "ACPVersion2",
    "BridgeStandIn", "CVector", "ConvexCompatibility", "Hashing", "JSONCoding", "JSONRPC", "JSONScan", "MemoryChecks",
    "ProductVersion", "SwiftUIStandIn", "TextSearch", "Tinyvex", "TinyvexClient", "TinyvexHTTP", "TinyvexHTTPTests",
    "TinyvexMachine",
    "TinyvexSync", "TinyvexTransport",
    "ACPTests", "HashingTests", "JSONCodingTests", "JSONRPCTests", "TextSearchTests", "TinyvexClientTests",
    "TinyvexMachineTests", "TinyvexSyncTests", "TinyvexTests", "TinyvexTransportTests",
]

#if os(Linux)
    let isPortable = Context.environment["ACPBRIDGE_PORTABLE"] != nil
#else
    let isPortable = true
#endif

// On a Mac, and with ACPBRIDGE_PORTABLE on Linux, the package is only the client library and its tests.
if isPortable {
    package.targets.removeAll { !portableTargets.contains($0.name) }
    for target in package.targets where target.name == "TinyvexClient" || target.name == "TinyvexClientTests" {
        target.swiftSettings = [.define("TINYVEX_PORTABLE")]
    }
} else {
    for target in package.targets where target.name == "TinyvexClient" {
        target.dependencies.append(.byName(name: "TinyvexSockets", condition: .when(platforms: [.linux])))
    }
}

// Only Tests/fuzz.sh builds this target, with every module instrumented. Without instrumentation the target would
// not link.
if Context.environment["ACPBRIDGE_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Tests/Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "acpbridge-fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], path: "Tests/Fuzz/Program"),
    ]
}
