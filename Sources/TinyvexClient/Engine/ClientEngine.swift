import TinyvexSync
import TinyvexTransport

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
