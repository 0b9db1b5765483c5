import JSONScan

/// A JSON Web Token, taken apart: what it says, which is worth nothing before its signature has been checked. Pure.
///
/// Strict where readers could differ: a name that stands twice in the head or among the claims makes it none, and so
/// does a head with extensions (`crit`). Source: RFC 7519; RFC 7515, section 5.2; RFC 8725.
struct WebToken {
    enum Algorithm: String {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
    }

    let text: String
    let algorithm: Algorithm
    private let claims: JSONValue

    /// More than any has: it is shown in a head of 16 KiB.
    static let limitBytes = 8 << 10

    /// Nil for what is no such token, or is signed by none of the algorithms, `none` among them.
    init?(_ text: String) {
        guard text.utf8.count <= Self.limitBytes else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, Base64URL.decode(parts[2])?.isEmpty == false, let head = Self.object(parts[0]),
            let claims = Self.object(parts[1]), head["crit"] == nil,
            let algorithm = head["alg"]?.stringValue.flatMap(Algorithm.init(rawValue:))
        else { return nil }
        self.text = text
        self.algorithm = algorithm
        self.claims = claims
    }

    private static func object(_ part: Substring) -> JSONValue? {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue(validating: bytes), value.kind == .object
        else { return nil }
        return value.repeatsName ? nil : value
    }

    func claim(_ name: String) -> JSONValue? { claims[name] }
}
