import EventLoop
import Glibc
import TinyvexTransport

/// The way in which an endpoint is reached.
enum ConnectionRoute: Equatable {
    /// These sockets, tried in order. Only for endpoints on this machine, which need no name lookup, no proxy and no
    /// TLS.
    case direct([SocketAddress])
    /// All other endpoints, through libcurl. `https://host:port` or `http://host:port`.
    case curl(url: String)

    init(_ endpoint: Endpoint) {
        switch endpoint.address {
        case .unix(let path): self = .direct([.unix(path: path)])
        case .host(let host, let port, isSecure: false) where !Self.loopbackAddresses(host).isEmpty:
            self = .direct(Self.loopbackAddresses(host).map { .ip(host: $0, port: port) })
        case .host(_, _, let isSecure): self = .curl(url: "\(isSecure ? "https" : "http")://\(endpoint.hostField)")
        }
    }

    private static func loopbackAddresses(_ host: String) -> [String] {
        if host.lowercased() == "localhost" { return ["127.0.0.1", "::1"] }
        var address = in_addr()
        let isLoopback = inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
        return isLoopback || host == "::1" ? [host] : []
    }
}
