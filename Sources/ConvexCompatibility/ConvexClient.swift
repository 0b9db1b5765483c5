#if TINYVEX_PORTABLE && os(Linux)
    @_exported import protocol TinyvexClientPortable.AuthProvider
    @_exported import enum TinyvexClientPortable.AuthState
    @_exported import struct TinyvexClientPortable.ConvexFloat
    @_exported import struct TinyvexClientPortable.ConvexInt
    @_exported import struct TinyvexClientPortable.OptionalConvexFloat
    @_exported import struct TinyvexClientPortable.OptionalConvexInt
    @_exported import enum TinyvexClientPortable.WebSocketState
    import TinyvexClientPortable
#else
    // One by one: the class TinyvexClient hides the name of its module.
    @_exported import protocol TinyvexClient.AuthProvider
    @_exported import enum TinyvexClient.AuthState
    @_exported import struct TinyvexClient.ConvexFloat
    @_exported import struct TinyvexClient.ConvexInt
    @_exported import struct TinyvexClient.OptionalConvexFloat
    @_exported import struct TinyvexClient.OptionalConvexInt
    @_exported import enum TinyvexClient.WebSocketState
    import TinyvexClient
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Combine)
    import Combine
#elseif COMBINE_STAND_IN
    import CombineStandIn
#endif

/// A client with the methods of Convex's Swift clients, so that programs for those compile with few changes.
///
/// One client is enough for a program. It connects with the first call.
open class ConvexClient: @unchecked Sendable {
    // Unchecked because the compiler checks only final classes. Safe because its only stored property is a constant of a
    // `Sendable` type.

    /// The client that does the work, for everything that Convex's clients do not have.
    public let tinyvex: any BridgeClient

    /// - Parameter deploymentUrl: The URL of the bridge: `https://HOST`. A text that is not a URL fails at the first call.
    public convenience init(deploymentUrl: String) {
        self.init(TinyvexClient(endpoint: Self.url(deploymentUrl)))
    }

    public init(_ client: any BridgeClient) { tinyvex = client }

    static func url(_ text: String) -> URL { URL(string: text) ?? URL(filePath: "/") }

    // MARK: Convex's client for apps

    #if canImport(Combine) || COMBINE_STAND_IN
        /// Subscribes to a named value: the current one, then each change.
        public func subscribe<T: Decodable>(
            to name: String, with args: [String: (any Encodable)?]? = nil, yielding output: T.Type? = nil
        ) -> AnyPublisher<T, ClientError> {
            let values: AnyPublisher<T, TinyvexError> = tinyvex.subscribe(to: name, with: args, yielding: T.self)
            return values.mapError { ClientError($0) }.eraseToAnyPublisher()
        }

        /// Whether the client is connected or connecting: the current state, then each change.
        public func watchWebSocketState() -> AnyPublisher<WebSocketState, Never> { tinyvex.watchWebSocketState() }
    #endif

    /// - Throws: Only ``ClientError``.
    public func mutation<T: Decodable>(_ name: String, with args: [String: (any Encodable)?]? = nil) async throws -> T {
        try await Self.convert { () throws(TinyvexError) in try await self.tinyvex.mutation(name, with: args) as T }
    }

    /// - Throws: Only ``ClientError``.
    public func mutation(_ name: String, with args: [String: (any Encodable)?]? = nil) async throws {
        try await Self.convert { () throws(TinyvexError) in try await self.tinyvex.mutation(name, with: args) as Void }
    }

    /// - Throws: Only ``ClientError``.
    public func action<T: Decodable>(_ name: String, with args: [String: (any Encodable)?]? = nil) async throws -> T {
        try await Self.convert { () throws(TinyvexError) in try await self.tinyvex.action(name, with: args) as T }
    }

    /// - Throws: Only ``ClientError``.
    public func action(_ name: String, with args: [String: (any Encodable)?]? = nil) async throws {
        try await Self.convert { () throws(TinyvexError) in try await self.tinyvex.action(name, with: args) as Void }
    }

    private static func convert<T>(_ call: () async throws(TinyvexError) -> T) async throws -> T {
        do throws(TinyvexError) { return try await call() } catch { throw ClientError(error) }
    }

    // MARK: Convex's client over HTTP

    public func setAuth(token: String) async throws { tinyvex.setAuthToken(token) }

    public func clearAuth() async throws { tinyvex.setAuthToken(nil) }

    /// - Throws: Only ``ConvexClientError``, as all methods with `args`.
    public func query<T: Decodable>(_ name: String, args: some Encodable) async throws -> T {
        try await call { () throws(TinyvexError) in try await self.tinyvex.query(name, params: args) }
    }

    public func query<T: Decodable>(_ name: String, args: [String: (any Encodable)?] = [:]) async throws -> T {
        try await query(name, args: NamedArguments(args))
    }

    @_disfavoredOverload
    public func query<T: Decodable>(_ name: String, args: (any Encodable)?) async throws -> T {
        let args = args ?? EmptyObject()
        return try await call { () throws(TinyvexError) in try await self.tinyvex.query(name, params: args) }
    }

    public func mutation<T: Decodable>(_ name: String, args: some Encodable) async throws -> T {
        try await call { () throws(TinyvexError) in try await self.tinyvex.mutation(name, args: args) }
    }

    public func mutation<T: Decodable>(_ name: String, args: [String: (any Encodable)?]) async throws -> T {
        try await mutation(name, args: NamedArguments(args))
    }

    @_disfavoredOverload
    public func mutation<T: Decodable>(_ name: String, args: (any Encodable)?) async throws -> T {
        let args = args ?? EmptyObject()
        return try await call { () throws(TinyvexError) in try await self.tinyvex.mutation(name, args: args) }
    }

    public func mutation(_ name: String, args: [String: (any Encodable)?]) async throws {
        try await call { () throws(TinyvexError) in
            try await self.tinyvex.mutation(name, args: NamedArguments(args)) as Void
        }
    }

    public func action<T: Decodable>(_ name: String, args: some Encodable) async throws -> T {
        try await call { () throws(TinyvexError) in try await self.tinyvex.action(name, args: args) }
    }

    public func action<T: Decodable>(_ name: String, args: [String: (any Encodable)?]) async throws -> T {
        try await action(name, args: NamedArguments(args))
    }

    @_disfavoredOverload
    public func action<T: Decodable>(_ name: String, args: (any Encodable)?) async throws -> T {
        let args = args ?? EmptyObject()
        return try await call { () throws(TinyvexError) in try await self.tinyvex.action(name, args: args) }
    }

    private func call<T>(_ call: () async throws(TinyvexError) -> T) async throws -> T {
        do throws(TinyvexError) { return try await call() } catch { throw ConvexClientError(error) }
    }
}

/// A ``ConvexClient`` that signs users in with an `AuthProvider`. `T` is the provider's data about a user.
public final class ConvexClientWithAuth<T: Sendable>: ConvexClient, @unchecked Sendable {
    // Unchecked because its superclass is. Safe because its stored properties are constants: functions that are
    // `@Sendable`, and a publisher that has no state of its own.
    private let signIn: @Sendable () async -> Result<T, any Error>
    private let signInFromCache: @Sendable () async -> Result<T, any Error>
    private let signOut: @Sendable () async -> Void

    public convenience init<Provider: AuthProvider>(deploymentUrl: String, authProvider: Provider)
    where Provider.Identity == T {
        self.init(TinyvexClientWithAuth(endpoint: Self.url(deploymentUrl), authProvider: authProvider))
    }

    public init<Provider: AuthProvider>(_ client: TinyvexClientWithAuth<Provider>) where Provider.Identity == T {
        signIn = { await client.login() }
        signInFromCache = { await client.loginFromCache() }
        signOut = { await client.logout() }
        #if canImport(Combine) || COMBINE_STAND_IN
            authState = client.authState
        #endif
        super.init(client)
    }

    #if canImport(Combine) || COMBINE_STAND_IN
        /// Whether a user is signed in: the current state, then each change.
        public let authState: AnyPublisher<AuthState<T>, Never>
    #endif

    @discardableResult
    public func login() async -> Result<T, any Error> { await signIn() }

    @discardableResult
    public func loginFromCache() async -> Result<T, any Error> { await signInFromCache() }

    public func logout() async { await signOut() }
}
