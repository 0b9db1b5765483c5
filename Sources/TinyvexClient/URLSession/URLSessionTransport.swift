#if !os(Linux) || TINYVEX_PORTABLE
    import Foundation
    import TinyvexTransport

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// WebSockets over `URLSession`, which uses the system's proxies, certificates and rules for networks.
    ///
    /// It differs from `SocketTransport` in four points:
    /// - `unix:` endpoints are refused, because URLSession has no Unix sockets.
    /// - URLSession answers pings itself and does not report them, so `lastHeard` is the time of the last message.
    /// - URLSession reads ahead. A reader that stops therefore does not stop its peer at once.
    /// - The body of a refused handshake is not available, so `.refused` has no reason.
    public struct URLSessionTransport: Transport {
        private let configuration: Configuration

        // Unchecked because `URLSessionConfiguration` is a class that can be changed, and is not `Sendable` on each
        // platform. Safe because this one is a copy that only this file reads and nothing changes; each session copies
        // it again.
        private struct Configuration: @unchecked Sendable {
            let value: URLSessionConfiguration
        }

        /// - Parameter configuration: Copied now. A proxy or a rule for cellular networks can be set in it.
        public init(configuration: URLSessionConfiguration = .ephemeral) {
            let copy = configuration.copy() as? URLSessionConfiguration
            self.configuration = Configuration(value: copy ?? configuration)
        }

        public func connect(_ request: ConnectionRequest) async throws(TransportFailure) -> any TransportConnection {
            let connection = URLSessionConnection(
                try Self.urlRequest(request), request, configuration: configuration.value)
            try await connection.open()
            return connection
        }

        /// - Throws: `.invalidEndpoint` for an endpoint that URLSession cannot reach.
        static func urlRequest(_ request: ConnectionRequest) throws(TransportFailure) -> URLRequest {
            guard case .host = request.endpoint.address else {
                throw .invalidEndpoint(
                    reason: "this platform cannot connect to '\(request.endpoint)'; use wss://HOST or ws://HOST:PORT")
            }
            guard let url = URL(string: request.endpoint.description) else {
                throw .invalidEndpoint(reason: "'\(request.endpoint)' is not a URL")
            }
            var urlRequest = URLRequest(url: url)
            if let token = request.token { urlRequest.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            for field in request.fields { urlRequest.setValue(field.value, forHTTPHeaderField: field.name) }
            return urlRequest
        }
    }
#endif
