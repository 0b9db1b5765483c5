import Access
import CommandContext
import Glibc
import Invocations
import LocalBridge
import Posix
import ProductVersion
import TinyvexMachine
import TinyvexSockets
import TinyvexSync
import TinyvexTransport

/// The bridge that a command connects to, and the command's credentials.
package struct BridgeAccess {
    let endpoint: Endpoint
    private let token: String?
    /// The file of certificates to trust in place of the system's.
    private let authorities: String?
    /// The bridge is the user's own daemon, so the command can start it.
    let isOwn: Bool
    let context: ProcessContext

    package init(_ options: ConnectionOptions, context: ProcessContext) throws {
        self.context = context
        endpoint = try Self.endpoint(options, context)
        isOwn = options.url == nil
        authorities = options.authoritiesFile
        token = try Self.token(options, context)
    }

    /// Runs `body` with a client of the bridge. All work happens on the calling thread.
    ///
    /// - Parameter starting: if the user's own daemon is not running, start it and run `body` again.
    package func withClient<Value: Sendable>(
        starting: Bool = false, _ body: @escaping @Sendable (CommandClient) async throws -> Value
    ) throws -> Value {
        do {
            return try attempt(body)
        } catch let failure as BridgeFailure where failure.isUnreachable && isOwn && starting {
            try DaemonStart(context: context).start()
            return try attempt(body)
        }
    }

    /// Runs `body` like ``withClient(starting:_:)``, but throws a ``BridgeFailure`` with `isTimeout` if the deadline passes
    /// first.
    package func withClient<Value: Sendable>(
        until deadline: Instant, _ body: @escaping @Sendable (CommandClient) async throws -> Value
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
        _ body: @escaping @Sendable (CommandClient) async throws -> Value
    ) throws -> Value {
        var configuration = SyncConfiguration(endpoint: endpoint)
        configuration.clientName = "acpbridge"
        configuration.clientVersion = programVersion
        configuration.firstAttemptsLimit = 1
        configuration.attemptsLimit = Self.attemptsLimit
        configuration.longestDelay = .seconds(5)
        let loop = try ClientLoop()
        let client = CommandClient(loop: loop, endpoint: endpoint, showsToken: token != nil) {
            [configuration, token, authorities] in
            SyncClient(configuration, token: token, authorities: authorities, loop: loop)
        }
        guard isOwn else { return try loop.run { try await body(client) } }
        return try loop.run {
            try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask { try await body(client) }
                group.addTask {
                    try await client.watchBridge { isLockHeld }
                    return nil
                }
                defer { group.cancelAll() }
                while let value = try await group.next() {
                    if let value { return value }
                }
                throw client.failure(.closed)
            }
        }
    }

    /// Consecutive attempts after a lost connection. They take about 70 s. A command gives up the user's own bridge earlier,
    /// if it has ended.
    private static let attemptsLimit = 20

    private static func endpoint(_ options: ConnectionOptions, _ context: ProcessContext) throws(Failure) -> Endpoint {
        switch options.url {
        case .none: return .unix(path: try context.home.socket)
        case .unixSocket(let path): return .unix(path: path)
        case .webSocket(let url):
            do throws(Endpoint.ParseError) {
                return try Endpoint(url)
            } catch {
                throw Failure(message: "\(error)", status: Failure.wrongUsage)
            }
        }
    }

    package static func token(_ options: ConnectionOptions, _ context: ProcessContext) throws -> String? {
        if let file = options.tokenFile {
            do {
                if let token = try AccessToken.read(file) { return token }
                let fault = access(file, F_OK) == 0 ? "is empty" : "does not exist"
                throw Failure(message: "the token file \(file) \(fault)")
            } catch let error as SystemError {
                throw Failure(message: "the token file cannot be read: \(error)")
            }
        }
        return context.variables["ACPBRIDGE_TOKEN"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
