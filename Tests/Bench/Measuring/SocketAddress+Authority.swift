import EventLoop

extension SocketAddress {
    /// The address as the authority of a URL, which is also the value of the `Host` field.
    package var authority: String {
        switch self {
        case .unix: "localhost"
        case .ip(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
    }
}
