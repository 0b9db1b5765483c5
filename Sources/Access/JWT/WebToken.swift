import JSONScan
import JSONWebKeys
import Posix

/// A parsed JSON Web Token. Do not trust its claims before its signature has been checked. Pure.
///
/// Rejects tokens that parsers could read differently: a duplicate name in the header or the claims, or a header with
/// extensions (`crit`). Source: RFC 7519; RFC 7515, section 5.2; RFC 8725.
struct WebToken {
    enum Algorithm: String {
        case hs256 = "HS256"
        case rs256 = "RS256"
        case es256 = "ES256"
        case eddsa = "EdDSA"

        init?(name: String) {
            if let algorithm = JSONWebKey.Algorithm(name: name) {
                self.init(rawValue: algorithm.rawValue)
            } else if name == Self.hs256.rawValue {
                self = .hs256
            } else {
                return nil
            }
        }
    }

    let text: String
    let algorithm: Algorithm
    /// The name of the signing key (`kid`); nil if the header has none.
    let keyId: String?
    private let claims: JSONValue
    /// The encoded header and claims, and the dot between them.
    let signedText: Substring
    let signature: [UInt8]

    /// Longer than any real token. A token is sent in an HTTP head, which is limited to 16 KiB.
    static let limitBytes = 8 << 10

    /// Returns nil if the text is not such a token or names none of the algorithms above. `none` is not one of them.
    init?(_ text: String) {
        guard text.utf8.count <= Self.limitBytes else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]), !signature.isEmpty,
            let head = Self.object(parts[0]),
            let claims = Self.object(parts[1]), head["crit"] == nil,
            let algorithm = head["alg"]?.stringValue.flatMap(Algorithm.init(name:))
        else { return nil }
        if let id = head["kid"] {
            guard let name = id.stringValue else { return nil }
            keyId = name
        } else {
            keyId = nil
        }
        self.text = text
        self.algorithm = algorithm
        self.claims = claims
        self.signature = signature
        signedText = text[..<parts[1].endIndex]
    }

    private static func object(_ part: Substring) -> JSONValue? {
        guard let bytes = Base64URL.decode(part), let value = try? JSONValue(validating: bytes), value.kind == .object
        else { return nil }
        return value.repeatsName ? nil : value
    }

    func claim(_ name: String) -> JSONValue? { claims[name] }

    func claim(_ name: ClaimName) -> JSONValue? { name.value(in: claims) }
}
