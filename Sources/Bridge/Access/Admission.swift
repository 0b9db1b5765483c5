import HTTP1

/// Who is at the other end of a connection, as far as the system can tell.
enum Peer: Sendable, Equatable {
    /// On the Unix socket, with the user id the kernel vouches for.
    case local(user: UInt32)
    case network
}

/// Decides who is let in, before anything is done for them. Pure.
///
/// The same user on the Unix socket needs no token. Everyone else needs one, on loopback too: any local user and any
/// web page can connect there.
struct Admission: Sendable {
    let user: UInt32
    let allowedOrigins: Set<String>
    let hosts: HostNames

    enum Verdict: Equatable {
        case admitted(Identity)
        case refused(status: Int, reason: String)
    }

    /// - Parameter identity: whose a token is; nil for one that is not known.
    func judge(_ head: RequestHead, from peer: Peer, identity: (String) -> Identity?) -> Verdict {
        if let verdict = judgeOrigin(head) { return verdict }
        if peer == .local(user: user) { return .admitted(.localUser(user)) }
        if peer == .network, !hosts.include(head.headers.first("Host") ?? "") {
            return .refused(
                status: 421,
                reason: "This bridge does not go by that name; `acpbridge serve --allow-host` adds one to loopback's.")
        }
        if Self.namesTokenInURL(head.query ?? "") {
            return .refused(
                status: 400, reason: "A token in a URL ends up in logs: send it as `Authorization: Bearer`.")
        }
        guard let token = BearerToken.shown(by: head) else {
            return .refused(
                status: 401,
                reason: "A token is needed, once: `Authorization: Bearer`, or the subprotocol `bearer.TOKEN`.")
        }
        guard let identity = identity(token) else {
            return .refused(status: 401, reason: "The token is not known here, or not any more.")
        }
        return .admitted(identity)
    }

    /// A browser says where a page came from; a page that was not allowed is refused whatever it knows.
    private func judgeOrigin(_ head: RequestHead) -> Verdict? {
        let origins = head.headers.all("Origin")
        guard let origin = origins.first else { return nil }
        if origins.count == 1, origin != "null", allowedOrigins.contains(origin.lowercased()) { return nil }
        return .refused(
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
