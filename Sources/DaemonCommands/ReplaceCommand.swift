import Bridge
import BridgeRequests
import CLI
import CommandContext
import EventLoop
import JSONScan
import Posix
import TerminalIO

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
                return try serve(options)
            } catch BridgeStartError.alreadyRunning {
                // Another program became the bridge first; replace that one.
                return try run(options)
            }
        }
        try checkFiles(options)
        let request = Self.request(options)
        guard let before = try access.act("bridge:replace", args: request, on: first, until: deadline) else {
            throw Failure(message: "the bridge has ended; `acpbridge serve` starts one")
        }
        guard let after = try access.runningBridge(until: deadline) else {
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

    private func serve(_ options: ServeOptions) throws {
        var options = options
        options.replaces = false
        try ServeCommand(context).run(options)
    }

    private static func startTime(_ status: JSONValue) -> Int64? { status["startedTs"]?.int64Value }

    /// A program that cannot use the given files would not start, and then no bridge would be left.
    private func checkFiles(_ options: ServeOptions) throws(Failure) {
        let files =
            [options.tlsCertificate, options.tlsKey, options.diagnostics.file].compactMap(\.self) + options.jwtKeys
        if let relative = files.first(where: { !$0.hasPrefix("/") }) {
            throw Failure(message: "\(relative): use an absolute path, because the bridge runs in another folder")
        }
        _ = try ServeCommand(context).issuers(options)
        guard let certificate = options.tlsCertificate, let key = options.tlsKey else { return }
        do throws(TLSFault) {
            _ = try TLSContext(certificate: certificate, key: key)
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    /// A bridge that gets no new options keeps those that it was started with.
    private static func request(_ options: ServeOptions) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("program", ProcessContext.programPath)
            writer.member("format", HandOver.format)
            guard options != ServeOptions(replaces: true) else { return }
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
            "The bridge (process \(pid)) continues as version \(version), with \(agents) \(agents == 1 ? "agent" : "agents")."
        )
    }
}
