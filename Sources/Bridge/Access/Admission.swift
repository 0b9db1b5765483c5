import EventLoop
import HTTP1

/// Who is at the other end of a connection, as far as the system can tell.
enum Peer: Sendable, Equatable {
    /// On the Unix socket, with the user id the kernel vouches for.
    case local(user: UInt32)
    /// Over TCP, from this address; nil where the peer has gone already.
    case network(NetworkAddress?)
}

extension Peer {
    var address: NetworkAddress? {
        if case .network(let address) = self { return address }
        return nil
    }
}

/// Decides who is let in, before anything is done for them. Pure.
///
/// The same user on the Unix socket needs no token. Everyone else needs one, on loopback too: any local user and any
/// web page can connect there.
struct Admission: Sendable {
    let user: UInt32
    let allowedOrigins: Set<String>
    let hosts: HostNames

    struct Refusal: Error, Equatable {
        let status: Int
        /// One sentence.
        let reason: String
    }

    enum Verdict: Equatable {
        case admitted(Identity)
        case refused(Refusal)
    }

    /// Whether the request comes from a page that may ask, and asks for a name of this bridge. Nil where it does.
    func judgeNames(_ head: RequestHead, from peer: Peer) -> Refusal? {
        if let refusal = judgeOrigin(head) { return refusal }
        guard case .network = peer, !hosts.include(head.headers.first("Host") ?? "") else { return nil }
        return Refusal(
            status: 421,
            reason: "This bridge does not go by that name; `acpbridge serve --allow-host` adds one to loopback's.")
    }

    /// - Parameter identity: whose a token is; nil for one that is not known.
    func judgeToken(_ head: RequestHead, from peer: Peer, identity: (String) -> Identity?) -> Verdict {
        if peer == .local(user: user) { return .admitted(.localUser(user)) }
        if Self.namesTokenInURL(head.query ?? "") {
            return refused(400, "A token in a URL ends up in logs: send it as `Authorization: Bearer`.")
        }
        guard let token = BearerToken.shown(by: head) else {
            return refused(
                401, "A token is needed, once: `Authorization: Bearer`, or the subprotocol `bearer.TOKEN`.")
        }
        guard let identity = identity(token) else {
            return refused(401, "The token is not known here, or not any more.")
        }
        return .admitted(identity)
    }

    private func refused(_ status: Int, _ reason: String) -> Verdict {
        .refused(Refusal(status: status, reason: reason))
    }

    /// A browser says where a page came from; a page that was not allowed is refused whatever it knows.
    private func judgeOrigin(_ head: RequestHead) -> Refusal? {
        let origins = head.headers.all("Origin")
        guard let origin = origins.first else { return nil }
        if origins.count == 1, origin != "null", allowedOrigins.contains(origin.lowercased()) { return nil }
        return Refusal(
            status: 403,
            reason: "Pages of this origin may not connect; `acpbridge serve --allow-origin` names those that may.")
    }

    private static func namesTokenInURL(_ query: String) -> Bool {
        query.split(separator: "&").contains { part in
            let name = part.prefix { $0 != "=" }.lowercased()
            return name == "token" || name == "access_token" || name == "bearer"
        }
    }
}
