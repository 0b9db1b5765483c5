import TinyvexSync
import TinyvexTransport

#if os(Linux)
    import TinyvexSockets
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A client of one bridge. It follows sessions and values live, and runs its own agents.
///
///     let client = TinyvexClient(endpoint: url)
///     for try await update in client.subscribeSessionUpdates(sessionId: "s1") { … }
///
/// One client is enough for a program. It connects with the first call or subscription, reconnects when the
/// connection is lost, and resumes its streams. It lives as long as the program holds the client or one of its
/// streams.
///
/// ``BridgeClient`` has its methods.
public final class TinyvexClient: BridgeClient {
    public let engine: ClientEngine

    #if os(Linux)
        /// - Parameter endpoint: `wss://HOST/…`, `ws://HOST:PORT`, `https` or `http` instead of them, `unix:/PATH`, or
        ///   a file URL. An invalid endpoint fails at its first use, with an error that states the reason.
        public convenience init(endpoint: URL) { self.init(configuration: TinyvexConfiguration(endpoint: endpoint)) }

        /// - Parameter authToken: See ``BridgeClient/setAuthToken(_:)``.
        /// - Parameter transport: The transport to the bridge. In tests, ``InProcessTransport`` replaces the bridge.
        public init(
            configuration: TinyvexConfiguration, authToken: String? = nil, transport: any Transport = SocketTransport()
        ) {
            engine = ClientEngine(configuration, authToken: authToken, transport: transport)
        }
    #else
        /// No transport is built in on this platform.
        ///
        /// - Parameter authToken: See ``BridgeClient/setAuthToken(_:)``.
        public init(configuration: TinyvexConfiguration, authToken: String? = nil, transport: any Transport) {
            engine = ClientEngine(configuration, authToken: authToken, transport: transport)
        }
    #endif
}

/// The methods that ``TinyvexClient`` and ``TinyvexClientWithAuth`` share: everything except sign-in.
public protocol BridgeClient: AnyObject, Sendable {
    var engine: ClientEngine { get }
}

/// The implementation of a client. Only for use by this library.
public struct ClientEngine: Sendable {
    let sync: SyncClient
    let handlers: AgentHandlers

    init(_ configuration: TinyvexConfiguration, authToken: String?, transport: any Transport) {
        let transport = configuration.fault.map { InvalidEndpointTransport(fault: $0) as any Transport } ?? transport
        sync = SyncClient(configuration.sync, token: authToken, transport: transport)
        handlers = AgentHandlers(sync)
    }
}

/// Replaces the transport when the endpoint is invalid.
private struct InvalidEndpointTransport: Transport {
    let fault: Endpoint.ParseError

    func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
        throw .invalidEndpoint(reason: fault.description)
    }
}
