import Bridge
import BridgeRequests
import CommandContext
import EventLoop
import Invocations
import JSONScan
import Posix
import TerminalIO
import TerminalText

/// `acpbridge serve --replace`: replaces the running bridge's program with this one, in that bridge's process. If no
/// bridge runs, this program becomes the bridge.
package struct ReplaceCommand {
    private let context: ProcessContext

    /// Total time limit. The bridge itself gives up after 10 s, and another replacement can run before this one.
    private static let timeLimit = Duration.seconds(30)

    package init(_ context: ProcessContext) { self.context = context }

    package func run(_ options: ServeOptions) throws {
        let access = try BridgeAccess(ConnectionOptions(), context: context)
        let deadline = Instant.now + Self.timeLimit
        guard let first = try access.runningBridge(until: deadline) else {
            do {
                return try ServeCommand(context).run()
            } catch BridgeStartError.alreadyRunning {
                // Another program became the bridge first; replace that one.
                return try run(options)
            }
        }
        try check(options, replacing: first)
        let request = Self.request(options)
        let (before, after) = try Waiting.show("Replacing the bridge") {
            guard let before = try access.act("bridge:replace", args: request, on: first, until: deadline) else {
                throw Failure(message: "the bridge has ended; `acpbridge serve` starts one")
            }
            return (before, try access.runningBridge(until: deadline))
        }
        guard let after else {
            throw Failure(
                message: """
                    the bridge has ended: \(ProcessContext.programPath) did not start in its place; \
                    see \(try context.home.daemonOutput)
                    """)
        }
        guard Self.startTime(after) != Self.startTime(before) else {
            throw Failure(message: "the bridge could not run \(ProcessContext.programPath) and was not replaced")
        }
        try report(after)
    }

    private static func startTime(_ status: JSONValue) -> Int64? { status["startedTs"]?.int64Value }

    /// A program that cannot use its settings and the files that they name would not start, and then no bridge would be
    /// left.
    private func check(_ options: ServeOptions, replacing status: JSONValue) throws {
        let isOwn = Self.hasSettings(options)
        let arguments =
            isOwn
            ? ProcessContext.arguments.map(\.description)
            : status["pid"]?.int64Value.flatMap { Self.arguments(ofProcess: $0) } ?? ["serve"]
        let resolved = try SettingsSource(context).valid(arguments).resolved
        for setting in resolved.unused { Console.report("Warning: \(setting.description).") }
        let combined = resolved.options
        let files =
            [
                combined.tlsCertificate, combined.tlsKey, combined.diagnostics.file, combined.configurationFile,
                combined.issuedTokens.keySet?.file,
            ]
            .compactMap(\.self) + combined.issuedTokens.keyFiles
        if let relative = files.first(where: { !$0.hasPrefix("/") }) {
            // The bridge checks the relative paths of its own command line itself.
            guard isOwn else { return }
            throw Failure(message: "\(relative): use an absolute path, because the bridge runs in another folder")
        }
        try ServeCommand(context).check(combined)
    }

    private static func hasSettings(_ options: ServeOptions) -> Bool { options != ServeOptions(replaces: true) }

    /// The command line of a process of this machine, without the program's name; nil if there is no such process. 64
    /// KiB are read: more than the options of `serve` need.
    private static func arguments(ofProcess pid: Int64) -> [String]? {
        guard let bytes = try? PrivateFile.read("/proc/\(pid)/cmdline", limitBytes: 64 << 10, isBelieved: false),
            bytes.last == 0
        else { return nil }
        let words = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        return words.dropFirst().first == "serve" ? Array(words.dropFirst()) : nil
    }

    /// A bridge that gets no new options keeps those that it was started with.
    private static func request(_ options: ServeOptions) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("program", ProcessContext.programPath)
            writer.member("format", HandOver.format)
            guard hasSettings(options) else { return }
            writer.memberArray("arguments") { writer in
                for word in ProcessContext.arguments where word != "--replace" { writer.element(word.description) }
            }
        }
    }

    private func report(_ status: JSONValue) throws {
        let version = status["version"]?.stringValue ?? ""
        let pid = status["pid"]?.int64Value ?? 0
        let agents = status["agents"]?.int64Value ?? 0
        try Console.print(
            "The bridge (process \(pid)) continues as version \(version), with \(counted(agents, "agent"))."
        )
    }
}
