import TinyvexClient
import TinyvexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The endpoint of an HTTP client, and its limits and times.
public struct HTTPConfiguration: Sendable {
    /// The time without any data after which a request counts as lost. An action can have its own.
    public var timeout: Duration = .seconds(60)
    /// The number of times that a call is sent, if it can be repeated and its answer is lost. At least 1.
    public var attemptsLimit = 4
    /// The shortest delay before another attempt; delays grow to `longestDelay`.
    public var shortestDelay: Duration = .milliseconds(250)
    public var longestDelay: Duration = .seconds(30)
    /// After this many failed requests in a row, a polled value fails; nil: never.
    public var pollFailuresLimit: Int?
    /// Size of one response. The largest value of a bridge has 64 MiB.
    public var responseLimitBytes = 65 << 20

    let endpoint: Result<Endpoint, Endpoint.ParseError>
    /// The part of the path before `/api`, without a final slash: empty, or `/bridge` behind a proxy.
    let prefix: String

    /// - Parameter url: `https://HOST/…` or `http://HOST:PORT`. `wss` and `ws`, and the path `/tinyvex`, mean the
    ///   same bridge. URLSession has no Unix sockets. An invalid endpoint fails at its first use.
    public init(endpoint url: URL) {
        self.init(Result { () throws(Endpoint.ParseError) in try Endpoint(url) })
    }

    init(_ endpoint: Result<Endpoint, Endpoint.ParseError>) {
        self.endpoint = endpoint
        guard case .success(let endpoint) = endpoint else {
            prefix = ""
            return
        }
        var prefix = endpoint.target.prefix { $0 != "?" }
        if prefix.hasSuffix("/") { prefix.removeLast() }
        if prefix.hasSuffix(Endpoint.defaultTarget) { prefix.removeLast(Endpoint.defaultTarget.count) }
        self.prefix = String(prefix)
    }
}
