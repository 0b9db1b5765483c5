import Bridge
import CLI
import CShims
import EventLoop
import Glibc
import JSONScan
import SessionLog

/// `acpbridge serve`: the daemon, in the foreground or started on demand.
struct ServeCommand {
    private let machine: Machine
    static let standardPort: UInt16 = 7717

    init(_ machine: Machine) { self.machine = machine }

    func run(_ options: ServeOptions) throws {
        var configuration = BridgeConfiguration(home: machine.home, version: programVersion)
        configuration.durability = options.durability == .full ? .full : .normal
        configuration.allowedOrigins = Set(options.allowOrigins.map(\.description))
        configuration.listenAddresses = try addresses(options)
        configuration.allowedHosts = Set(options.allowHosts.map(\.description) + (options.listen ?? []).map(\.host))
        configuration.limits = Limits(options.limits)
        configuration.permissionLimit = options.permissionLimit
        configuration.issuers = try issuers(options)
        configuration.retention = options.retention.map {
            RetentionPolicy(age: $0.age, logBytes: $0.logBytes.map(Int64.init))
        }
        configuration.certificate = certificate(options)
        configuration.compression = options.deflatesForAll ? .always : options.deflates ? .remote : .never
        configuration.mayTakeAnotherPort = options.isOnDemand && options.listen == nil
        configuration.waitsForPredecessor = options.isOnDemand
        configuration.warn = { Console.say("Warning: \($0)") }
        configuration.arguments = Machine.arguments
        configuration.environment = machine.environment
        configuration.agentNamed = { [machine] (name) throws(AgentUnavailable) in
            do throws(Failure) {
                return try AgentLaunch(machine: machine).request(for: name)
            } catch {
                throw AgentUnavailable(error.message)
            }
        }
        configuration.profiles = { [machine] in
            ProfileLibrary(userFolder: machine.home.agents).sorted.map { $0.summary(on: machine) }
        }
        raiseOpenFilesLimit()
        // Left-over children of an agent that has gone become ours, and are reaped.
        cshims_become_subreaper()
        // A stream's pages and batches come and go. The allocator would learn from the largest of them to keep that much.
        cshims_return_freed_blocks(256 << 10)

        let outcome = Outcome()
        EventLoop.main.run {
            do {
                try start(configuration, options, outcome)
            } catch LogError.engine(let fault) {
                outcome.failure = Failure(message: "\(machine.home.log): \(fault)")
                EventLoop.main.stop()
            } catch {
                outcome.failure = Failure(message: "\(error)")
                EventLoop.main.stop()
            }
        }
        if let failure = LoopActor.assumeIsolated({ outcome.failure }) { throw failure }
    }

    /// What the loop leaves behind.
    @LoopActor private final class Outcome {
        var failure: Failure?
        var kept: [AnyObject] = []

        nonisolated init() {}
    }

    @LoopActor private func start(
        _ configuration: BridgeConfiguration, _ options: ServeOptions, _ outcome: Outcome
    ) throws {
        // Before the log's threads: a blocked signal is blocked in those too.
        let stopRequested = StopRequest(program: Machine.programPath, environment: machine.environment)
        let signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP, SIGCHLD]) { stopRequested.received($0) }
        let bridge = try Bridge(configuration, continuing: HandOver.take())
        stopRequested.bridge = bridge
        outcome.kept = [signals, bridge]
        try announce(bridge)
        if bridge.sweptCount > 0 {
            let count = bridge.sweptCount == 1 ? "1 process" : "\(bridge.sweptCount) processes"
            Console.say("The bridge before this one was killed; what its agents had left running was ended (\(count)).")
        }
        for warning in bridge.startWarnings { Console.say("Warning: \(warning)") }
        if options.isOnDemand { releaseStandardOutput() }
    }

    private func addresses(_ options: ServeOptions) throws -> [SocketAddress] {
        if options.noTCP { return [] }
        let asked = options.listen ?? [ListenAddress(host: "127.0.0.1", port: port(options))]
        return try asked.map { address in
            let host = address.host == "localhost" ? "127.0.0.1" : address.host
            guard NetworkAddress(host)?.isLoopback == true || options.tlsCertificate != nil else {
                throw Failure(
                    message: "\(address) is not a loopback address: whoever listens on the way would read along. "
                        + "Give --tls-cert and --tls-key, or listen on 127.0.0.1 and come through `ssh -L`")
            }
            return .ip(host: host, port: address.port)
        }
    }

    func issuers(_ options: ServeOptions) throws(Failure) -> IssuerKeys? {
        guard let audience = options.jwtAudience else { return nil }
        do throws(IssuerKeys.Failure) {
            return try IssuerKeys(files: options.jwtKeys, audience: audience)
        } catch {
            throw Failure(message: error.description)
        }
    }

    private func certificate(_ options: ServeOptions) -> CertificateFiles? {
        guard let certificate = options.tlsCertificate, let key = options.tlsKey else { return nil }
        return CertificateFiles(certificate: certificate, key: key)
    }

    /// The known port belongs to the user's own bridge: one that came up by itself in a home apart, for a test or a
    /// trial, must not take it away.
    private func port(_ options: ServeOptions) -> UInt16 {
        let isApart = machine.variables["ACPBRIDGE_HOME"]?.isEmpty == false
        return options.isOnDemand && isApart ? 0 : Self.standardPort
    }

    /// One line, when clients can connect.
    @LoopActor private func announce(_ bridge: Bridge) throws {
        let line = JSONWriter.object { writer in
            writer.member("ready", true)
            writer.member("pid", getpid())
            writer.member("socket", machine.home.socket)
            if let url = bridge.urls.first { writer.member("url", url) }
        }
        try Console.write(line + [0x0a])
    }

    /// Whoever started us is told; from now on nobody listens there.
    private func releaseStandardOutput() {
        let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
        dup2(nothing, STDOUT_FILENO)
        close(nothing)
    }

    /// A thousand readers need a thousand descriptors; the usual soft limit is 1024.
    private func raiseOpenFilesLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
