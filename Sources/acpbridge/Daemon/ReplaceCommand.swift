import AgentProcess
import Bridge
import CLI
import EventLoop
import JSONScan

/// `acpbridge serve --replace`: has the bridge that runs make room for this program, in its own process. Where none
/// runs, this is one.
struct ReplaceCommand {
    private let machine: Machine

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: ServeOptions) throws {
        let access = try BridgeAccess(ConnectionOptions(), machine: machine)
        let before: JSONValue
        do {
            before = try access.ask { try await $0.value("bridge:status") }
        } catch let failure as BridgeFailure where failure.isUnreachable {
            var options = options
            options.replaces = false
            return try ServeCommand(machine).run(options)
        }
        try checkFiles(options)
        let request = Self.request(options)
        try access.ask { try await Self.replace($0, request) }
        let after = try access.ask { try await $0.value("bridge:status") }
        guard after["startedTs"]?.int64Value != before["startedTs"]?.int64Value else {
            throw Failure(message: "the bridge could not run \(Machine.programPath), and goes on as it was")
        }
        try report(after)
    }

    /// Returns when the bridge has ended the connection, and is another.
    private static func replace(_ client: BridgeClient, _ request: [UInt8]) async throws {
        do throws(BridgeFailure) {
            _ = try await client.action("bridge:replace", args: request)
        } catch {
            guard error.isEndOfConnection else { throw error }
        }
        for await state in client.sync.connectionStates() where state != .connected { return }
    }

    /// A program that cannot use the files it is given would not start, and there would be no bridge any more.
    private func checkFiles(_ options: ServeOptions) throws(Failure) {
        let files = [options.tlsCertificate, options.tlsKey].compactMap(\.self) + options.jwtKeys
        if let relative = files.first(where: { !$0.hasPrefix("/") }) {
            throw Failure(message: "\(relative): give the absolute path, since the bridge works in another folder")
        }
        _ = try ServeCommand(machine).issuers(options)
        guard let certificate = options.tlsCertificate, let key = options.tlsKey else { return }
        do throws(TLSFault) {
            _ = try TLSContext(certificate: certificate, key: key)
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    /// Without options of its own the bridge keeps those it was started with.
    private static func request(_ options: ServeOptions) -> [UInt8] {
        JSONWriter.object { writer in
            writer.member("program", Machine.programPath)
            writer.member("format", HandOver.format)
            guard options != ServeOptions(replaces: true) else { return }
            writer.memberArray("arguments") { writer in
                for word in Machine.arguments where word != "--replace" { writer.element(word.description) }
            }
        }
    }

    private func report(_ status: JSONValue) throws {
        let version = status["version"]?.stringValue ?? ""
        let pid = status["pid"]?.int64Value ?? 0
        let agents = status["agents"]?.int64Value ?? 0
        try Console.print(
            "The bridge (process \(pid)) goes on as version \(version), with \(agents) \(agents == 1 ? "agent" : "agents")."
        )
    }
}
