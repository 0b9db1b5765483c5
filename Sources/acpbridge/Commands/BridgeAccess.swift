import Bridge
import CLI
import EventLoop
import Glibc
import TinyvexSync

/// Which bridge a command talks to, and with what right.
struct BridgeAccess {
    let endpoint: Endpoint
    private let token: String?
    /// The file of certificates to trust in place of the system's.
    private let authorities: String?
    /// It is the user's own daemon, which may be started.
    let isOwn: Bool
    let machine: Machine

    init(_ options: ConnectionOptions, machine: Machine) throws {
        self.machine = machine
        endpoint = try Self.endpoint(options, machine)
        isOwn = options.url == nil
        authorities = options.authoritiesFile
        token = try Self.token(options, machine)
    }

    /// Runs `body` with a client of the bridge, and what else it needs of one thread.
    ///
    /// - Parameter starting: start the user's own daemon where none runs, and run `body` anew.
    func ask<Value: Sendable>(
        starting: Bool = false, _ body: @escaping @Sendable (BridgeClient) async throws -> Value
    ) throws -> Value {
        do {
            return try attempt(body)
        } catch let failure as BridgeFailure where failure.isUnreachable && isOwn && starting {
            try DaemonStart(machine: machine).start()
            return try attempt(body)
        }
    }

    /// Runs `body` as ``ask(starting:_:)`` does, but fails with a ``BridgeFailure`` that is a time-out when the deadline
    /// passes first.
    func ask<Value: Sendable>(
        until deadline: Instant, _ body: @escaping @Sendable (BridgeClient) async throws -> Value
    ) throws -> Value {
        try attempt { client in
            try await withThrowingTaskGroup(of: Value.self) { group in
                group.addTask { try await body(client) }
                group.addTask {
                    await client.loop.sleep(until: deadline)
                    throw client.failure(.transport(.timedOut))
                }
                defer { group.cancelAll() }
                guard let value = try await group.next() else { throw client.failure(.closed) }
                return value
            }
        }
    }

    private func attempt<Value: Sendable>(
        _ body: @escaping @Sendable (BridgeClient) async throws -> Value
    ) throws -> Value {
        var configuration = SyncConfiguration(endpoint: endpoint)
        configuration.clientName = "acpbridge"
        configuration.clientVersion = programVersion
        configuration.firstAttemptsLimit = 1
        configuration.attemptsLimit = Self.attemptsLimit
        configuration.longestDelay = .seconds(5)
        let loop = try ClientLoop()
        let sync = SyncClient(configuration, token: token, authorities: authorities, loop: loop)
        let client = BridgeClient(sync: sync, loop: loop, endpoint: endpoint, showsToken: token != nil)
        return try loop.run { try await body(client) }
    }

    /// In a row, after a lost connection: about 70 s.
    private static let attemptsLimit = 20

    private static func endpoint(_ options: ConnectionOptions, _ machine: Machine) throws(Failure) -> Endpoint {
        switch options.url {
        case .none: return .unix(path: machine.home.socket)
        case .unixSocket(let path): return .unix(path: path)
        case .webSocket(let url):
            do throws(Endpoint.ParseError) {
                return try Endpoint(url)
            } catch {
                throw Failure(message: error.description, status: Failure.wrongUsage)
            }
        }
    }

    static func token(_ options: ConnectionOptions, _ machine: Machine) throws -> String? {
        if let file = options.tokenFile {
            do {
                if let token = try AccessToken.read(file) { return token }
                let fault = access(file, F_OK) == 0 ? "is empty" : "does not exist"
                throw Failure(message: "the token file \(file) \(fault)")
            } catch let error as SystemError {
                throw Failure(message: "the token file cannot be read: \(error)")
            }
        }
        return machine.variables["ACPBRIDGE_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
