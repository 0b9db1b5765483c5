/// The secrets that an export hides without a rule of the user: texts that services issue in a form of their own. Pure.
///
/// A secret without such a form, for example a password, is not found. The forms are those of the services'
/// documentation, as in the default rules of gitleaks.
enum SecretPattern {
    /// A token that begins with fixed bytes.
    struct Form {
        let prefix: [UInt8]
        /// The smallest number of token bytes after the prefix.
        let minimum: Int
        fileprivate let isToken: @Sendable (UInt8) -> Bool

        fileprivate init(_ prefix: String, _ minimum: Int, _ isToken: @escaping @Sendable (UInt8) -> Bool) {
            self.prefix = Array(prefix.utf8)
            self.minimum = minimum
            self.isToken = isToken
        }
    }

    /// `Tests/Page/secrets.json` has the same list. The tests hold it against this one and against the page's.
    static let forms: [Form] = [
        // This bridge: the token of its own user, tokens of clients, and the secrets that sign webhooks.
        Form("acpbridge_", 64, isHexadecimal),
        Form("tk_", 73, { isHexadecimal($0) || $0 == UInt8(ascii: "_") }), Form("whsec_", 32, isToken68),
        // Anthropic, OpenAI and services with compatible keys.
        Form("sk-", 20, isURLSafe),
        // GitHub.
        Form("ghp_", 36, isAlphanumeric), Form("gho_", 36, isAlphanumeric), Form("ghu_", 36, isAlphanumeric),
        Form("ghs_", 36, isAlphanumeric), Form("ghr_", 36, isAlphanumeric), Form("github_pat_", 22, isURLSafe),
        // GitLab.
        Form("glpat-", 20, isURLSafe),
        // AWS.
        Form("AKIA", 16, isUpperCase), Form("ASIA", 16, isUpperCase),
        // Slack.
        Form("xoxb-", 10, isURLSafe), Form("xoxp-", 10, isURLSafe), Form("xoxa-", 10, isURLSafe),
        Form("xoxr-", 10, isURLSafe), Form("xoxs-", 10, isURLSafe), Form("xapp-", 10, isURLSafe),
        // Google.
        Form("AIza", 35, isURLSafe), Form("ya29.", 20, isURLSafe),
        // npm, PyPI, Hugging Face, Stripe.
        Form("npm_", 36, isAlphanumeric), Form("pypi-", 50, isURLSafe), Form("hf_", 30, isAlphanumeric),
        Form("sk_live_", 16, isAlphanumeric), Form("rk_live_", 16, isAlphanumeric),
        // A JSON Web Token: its head is a JSON object in base64url. The dots join its three parts.
        Form("eyJ", 40, { isURLSafe($0) || $0 == UInt8(ascii: ".") }),
        // The header field of RFC 6750.
        Form("Bearer ", 20, isToken68), Form("bearer ", 20, isToken68),
    ]

    private static let formsByFirstByte: [UInt8: [Form]] = Dictionary(grouping: forms) { $0.prefix[0] }
    private static let isFirstByte: [Bool] = (0...255).map { formsByFirstByte[$0] != nil || $0 == dash || $0 == colon }
    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    /// The secrets in a text, in rising order.
    static func ranges(in text: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var offset = 0
        while offset < text.count {
            guard isFirstByte[Int(text[offset])], let range = secret(in: text, at: offset) else {
                offset += 1
                continue
            }
            ranges.append(range)
            offset = range.upperBound
        }
        return ranges
    }

    private static func secret(in text: [UInt8], at start: Int) -> Range<Int>? {
        switch text[start] {
        case dash: return privateKey(in: text, at: start)
        case colon: return passwordOfURL(in: text, at: start)
        default: break
        }
        guard start == 0 || !isAlphanumeric(text[start - 1]) else { return nil }
        for form in formsByFirstByte[text[start]] ?? [] where text[start...].starts(with: form.prefix) {
            let first = start + form.prefix.count
            let end = text[first...].firstIndex { !form.isToken($0) } ?? text.count
            if end - first >= form.minimum { return start..<end }
        }
        return nil
    }

    /// A private key of RFC 7468, up to the end of its last line, or of the text if that line is missing.
    private static func privateKey(in text: [UInt8], at start: Int) -> Range<Int>? {
        guard text[start...].starts(with: Array("-----BEGIN ".utf8)) else { return nil }
        let head = text[start...].prefix(headLimitBytes)
        guard let label = find("PRIVATE KEY", in: head) else { return nil }
        guard let last = find("-----END ", in: text[label...]) else { return start..<text.count }
        let end = find("-----", in: text[(last + 9)...]).map { $0 + 5 } ?? text.count
        return start..<end
    }

    /// The longest label of RFC 7468 in use, with room.
    private static let headLimitBytes = 64

    /// The password in `https://user:password@host`. A URL has no white space.
    private static func passwordOfURL(in text: [UInt8], at start: Int) -> Range<Int>? {
        guard start + 3 < text.count, text[start...].starts(with: Array("://".utf8)) else { return nil }
        let authority = text[(start + 3)...].prefix(authorityLimitBytes).prefix {
            $0 > 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'")
        }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
            let separator = authority[..<at].firstIndex(of: colon), separator + 1 < at
        else { return nil }
        return (separator + 1)..<at
    }

    /// A host has at most 255 bytes, and a user with a password rarely more than that.
    private static let authorityLimitBytes = 1 << 10

    private static func find(_ words: String, in text: ArraySlice<UInt8>) -> Int? {
        let words = Array(words.utf8)
        guard text.count >= words.count else { return nil }
        return (text.startIndex...(text.endIndex - words.count)).first { text[$0...].starts(with: words) }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: false
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x66: true
        default: false
        }
    }

    private static func isUpperCase(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) && !(0x61...0x7a).contains(byte)
    }

    private static func isURLSafe(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// `token68` of RFC 9110, section 11.2.
    private static func isToken68(_ byte: UInt8) -> Bool {
        isURLSafe(byte)
            || [UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), 0x3d]
                .contains(byte)
    }
}
