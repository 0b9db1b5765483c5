/// Bounds on the texts that an agent or an editor supplies for a session. Each row of a list repeats these texts, so
/// without a bound one session could make every list too large for its readers.
package enum FieldLimit {
    /// 1 KiB: agents use UUIDs. A session with a longer id is not published, since a cut id would name another session.
    package static let sessionIdBytes = 1 << 10
    /// Unicode scalars of a title. The rest is cut off.
    package static let titleCharacters = 1_000
    /// Unicode scalars of the first prompt. This is enough to find a session. The whole prompt is on the session's
    /// timeline.
    package static let promptCharacters = 1_000
    /// Unicode scalars of an agent's name. The rest is cut off.
    package static let agentCharacters = 256
    /// 128 bytes, as in tokens. A longer name at a hub or a peer counts as missing, which hides the session from all tenants.
    package static let tenantBytes = 128
    /// 4 KiB, the kernel's PATH_MAX. A longer folder path is left out, because a cut path would name another folder.
    package static let folderBytes = 4 << 10
    /// 512 bytes of JSON text: two numbers, a cost, a rate limit and the consumed tokens have about 400.
    package static let usageBytes = 512
    /// ISO 4217 has three letters, and some agents count in credits.
    fileprivate static let currencyBytes = 16
}

extension String {
    /// Returns the first scalars, at most `limit`. Unlike `prefix`, this also bounds the bytes, because one `Character`
    /// can have any number of scalars.
    package func prefix(scalars limit: Int) -> String {
        // A scalar takes at most four bytes, so most texts need no scan.
        guard utf8.count > limit else { return self }
        return String(unicodeScalars.prefix(limit))
    }

    /// The text, if it can name a currency: it is not empty, has at most 16 bytes, and all its characters are shown. Nil otherwise.
    package var currency: String? {
        !isEmpty && unicodeScalars.allSatisfy(\.isShown) ? within(bytes: FieldLimit.currencyBytes) : nil
    }

    /// Returns nil if the text has more UTF-8 bytes than `limit`.
    package func within(bytes limit: Int) -> String? { utf8.count <= limit ? self : nil }
}

extension Unicode.Scalar {
    fileprivate var isShown: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
