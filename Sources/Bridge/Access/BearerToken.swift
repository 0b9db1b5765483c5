import HTTP1

/// Where a request may carry a token: in `Authorization: Bearer TOKEN`, or, as a browser's WebSocket can send no field
/// of its own, as the subprotocol `bearer.TOKEN` beside `tinyvex.v1`.
enum BearerToken {
    private static let subprotocolPrefix = "bearer."

    /// Nil where there is none, or more than one: which of them was meant is not guessed.
    static func shown(by head: RequestHead) -> String? {
        let authorizations = head.headers.all("Authorization")
        let subprotocols = head.headers.tokens("Sec-WebSocket-Protocol").filter { $0.hasPrefix(subprotocolPrefix) }
        guard authorizations.count + subprotocols.count == 1 else { return nil }
        let token = subprotocols.first.map { $0.dropFirst(subprotocolPrefix.count) } ?? credentials(authorizations[0])
        return token.flatMap { $0.isEmpty ? nil : String($0) }
    }

    private static func credentials(_ value: String) -> Substring? {
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1].drop { $0 == " " }
    }
}
