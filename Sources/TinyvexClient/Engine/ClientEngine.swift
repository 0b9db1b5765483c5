import TinyvexSync
import TinyvexTransport

/// The implementation of a client. Only for use by this library.
public struct ClientEngine: Sendable {
    let sync: SyncClient
    let handlers: AgentHandlers
    /// The client's endpoint, or the reason why it is not valid.
    package let endpoint: Result<Endpoint, Endpoint.ParseError>

    init(_ configuration: TinyvexConfiguration, authToken: String?, transport: any Transport) {
        let transport = configuration.fault.map { InvalidEndpointTransport(fault: $0) as any Transport } ?? transport
        sync = SyncClient(configuration.sync, token: authToken, transport: transport)
        handlers = AgentHandlers(sync)
        endpoint = configuration.fault.map { .failure($0) } ?? .success(configuration.sync.endpoint)
    }

    /// The token of later connections, for the client's requests over HTTP.
    package var token: String? { sync.token }
}

/// Replaces the transport when the endpoint is invalid.
private struct InvalidEndpointTransport: Transport {
    let fault: Endpoint.ParseError

    func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
        throw .invalidEndpoint(reason: fault.description)
    }
}
