import JSONScan
import Tinyvex

/// The rules for the claims of an issuer's tokens: required values, the names of the claims, and the roles. Pure.
package struct TokenRules: Sendable, Equatable {
    /// The value that `aud` must contain.
    package var audience: String
    /// The value that `iss` must have; nil accepts every issuer whose key the bridge has.
    package var issuer: String?
    package var tenantClaim: ClaimName
    /// A claim with a role: one string with names that spaces separate, as in OAuth's `scope`, or an array of names.
    package var roleClaim: ClaimName
    package var subjectClaim: ClaimName
    /// The role for each name in the role claim. Other names count as missing.
    package var roles: [String: Role]

    /// The bridge's own names of its roles.
    package static let standardRoles = Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0.rawValue, $0) })

    package init(
        audience: String, issuer: String? = nil, tenantClaim: ClaimName = ClaimName("tenant"),
        roleClaim: ClaimName = ClaimName("role"), subjectClaim: ClaimName = ClaimName("sub"),
        roles: [String: Role] = TokenRules.standardRoles
    ) {
        self.audience = audience
        self.issuer = issuer
        self.tenantClaim = tenantClaim
        self.roleClaim = roleClaim
        self.subjectClaim = subjectClaim
        self.roles = roles
    }

    /// Returns the highest role among the names of a role claim; nil if none of them is known.
    func role(_ claim: JSONValue?) -> Role? {
        guard let claim else { return nil }
        let names =
            claim.kind == .array
            ? claim.elements.compactMap(\.stringValue)
            : claim.stringValue?.split(separator: " ").map(String.init) ?? []
        return names.compactMap { roles[$0] }.max()
    }
}

/// The name of a claim: `tenant`, `https://example.com/tenant`, or a path in nested objects, `app_metadata.tenant_id`.
package struct ClaimName: Sendable, Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Returns the claim's value. A claim with the whole name comes first; otherwise dots separate the names of nested
    /// objects. Returns nil if the claim is missing, or if an object on the path has a name twice, because parsers could
    /// read that differently.
    func value(in claims: JSONValue) -> JSONValue? {
        if claims.repeatsName { return nil }
        if let whole = claims[text] { return whole }
        var value = claims
        for name in text.split(separator: ".", omittingEmptySubsequences: false) {
            guard value.kind == .object, !value.repeatsName, let next = value[String(name)] else { return nil }
            value = next
        }
        return value
    }
}
