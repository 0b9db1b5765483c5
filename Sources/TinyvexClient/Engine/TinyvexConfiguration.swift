import ProductVersion
import TinyvexMachine
import TinyvexTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The endpoint of a client, and its limits and times.
public struct TinyvexConfiguration: Sendable {
    /// The endpoint, limits and times; see ``SyncConfiguration``.
    public var sync: SyncConfiguration {
        didSet { if sync.endpoint != oldValue.endpoint { fault = nil } }
    }
    /// The reason why the URL is not a valid endpoint. Nil after another endpoint is set.
    private(set) var fault: Endpoint.ParseError?

    /// - Parameter endpoint: `wss://HOST`, `ws://HOST:PORT`, or the path of a bridge's Unix socket as a file URL. `https` and
    ///   `http` mean the same as `wss` and `ws`. An invalid endpoint fails at the client's first use, with
    ///   `.transport(.invalidEndpoint)`.
    public init(endpoint: URL) {
        do throws(Endpoint.ParseError) {
            sync = SyncConfiguration(endpoint: try Endpoint(endpoint))
            fault = nil
        } catch {
            sync = SyncConfiguration(endpoint: .unix(path: ""))
            fault = error
        }
        sync.clientVersion = programVersion
    }
}

extension Endpoint {
    /// Parses a URL like ``init(_:)-(String)``. A file URL is a Unix socket.
    public init(_ url: URL) throws(ParseError) {
        switch url.scheme?.lowercased() {
        case "unix", "file":
            // The path on disk, without percent encoding.
            let path = url.path(percentEncoded: false)
            try self.init("unix:" + path)
        default: try self.init(url.absoluteString)
        }
    }
}
