import Access
import AgentProcess
import Agents
import Bridge
import CShims
import CommandContext
import Diagnostics
import EventLoop
import Glibc
import Hub
import HubSharing
import Invocations
import JSONScan
import LocalBridge
import LogRetention
import NotificationDelivery
import Notifications
import PeerSharing
import PermissionRules
import Posix
import ProductVersion
import SessionRecords
import TerminalIO
import TerminalText
import TinyvexTransport
import TraceDelivery
import Tracing

/// `acpbridge serve`: runs the daemon, in the foreground or started on demand.
package struct ServeCommand {
    private let context: ProcessContext
    static let standardPort: UInt16 = 7717
    /// The code that only the start has used is unmapped after 1 s: some 4 MB. It takes 0.3 ms, for which the user does not
    /// wait then.
    private static let unmappingDelay = Duration.seconds(1)

    package init(_ context: ProcessContext) { self.context = context }

    /// Takes the options from the command line, the environment and the configuration file.
    ///
    /// - Parameter isOnDemand: Another command has started this process and reads its standard output. It gets the reason if
    ///   the bridge does not start.
    package func run(isOnDemand: Bool = false) throws {
        do {
            try serve()
        } catch {
            // The reader can have ended; the error is reported on stderr, too.
            if isOnDemand { try? Console.transfer(StartReport.bytes(error), to: STDOUT_FILENO) }
            throw error
        }
    }

    private func serve() throws {
        let home = try context.home
        let (resolved, permissionRules) = try SettingsSource(context)
            .valid(ProcessContext.arguments.map(\.description))
        let options = resolved.options
        let messages = try startLog(options, home)
        let configuration = try configuration(options, permissionRules, home, messages)
        // This process becomes the parent of an ended agent's remaining children, and reaps them.
        cshims_become_subreaper()
        // Pages and batches of streams are allocated and freed all the time. Without this threshold the allocator would
        // adapt to the largest of them and keep that much memory. It is above a page of the log with its frames (256 KiB and some
        // KB), because it takes longer to map each page again than to fill it.
        cshims_return_freed_blocks(512 << 10)

        let outcome = Outcome()
        EventLoop.main.run {
            do {
                try start(configuration, options, messages, outcome)
            } catch LogError.engine(let fault) {
                outcome.failure = Failure(message: "\(home.log): \(LogError.engine(fault))")
                EventLoop.main.stop()
            } catch let error as BridgeStartError {
                outcome.failure = error
                EventLoop.main.stop()
            } catch let error as SystemError {
                outcome.failure = Failure(message: "\(error); see `acpbridge doctor`")
                EventLoop.main.stop()
            } catch {
                outcome.failure = Failure(message: "\(error)")
                EventLoop.main.stop()
            }
        }
        if let failure = LoopActor.assumeIsolated({ outcome.failure }) { throw failure }
    }

    // MARK: The configuration

    private func configuration(
        _ options: ServeOptions, _ permissionRules: PermissionRules, _ home: Home, _ messages: OperatorMessages
    ) throws -> BridgeConfiguration {
        let (listening, access) = (try listening(options), try clientAccess(options))
        let (sharing, notifications) = (try sharing(options), try notifications(options, home))
        let traces = try traces(options.tracing)
        // The process changes only after all settings are valid.
        raiseOpenFilesLimit()
        return BridgeConfiguration(
            home: home, program: program(), limits: Limits(options.limits), listening: listening, access: access,
            agents: agents(options, permissionRules, home), log: log(options), sharing: sharing,
            notifications: notifications, traces: traces, warn: { messages.warn($0) })
    }

    /// Prevents core files, unless they are allowed.
    private func program() -> BridgeConfiguration.Program {
        BridgeConfiguration.Program(
            version: programVersion, arguments: ProcessContext.arguments,
            environment: context.environment(without: ServiceManager.socketVariables),
            coreLimit: context.allowsCoreDumps ? nil : CoreDumps.prevent())
    }

    private func listening(_ options: ServeOptions) throws -> BridgeConfiguration.Listening {
        BridgeConfiguration.Listening(
            addresses: try addresses(options), hasChosenAddresses: options.listen != nil,
            passedSockets: try passedSockets(options), certificate: certificate(options),
            mayTakeAnotherPort: options.isOnDemand && options.listen == nil, waitsForPredecessor: options.isOnDemand)
    }

    private func clientAccess(_ options: ServeOptions) throws(Failure) -> BridgeConfiguration.ClientAccess {
        let publicURL = options.proxy.publicURL
        let hosts = options.allowHosts.map(\.description) + (options.listen ?? []).map(\.host)
        let keySet: String? = if case .url(let url) = options.issuedTokens.keySet { url } else { nil }
        return BridgeConfiguration.ClientAccess(
            allowedOrigins: Set(options.allowOrigins.map(\.description)),
            allowedHosts: Set(hosts + [publicURL?.host].compactMap(\.self)),
            publicAddress: publicURL.map { PublicAddress(origin: $0.origin, host: $0.host, path: $0.path) },
            forwardedFor: try forwardedFor(options.proxy),
            compression: options.deflatesForAll ? .always : options.deflates ? .remote : .never,
            issuers: try issuers(options), issuerKeySet: keySet)
    }

    private func agents(
        _ options: ServeOptions, _ permissionRules: PermissionRules, _ home: Home
    ) -> BridgeConfiguration.AgentStarts {
        let collector = options.tracing.includesAgents ? options.tracing.endpoint : nil
        return BridgeConfiguration.AgentStarts(
            areAllowed: !options.noAgents, hasDelegatedGroup: context.serviceManager.hasDelegatedGroup,
            permissionLimit: options.permissionLimit, permissionRules: permissionRules,
            processLimits: ProcessLimits(options.limits),
            telemetry: collector.map { AgentTelemetry(endpoint: $0.description) }
        ) { [context, noAgents = options.noAgents] in
            noAgents ? [] : ProfileLibrary(userFolder: home.agents).sorted.map { $0.summary(on: context) }
        } agentNamed: { [context] (name) throws(AgentUnavailable) in
            do throws(Failure) {
                return try AgentLaunch(context: context, inheritsAll: false).request(for: name)
            } catch {
                throw AgentUnavailable(error.message.text)
            }
        }
    }

    private func log(_ options: ServeOptions) -> BridgeConfiguration.LogKeeping {
        BridgeConfiguration.LogKeeping(
            durability: options.durability == .full ? .full : .normal,
            retention: options.retention.map {
                RetentionPolicy(age: $0.age, logBytes: $0.logBytes.map(Int64.init))
            },
            isSearchable: !options.noSearch, auditRetention: options.auditRetention)
    }

    private func sharing(_ options: ServeOptions) throws(Failure) -> BridgeConfiguration.Sharing {
        BridgeConfiguration.Sharing(
            hub: try hub(options), shipsToHub: options.hubRole != .serve, sharesSearch: options.hubSearch,
            confirmsAtHub: options.durability == .hub, readsHub: options.hubRole != .ship,
            peers: try Self.peers(options))
    }

    // MARK: The loop

    /// The result of the loop.
    @LoopActor private final class Outcome {
        var failure: (any Error)?
        var kept: [AnyObject] = []

        nonisolated init() {}
    }

    @LoopActor private func start(
        _ configuration: BridgeConfiguration, _ options: ServeOptions, _ messages: OperatorMessages, _ outcome: Outcome
    ) throws {
        // This must run before the log starts its threads, because threads inherit the mask of blocked signals.
        let service = ServiceLink(context.serviceManager)
        let stopRequested = StopRequest(
            program: ProcessContext.programPath, environment: context.environment(without: ServiceManager.variables),
            messages, service)
        let signals = try SignalWatch([SIGTERM, SIGINT, SIGHUP, SIGCHLD]) { stopRequested.received($0) }
        let bridge = try Bridge(configuration, continuing: HandOver.receive())
        stopRequested.bridge = bridge
        outcome.kept = [signals, bridge]
        try announce(bridge)
        bridge.finishStart()
        EventLoop.main.schedule(after: Self.unmappingDelay) { cshims_unmap_code() }
        service.ready("Listening on \(([try context.home.socket] + bridge.urls).joined(separator: ", "))")
        if bridge.sweptCount > 0 {
            let count = counted(bridge.sweptCount, "process", plural: "processes")
            messages.report(
                "The previous bridge was killed. Processes that its agents had left running were ended (\(count)).")
        }
        for warning in bridge.startWarnings { messages.warn(warning) }
        if options.isOnDemand { releaseStandardOutput() }
    }

    private func startLog(_ options: ServeOptions, _ home: Home) throws(Failure) -> OperatorMessages {
        let limit = options.limits.last { $0.name == .bridgeLog }?.value ?? FileOutput.limitBytes
        // An on-demand bridge has this file as its standard error.
        let standardError =
            options.isOnDemand ? FileOutput(standardErrorIn: home.daemonOutput, limitBytes: limit) : nil
        standardError?.rotateIfFull()
        let (level, format) = (options.diagnostics.level, options.diagnostics.format)
        do throws(SystemError) {
            return try OperatorMessages(
                DiagnosticLevel(rawValue: level.rawValue) ?? .warning,
                DiagnosticFormat(rawValue: format.rawValue) ?? .text, file: options.diagnostics.file,
                limitBytes: limit, standardError: standardError
            ) { Console.report("\($0)") }
        } catch {
            throw Failure(message: "the log cannot be written: \(error)")
        }
    }

    /// Reads the files that the options name, and checks the addresses. A bridge that cannot use them does not start.
    func check(_ options: ServeOptions) throws(Failure) {
        _ = try addresses(options)
        _ = try forwardedFor(options.proxy)
        _ = try issuers(options)
        _ = try notifications(options, try context.home)
        if options.diagnostics.format == .journald, access(JournalOutput.standardPath, W_OK) != 0 {
            throw Failure(
                message: "the log cannot be written: \(SystemError("open \(JournalOutput.standardPath)"))")
        }
        _ = try hub(options)
        _ = try Self.peers(options)
        _ = try traces(options.tracing)
        if let file = options.diagnostics.file {
            do throws(SystemError) {
                _ = try FileOutput(file)
            } catch {
                throw Failure(message: "the log cannot be written: \(error)")
            }
        }
        guard let certificate = certificate(options) else { return }
        do throws(TLSFault) {
            _ = try TLSContext(certificate: certificate.certificate, key: certificate.key)
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    private func addresses(_ options: ServeOptions) throws(Failure) -> [SocketAddress] {
        if options.noTCP { return [] }
        let asked = options.listen ?? [ListenAddress(host: "127.0.0.1", port: port(options))]
        return try asked.map { (address) throws(Failure) in
            let host = address.host == "localhost" ? "127.0.0.1" : address.host
            try checkReach(of: host, as: address.description, options)
            return .ip(host: host, port: address.port)
        }
    }

    /// Others on the network must not be able to read the traffic, unless the user accepts that for a proxy.
    private func checkReach(of host: String, as address: String, _ options: ServeOptions) throws(Failure) {
        let isLoopback = NetworkAddress(host)?.isLoopback == true
        guard isLoopback || options.tlsCertificate != nil || options.proxy.isInFront else {
            throw Failure(
                message: """
                    \(address) is not a loopback address: others on the network could read the traffic. \
                    Use --tls-cert and --tls-key, or listen on 127.0.0.1 and connect through `ssh -L`. \
                    --behind-proxy allows it for a proxy with TLS on a network that you trust
                    """)
        }
    }

    private func forwardedFor(_ options: ProxyOptions) throws(Failure) -> ForwardedFor {
        let ranges = try options.trusted.map { (proxy) throws(Failure) in
            guard let range = NetworkRange(proxy.description) else {
                throw Failure(
                    message: "\(proxy) is not \(ProxyAddress.expectation)", status: Failure.invalidSettings)
            }
            return range
        }
        return ForwardedFor(trusted: ranges)
    }

    /// The sockets of the service manager, which are checked like the bridge's own. A Unix socket must be the bridge's:
    /// commands and editors connect there.
    private func passedSockets(_ options: ServeOptions) throws(Failure) -> [PassedSocket] {
        let socket = try context.home.socket
        return try context.serviceManager.descriptors.map { (fd) throws(Failure) in
            let passed: PassedSocket
            do throws(SystemError) {
                passed = try PassedSocket(fd: fd)
            } catch {
                throw Failure(message: "a socket of the service manager cannot be used: \(error)")
            }
            switch passed.address {
            case .ip(let host, _): try checkReach(of: host, as: passed.address.description, options)
            case .unix(let path):
                guard path == socket else {
                    throw Failure(
                        message: "the service manager listens on \(path), but the bridge's socket is \(socket)")
                }
            }
            return passed
        }
    }

    /// The hub and its options can come from different places, for example from the environment and the command line, so
    /// they are checked together only here.
    private func hub(_ options: ServeOptions) throws(Failure) -> HubSettings? {
        try options.checkHub()
        guard let address = options.hub else { return nil }
        do throws(HubError) {
            return HubSettings(
                address: try HubCommand.address(address), name: HubSettings.machineName, version: programVersion,
                commands: CommandPolicy(options.hubCommands))
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    /// The token files are read at each connect, so they need not exist now.
    private static func peers(_ options: ServeOptions) throws(Failure) -> [PeerSettings] {
        let files = options.tokenFiles
        return try options.peers.enumerated().map { (index, peer) throws(Failure) in
            let endpoint: Endpoint
            do throws(Endpoint.ParseError) {
                endpoint = try Endpoint(peer.url)
            } catch {
                throw Failure(message: "the peer \(peer.url) cannot be used: \(error)", status: Failure.invalidSettings)
            }
            if case .host(let host, _, isSecure: false) = endpoint.address, host != "localhost",
                NetworkAddress(host)?.isLoopback != true
            {
                throw Failure(
                    message: "others on the network could read the token for the peer \(peer.url): use wss://",
                    status: Failure.invalidSettings)
            }
            let file = peer.tokenFile ?? (files.count == 1 ? files.first : files.dropFirst(index).first)
            return PeerSettings(
                endpoint: endpoint, tokenFile: file, authorities: peer.authoritiesFile, name: peer.name)
        }
    }

    func issuers(_ options: ServeOptions) throws(Failure) -> IssuerKeys? {
        let tokens = options.issuedTokens
        guard let rules = TokenRules(tokens) else { return nil }
        do throws(IssuerKeys.Failure) {
            return try IssuerKeys(files: tokens.keyFiles, setFile: tokens.keySet?.file, rules: rules)
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    /// Larger than any sensible file: 32 targets.
    private static let notificationsLimitBytes = 256 << 10

    /// The file can run commands, so it is refused if another user can change it.
    private func notifications(_ options: ServeOptions, _ home: Home) throws(Failure) -> NotificationSettings {
        let path = options.notifications ?? home.notifications
        let settings = try settings(at: path, Self.notificationsLimitBytes, "the rules of notifications") { bytes in
            let settings = try NotificationSettings(json: bytes)
            for apns in settings.apns { _ = try NotificationFiles.apnsKey(apns.keyFile) }
            return settings
        }
        if let settings { return settings }
        guard options.notifications == nil else { throw Self.missing(path) }
        return NotificationSettings()
    }

    /// Reads a file of settings. Returns nil if the file does not exist.
    ///
    /// - Parameter subject: The contents of the file, as an error names them.
    private func settings<Value>(
        at path: String, _ limitBytes: Int, _ subject: String, _ parse: ([UInt8]) throws -> Value
    ) throws(Failure) -> Value? {
        do {
            return try PrivateFile.read(path, limitBytes: limitBytes).map(parse)
        } catch {
            throw Failure(
                message: "\(subject) cannot be used: \(path): \(error)", status: Failure.invalidSettings)
        }
    }

    private static func missing(_ path: String) -> Failure {
        Failure(message: "\(path) does not exist", status: Failure.invalidSettings)
    }

    private func traces(_ options: TracingOptions) throws(Failure) -> TraceSettings? {
        guard let endpoint = options.endpoint else { return nil }
        return TraceSettings(
            endpoint: endpoint.description, includesContent: options.includesContent, version: programVersion,
            fields: try options.headersFile.map(collectorFields) ?? CollectorFields())
    }

    /// The fields can have a token, so a file that every user can read is refused.
    private func collectorFields(_ path: String) throws(Failure) -> CollectorFields {
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IROTH == 0 else {
            throw Failure(
                message: "\(path) can be read by every user of this machine; `chmod 600` it",
                status: Failure.invalidSettings)
        }
        let fields = try settings(at: path, CollectorFields.limitBytes + 1, "the fields for the collector") {
            try CollectorFields($0)
        }
        guard let fields else { throw Self.missing(path) }
        return fields
    }

    private func certificate(_ options: ServeOptions) -> CertificateFiles? {
        guard let certificate = options.tlsCertificate, let key = options.tlsKey else { return nil }
        return CertificateFiles(certificate: certificate, key: key)
    }

    /// The well-known port is reserved for the user's own bridge. A bridge that was started on demand in a separate
    /// home, for a test or a trial, must not take that port.
    private func port(_ options: ServeOptions) -> UInt16 {
        let isApart = context.variables["ACPBRIDGE_HOME"]?.isEmpty == false
        return options.isOnDemand && isApart ? 0 : Self.standardPort
    }

    /// Prints one line when clients can connect.
    @LoopActor private func announce(_ bridge: Bridge) throws {
        let socket = try context.home.socket
        let line = JSONWriter.object { writer in
            writer.member("ready", true)
            writer.member("pid", getpid())
            writer.member("socket", socket)
            if let url = bridge.urls.first { writer.member("url", url) }
        }
        try Console.printRecord(line)
    }

    /// The parent process has received its line. Nothing reads this stream from now on.
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

extension TokenRules {
    /// Nil if no keys are given, and therefore no audience.
    fileprivate init?(_ options: IssuedTokenOptions) {
        guard let audience = options.audience else { return nil }
        self.init(audience: audience, issuer: options.issuer)
        if let name = options.tenantClaim { tenantClaim = ClaimName(name) }
        if let name = options.roleClaim { roleClaim = ClaimName(name) }
        if let name = options.subjectClaim { subjectClaim = ClaimName(name) }
        guard !options.roles.isEmpty else { return }
        roles = [:]
        // The last value for a name is used, as for limits.
        for setting in options.roles { roles[setting.name] = setting.role == .control ? .control : .observe }
    }
}

extension ServeOptions {
    /// - Throws: if the options of the hub cannot be used together.
    fileprivate func checkHub() throws(Failure) {
        let (role, commands) = (hubRole.rawValue, hubCommands.rawValue)
        if hub == nil {
            if hubRole != .ship {
                throw Failure(message: "'--hub-role \(role)' requires '--hub'", status: Failure.wrongUsage)
            }
            if hubCommands != .none {
                throw Failure(message: "'--hub-commands \(commands)' requires '--hub'", status: Failure.wrongUsage)
            }
        }
        let ships = hub != nil && hubRole != .serve
        if durability == .hub, !ships {
            throw Failure(
                message: "'--durability hub' requires '--hub', and '--hub-role ship' or 'both'",
                status: Failure.wrongUsage)
        }
        if hubSearch, !ships {
            throw Failure(
                message: "'--hub-search' requires '--hub', and '--hub-role ship' or 'both'", status: Failure.wrongUsage)
        }
        if hubCommands != .none, hubRole == .serve {
            throw Failure(
                message: "'--hub-commands \(commands)' requires '--hub-role ship' or 'both'",
                status: Failure.wrongUsage)
        }
        if hubCommands == .jwt, issuedTokens.keyFiles.isEmpty, issuedTokens.keySet == nil {
            throw Failure(
                message: "'--hub-commands jwt' requires '--jwt-key' or '--jwt-jwks'", status: Failure.wrongUsage)
        }
    }
}

extension CommandPolicy {
    fileprivate init(_ option: HubCommandsOption) {
        switch option {
        case .none: self = .none
        case .jwt: self = .jwt
        case .all: self = .all
        }
    }
}
