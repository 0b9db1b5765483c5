import HTTP1
import TextSearch

/// The address under which others reach a bridge through a proxy. It comes from the configuration only: the bridge
/// reads no scheme, host or path from a field of a request.
package struct PublicAddress: Sendable, Equatable {
    /// In lower case, without a default port: `https://bridge.example`.
    package let origin: String
    /// The host without a port, in lower case.
    package let host: String
    /// The path in front of the bridge's own paths: `/base`; empty for none.
    package let path: String

    package init(origin: String, host: String, path: String) {
        (self.origin, self.host, self.path) = (origin, host, path)
    }

    /// The host with its port: `bridge.example:8443`.
    package var authority: String { origin.range(of: "://").map { String(origin[$0.upperBound...]) } ?? host }

    package var usesTLS: Bool { origin.hasPrefix("https:") }

    /// `https://bridge.example/base`
    package var url: String { origin + path }

    /// The page with a session: `https://bridge.example/base/#/s/s1/9f03c2aa-16-1`.
    ///
    /// - Parameter journal: empty if it is not known yet; the page then shows the newest session of the id.
    package func page(ofSession id: String, journal: String) -> String {
        "\(url)/#/s/\(PercentEncoding.encode(id))/\(PercentEncoding.encode(journal))"
    }

    /// Returns the head of a request that a proxy passed on, without this path. A proxy that has removed the path
    /// itself gets the same answers.
    package func local(_ head: RequestHead) -> RequestHead {
        guard !path.isEmpty, head.target.hasPrefix(path + "/") else { return head }
        return RequestHead(
            method: head.method, target: String(head.target.dropFirst(path.count)), minorVersion: head.minorVersion,
            headers: head.headers)
    }
}
