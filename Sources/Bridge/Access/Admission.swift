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
    let token: AccessToken
    let allowedOrigins: Set<String>

    enum Verdict: Equatable {
        case admitted(Identity)
        case refused(status: Int, reason: String)
    }

    func judge(_ head: RequestHead, from peer: Peer) -> Verdict {
        if let verdict = judgeOrigin(head) { return verdict }
        if peer == .local(user: user) { return .admitted(.localUser(user)) }
        if peer == .network, !isLoopbackHost(head.headers.first("Host") ?? "") {
            return .refused(status: 421, reason: "This bridge answers to loopback names only.")
        }
        if namesTokenInURL(head.query ?? "") {
            return .refused(
                status: 400, reason: "A token in a URL ends up in logs: send it as `Authorization: Bearer`.")
        }
        guard let given = bearer(head) else {
            return .refused(
                status: 401, reason: "A token is needed: `Authorization: Bearer`, from the bridge's token file.")
        }
        guard token.matches(given) else { return .refused(status: 401, reason: "The token is not known here.") }
        return .admitted(.tokenFile)
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

    /// Under another name a page could reach a loopback address through a DNS answer of its own making.
    private func isLoopbackHost(_ host: String) -> Bool {
        let name: Substring
        if host.hasPrefix("[") {
            name = host.prefix { $0 != "]" }.dropFirst()
        } else {
            name = host.prefix { $0 != ":" }
        }
        let lower = name.lowercased()
        return lower == "localhost" || lower.hasSuffix(".localhost") || lower == "::1" || isLoopbackIPv4(lower)
    }

    private func isLoopbackIPv4(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private func namesTokenInURL(_ query: String) -> Bool {
        query.split(separator: "&").contains { part in
            let name = part.prefix { $0 != "=" }.lowercased()
            return name == "token" || name == "access_token" || name == "bearer"
        }
    }

    private func bearer(_ head: RequestHead) -> String? {
        let values = head.headers.all("Authorization")
        guard values.count == 1, let value = values.first else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1].drop { $0 == " " })
    }
}
