import JSONScan
import Tinyvex

/// Maps a token's claims to the identity of its bearer. Pure.
///
/// `{"aud":"acpbridge","exp":1763726400,"nbf":1763722800,"sub":"alice","tenant":"acme","role":"control"}`: all claims
/// but `nbf` and `sub` are required. A claim of the wrong type counts as missing, except that such an `nbf` rejects the
/// token.
enum WebTokenClaims {
    /// The permitted difference between the clocks of the issuer and the bridge. It does not apply to `exp`.
    static let clockSkewSeconds = 30.0
    /// The limit of a tenant's name, and of a `sub` that is shown.
    static let nameLimitBytes = 128
    /// About the year 287,396. No number up to this one is rounded or traps.
    private static let latestSeconds = Double(1 << 43)

    /// Returns nil if the claims grant no access now.
    ///
    /// - Parameter now: milliseconds since 1970.
    static func identity(of token: WebToken, audience: String, at now: Int64) -> Identity? {
        let seconds = Double(now) / 1000
        guard isFor(audience, token.claim("aud")),
            let end = token.claim("exp")?.doubleValue, end > seconds,
            isBegun(token.claim("nbf"), at: seconds),
            let role = token.claim("role")?.stringValue.flatMap(Role.init(rawValue:)),
            let tenant = token.claim("tenant")?.stringValue, isName(tenant)
        else { return nil }
        return Identity(
            who: who(token), role: role, tenant: tenant, expiresTs: Int64(min(end, latestSeconds) * 1000))
    }

    private static func isFor(_ audience: String, _ claim: JSONValue?) -> Bool {
        guard let claim else { return false }
        if claim.kind == .array { return claim.elements.contains { $0.stringValue == audience } }
        return claim.stringValue == audience
    }

    private static func isBegun(_ claim: JSONValue?, at seconds: Double) -> Bool {
        guard let claim else { return true }
        return claim.doubleValue.map { $0 <= seconds + clockSkewSeconds } ?? false
    }

    private static func isName(_ text: String) -> Bool {
        (1...nameLimitBytes).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 }
    }

    /// `jwt alice`: shown to other clients and written to the audit log, so it must be one short line.
    private static func who(_ token: WebToken) -> String {
        guard let subject = token.claim("sub")?.stringValue, isName(subject) else { return "jwt" }
        return "jwt \(subject)"
    }
}
