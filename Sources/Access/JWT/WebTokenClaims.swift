import JSONScan
import Tinyvex

/// Maps a token's claims to the identity of its bearer. Pure.
///
/// `{"aud":"acpbridge","exp":1763726400,"nbf":1763722800,"sub":"alice","tenant":"acme","role":"control"}`: all claims
/// but `nbf` and `sub` are required. A claim of the wrong type counts as missing, except that such an `nbf` rejects the
/// token. ``TokenRules`` can require an `iss`, and gives the names of the last three claims.
enum WebTokenClaims {
    /// The permitted difference between the clocks of the issuer and the bridge. It does not apply to `exp`.
    static let clockSkewSeconds = 30.0
    /// The limit of a tenant's name, and of a `sub` that is shown.
    static let nameLimitBytes = 128
    /// Characters that act on a terminal, or hide or turn other text. The audit log has names as they are.
    private static let unsafeCategories: Set<Unicode.GeneralCategory> = [
        .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned,
    ]
    /// About the year 287,396. No number up to this one is rounded or traps.
    private static let latestSeconds = Double(1 << 43)

    /// Returns nil if the claims grant no access now.
    ///
    /// - Parameter now: milliseconds since 1970.
    static func identity(of token: WebToken, _ rules: TokenRules, at now: Int64) -> Identity? {
        let seconds = Double(now) / 1000
        guard isFor(rules.audience, token.claim("aud")), isIssued(by: rules.issuer, token.claim("iss")),
            let end = token.claim("exp")?.doubleValue, end > seconds,
            isBegun(token.claim("nbf"), at: seconds),
            let role = rules.role(token.claim(rules.roleClaim)),
            let tenant = token.claim(rules.tenantClaim)?.stringValue, isName(tenant)
        else { return nil }
        return Identity(
            who: who(token.claim(rules.subjectClaim)), role: role, tenant: tenant,
            expiresTs: Int64(min(end, latestSeconds) * 1000))
    }

    private static func isFor(_ audience: String, _ claim: JSONValue?) -> Bool {
        guard let claim else { return false }
        if claim.kind == .array { return claim.elements.contains { $0.stringValue == audience } }
        return claim.stringValue == audience
    }

    /// The text must be equal, without any normalisation of URLs. Source: RFC 7519, section 4.1.1.
    private static func isIssued(by issuer: String?, _ claim: JSONValue?) -> Bool {
        guard let issuer else { return true }
        return claim?.stringValue == issuer
    }

    private static func isBegun(_ claim: JSONValue?, at seconds: Double) -> Bool {
        guard let claim else { return true }
        return claim.doubleValue.map { $0 <= seconds + clockSkewSeconds } ?? false
    }

    private static func isName(_ text: String) -> Bool {
        (1...nameLimitBytes).contains(text.utf8.count)
            && !text.unicodeScalars.contains { unsafeCategories.contains($0.properties.generalCategory) }
    }

    /// `jwt alice`: shown to other clients and written to the audit log, so it must be one short line.
    private static func who(_ claim: JSONValue?) -> String {
        guard let subject = claim?.stringValue, isName(subject) else { return "jwt" }
        return "jwt \(subject)"
    }
}
