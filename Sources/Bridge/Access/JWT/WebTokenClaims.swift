import JSONScan
import Tinyvex

/// Whom a token makes of its bearer. Pure.
///
/// `{"aud":"acpbridge","exp":1763726400,"nbf":1763722800,"sub":"alice","tenant":"acme","role":"control"}`: all but `nbf`
/// and `sub` are needed. What is of another type than it should be is as bad as what is missing.
enum WebTokenClaims {
    /// The clocks of an issuer and a bridge may differ so much. For the end they must not.
    static let clockSkewSeconds = 30.0
    /// A tenant's name, and as much of a `sub` as is said.
    static let nameLimitBytes = 128
    /// About the year 287,396. No number up to here is rounded, or traps.
    private static let latestSeconds = Double(1 << 43)

    /// Nil where it says nothing that opens a door now.
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

    /// `jwt alice`: said to others and written down, so it is kept to one short line.
    private static func who(_ token: WebToken) -> String {
        guard let subject = token.claim("sub")?.stringValue, isName(subject) else { return "jwt" }
        return "jwt \(subject)"
    }
}
