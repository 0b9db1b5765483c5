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

    package var isLocal: Bool {
        if case .local = self { true } else { false }
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
    /// The bridge's TCP listeners use TLS.
    let usesTLS: Bool
    /// The origin of the bridge's page at the proxy in front of it, in lower case; nil if there is none.
    let publicOrigin: String?

    package init(
        user: UInt32, allowedOrigins: Set<String>, hosts: HostNames, usesTLS: Bool = false, publicOrigin: String? = nil
    ) {
        self.user = user
        self.allowedOrigins = allowedOrigins
        self.hosts = hosts
        self.usesTLS = usesTLS
        self.publicOrigin = publicOrigin
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
        if let refusal = judgeOrigin(head, from: peer) { return refusal }
        guard case .network = peer, !hosts.include(head.headers.first("Host") ?? "") else { return nil }
        return Refusal(
            status: 421,
            reason: "This bridge does not accept that host name; `acpbridge serve --allow-host` adds a name.")
    }

    /// - Parameters:
    ///   - ticket: returns the identity of a ticket's bearer, or nil if the ticket is not valid. Nil for a route that
    ///     takes no tickets.
    ///   - identity: returns the identity of a token's bearer, or nil if the token is unknown.
    package func judgeToken(
        _ head: RequestHead, from peer: Peer, ticket: ((String) -> Identity?)? = nil, identity: (String) -> Identity?
    ) -> Verdict {
        if peer == .local(user: user) { return .admitted(.localUser(user)) }
        if Self.namesTokenInURL(head.query ?? "") {
            return refused(400, "A token in a URL ends up in logs: send it as `Authorization: Bearer`.")
        }
        if let ticket, let shown = Self.ticket(head) { return judgeTicket(head, shown, ticket) }
        guard let token = BearerToken.shown(by: head) else {
            return refused(
                401, "Exactly one token is required: `Authorization: Bearer`, or the subprotocol `bearer.TOKEN`.")
        }
        guard let identity = identity(token) else {
            return refused(401, "The token is unknown, revoked or expired.")
        }
        return .admitted(identity)
    }

    /// A request shows either a ticket or a token, because the bridge does not guess which one was meant.
    private func judgeTicket(_ head: RequestHead, _ shown: String, _ identity: (String) -> Identity?) -> Verdict {
        guard !BearerToken.isNamed(by: head) else {
            return refused(401, "A ticket or a token is needed, not both.")
        }
        guard let identity = identity(shown) else {
            return refused(401, "The ticket was used or is too old: get another one from /api/v1/tickets.")
        }
        return .admitted(identity)
    }

    /// The value of the query's one member `ticket`; empty, which is never valid, if there are several.
    private static func ticket(_ head: RequestHead) -> String? {
        let tickets = (head.queryMembers ?? []).filter { $0.name == "ticket" }
        return tickets.isEmpty ? nil : tickets.count == 1 ? tickets[0].value : ""
    }

    private func refused(_ status: Int, _ reason: String) -> Verdict {
        .refused(Refusal(status: status, reason: reason))
    }

    /// A browser sends the origin of the page. A page from an origin that is not allowed is refused even if it has a
    /// token.
    private func judgeOrigin(_ head: RequestHead, from peer: Peer) -> Refusal? {
        let origins = head.headers.all("Origin")
        guard let origin = origins.first else { return nil }
        let isAllowed = allowedOrigins.contains(origin.lowercased()) || isOwn(origin, head, peer)
        if origins.count == 1, origin != "null", isAllowed { return nil }
        return Refusal(
            status: 403,
            reason: "Pages of this origin are not allowed to connect; `acpbridge serve --allow-origin` adds an origin.")
    }

    /// Whether the page is the bridge's own. Its `Host` must be a name of the bridge, because of DNS rebinding. No page
    /// is the bridge's own on the Unix socket, because its peers need no token.
    private func isOwn(_ origin: String, _ head: RequestHead, _ peer: Peer) -> Bool {
        guard case .network = peer, let host = head.headers.first("Host"), hosts.include(host) else { return false }
        return OwnOrigin.matches(origin, host: host, usesTLS: usesTLS, publicOrigin: publicOrigin)
    }

    private static func namesTokenInURL(_ query: String) -> Bool {
        query.split(separator: "&").contains { part in
            let written = part.prefix { $0 != "=" }
            let name = (PercentEncoding.decode(written, plusIsSpace: true) ?? String(written)).lowercased()
            return name == "token" || name == "access_token" || name == "bearer"
        }
    }
}
