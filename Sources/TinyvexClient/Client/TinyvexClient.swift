import TinyvexTransport

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

    /// - Parameter endpoint: `wss://HOST/…`, `ws://HOST:PORT`, `https` or `http` instead of them; on Linux also
    ///   `unix:/PATH` or a file URL. An invalid endpoint fails at its first use, with an error that states the reason.
    public convenience init(endpoint: URL) { self.init(configuration: TinyvexConfiguration(endpoint: endpoint)) }

    /// - Parameter configuration: The endpoint, limits and times.
    /// - Parameter authToken: See ``BridgeClient/setAuthToken(_:)``.
    /// - Parameter transport: The transport to the bridge. In tests, ``InProcessTransport`` replaces the bridge.
    public init(
        configuration: TinyvexConfiguration, authToken: String? = nil, transport: any Transport = standardTransport()
    ) {
        engine = ClientEngine(configuration, authToken: authToken, transport: transport)
    }
}

/// The methods that ``TinyvexClient`` and ``TinyvexClientWithAuth`` share: everything except sign-in.
public protocol BridgeClient: AnyObject, Sendable {
    var engine: ClientEngine { get }
}
