import TinyvexSync

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A client of one bridge: sessions as they happen, values as they change, and agents of one's own.
///
///     let client = TinyvexClient(endpoint: url)
///     for try await update in client.subscribeSessionUpdates(sessionId: "s1") { … }
///
/// One is enough for a program. It connects when something asks for it, connects anew when the connection is lost, and
/// goes on where it was. It lives as long as the program holds it or one of its streams.
///
/// What it can do stands at ``BridgeClient``.
public final class TinyvexClient: BridgeClient {
    public let engine: ClientEngine

    /// - Parameter endpoint: `wss://HOST/…`, `ws://HOST:PORT`, `https` and `http` alike, `unix:/PATH` or a file URL. What
    ///   cannot be an endpoint fails when it is first used, with an error that says so.
    public convenience init(endpoint: URL) { self.init(configuration: TinyvexConfiguration(endpoint: endpoint)) }

    /// - Parameter authToken: see ``BridgeClient/setAuthToken(_:)``.
    /// - Parameter transport: how to reach the bridge; ``InProcessTransport`` plays one in tests.
    public init(
        configuration: TinyvexConfiguration, authToken: String? = nil, transport: any Transport = SocketTransport()
    ) {
        engine = ClientEngine(configuration, authToken: authToken, transport: transport)
    }
}

/// What ``TinyvexClient`` and ``TinyvexClientWithAuth`` have in common: everything but signing in.
public protocol BridgeClient: AnyObject, Sendable {
    var engine: ClientEngine { get }
}

/// What a client rests on. For this library alone.
public struct ClientEngine: Sendable {
    let sync: SyncClient
    let handlers: AgentHandlers

    init(_ configuration: TinyvexConfiguration, authToken: String?, transport: any Transport) {
        let transport = configuration.fault.map { InvalidEndpointTransport(fault: $0) as any Transport } ?? transport
        sync = SyncClient(configuration.sync, token: authToken, transport: transport)
        handlers = AgentHandlers(sync)
    }
}

/// Stands in where the endpoint cannot be one.
private struct InvalidEndpointTransport: Transport {
    let fault: Endpoint.ParseError

    func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
        throw .invalidEndpoint(reason: fault.description)
    }
}
