import EventLoop
import HTTP1

/// The peer of a connection, as far as the operating system can identify it.
package enum Peer: Sendable, Equatable {
    /// A peer on the Unix socket, with the user id that the kernel reports for it.
    case local(user: UInt32)
    /// A TCP peer at this address; nil if the peer has already disconnected.
    case network(NetworkAddress?)
}

extension Peer: CustomStringConvertible {
    /// The name in the daemon's own log: an address, or `uid 1000`.
    package var description: String {
        switch self {
        case .local(let user): "uid \(user)"
        case .network(let address): address?.description ?? "unknown"
        }
    }

    package var address: NetworkAddress? {
        if case .network(let address) = self { return address }
        return nil
    }
}

/// Decides whether a request is admitted, before the bridge does any work for it. Pure.
///
/// The bridge's own user needs no token on the Unix socket. Every other peer needs a token, on loopback too, because
/// any local user and any web page can connect there.
package struct Admission: Sendable {
    package let user: UInt32
    let allowedOrigins: Set<String>
    let hosts: HostNames

    package init(user: UInt32, allowedOrigins: Set<String>, hosts: HostNames) {
        self.user = user
        self.allowedOrigins = allowedOrigins
        self.hosts = hosts
    }

    package struct Refusal: Error, Equatable {
        package let status: Int
        /// One sentence.
        package let reason: String
    }

    package enum Verdict: Equatable {
        case admitted(Identity)
        case refused(Refusal)
    }

    /// Checks that the request's `Origin` is allowed and that its `Host` is a name of this bridge. Returns nil if both
    /// are.
    package func judgeNames(_ head: RequestHead, from peer: Peer) -> Refusal? {
        if let refusal = judgeOrigin(head) { return refusal }
        guard case .network = peer, !hosts.include(head.headers.first("Host") ?? "") else { return nil }
        return Refusal(
            status: 421,
            reason: "This bridge does not accept that host name; `acpbridge serve --allow-host` adds a name.")
    }

    /// - Parameter identity: returns the identity of a token's bearer, or nil if the token is unknown.
    package func judgeToken(_ head: RequestHead, from peer: Peer, identity: (String) -> Identity?) -> Verdict {
        if peer == .local(user: user) { return .admitted(.localUser(user)) }
        if Self.namesTokenInURL(head.query ?? "") {
            return refused(400, "A token in a URL ends up in logs: send it as `Authorization: Bearer`.")
        }
        guard let token = BearerToken.shown(by: head) else {
            return refused(
                401, "Exactly one token is required: `Authorization: Bearer`, or the subprotocol `bearer.TOKEN`.")
        }
        guard let identity = identity(token) else {
            return refused(401, "The token is unknown, revoked or expired.")
        }
        return .admitted(identity)
    }

    private func refused(_ status: Int, _ reason: String) -> Verdict {
        .refused(Refusal(status: status, reason: reason))
    }

    /// A browser sends the origin of the page. A page from an origin that is not allowed is refused even if it has a
    /// token.
    private func judgeOrigin(_ head: RequestHead) -> Refusal? {
        let origins = head.headers.all("Origin")
        guard let origin = origins.first else { return nil }
        if origins.count == 1, origin != "null", allowedOrigins.contains(origin.lowercased()) { return nil }
        return Refusal(
            status: 403,
            reason: "Pages of this origin are not allowed to connect; `acpbridge serve --allow-origin` adds an origin.")
    }

    private static func namesTokenInURL(_ query: String) -> Bool {
        query.split(separator: "&").contains { part in
            let name = part.prefix { $0 != "=" }.lowercased()
            return name == "token" || name == "access_token" || name == "bearer"
        }
    }
}
