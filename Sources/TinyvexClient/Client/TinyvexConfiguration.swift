import TinyvexSync

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where a client connects to, and how it behaves.
public struct TinyvexConfiguration: Sendable {
    /// Limits and times; see ``SyncConfiguration``.
    public var sync: SyncConfiguration
    /// Why the URL cannot be an endpoint.
    let fault: Endpoint.ParseError?

    public init(endpoint: URL) {
        do throws(Endpoint.ParseError) {
            sync = SyncConfiguration(endpoint: try Endpoint(endpoint))
            fault = nil
        } catch {
            sync = SyncConfiguration(endpoint: .unix(path: ""))
            fault = error
        }
    }
}

extension Endpoint {
    /// As ``init(_:)-(String)``; a file URL is a Unix socket.
    public init(_ url: URL) throws(ParseError) {
        switch url.scheme?.lowercased() {
        case "unix", "file":
            // As it is on disk, without a URL's escapes.
            let path = url.path(percentEncoded: false)
            try self.init("unix:" + path)
        default: try self.init(url.absoluteString)
        }
    }
}
