import HTTP1

/// The token of a request. It is sent in `Authorization: Bearer TOKEN`, or as the subprotocol `bearer.TOKEN` next to
/// `tinyvex.v1`, because a browser's WebSocket cannot set header fields.
package enum BearerToken {
    private static let subprotocolPrefix = "bearer."

    /// Returns nil if the request has no token or more than one, because the bridge does not guess which token was
    /// meant.
    static func shown(by head: RequestHead) -> String? {
        let authorizations = head.headers.all("Authorization")
        let subprotocols = head.headers.tokens("Sec-WebSocket-Protocol").filter { $0.hasPrefix(subprotocolPrefix) }
        guard authorizations.count + subprotocols.count == 1 else { return nil }
        let token = subprotocols.first.map { $0.dropFirst(subprotocolPrefix.count) } ?? credentials(authorizations[0])
        return token.flatMap { $0.isEmpty ? nil : String($0) }
    }

    /// Returns whether the request has any token, valid or not.
    package static func isNamed(by head: RequestHead) -> Bool {
        head.headers.first("Authorization") != nil
            || head.headers.tokens("Sec-WebSocket-Protocol").contains { $0.hasPrefix(subprotocolPrefix) }
    }

    private static func credentials(_ value: String) -> Substring? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].drop { $0 == " " }
    }
}
