import EventLoop

/// The secret that a bridge makes at its first start, for its own user's programs: 32 random bytes in hexadecimal, in a
/// file only that user can read. Whoever shows it is an admin.
public struct AccessToken: Sendable {
    public let text: String

    /// More than any token has, a JWT included.
    private static let limitBytes = 16 << 10

    /// Reads the file; makes it, mode 0600, where there is none. Refuses one that another user can change: its token
    /// would be an admin's.
    public static func load(path: String) throws(SystemError) -> AccessToken {
        if let text = try read(path, isBelieved: true) { return AccessToken(text: text) }
        guard let text = RandomText.hexadecimal(byteCount: 32) else { throw SystemError("getrandom") }
        try PrivateFile.replace(path, with: Array((text + "\n").utf8))
        return AccessToken(text: try read(path) ?? text)
    }

    /// The first word of a token's file; nil where there is none. Whose file it is does not matter to a client, which
    /// only shows the token.
    public static func read(_ path: String) throws(SystemError) -> String? { try read(path, isBelieved: false) }

    private static func read(_ path: String, isBelieved: Bool) throws(SystemError) -> String? {
        let read = try PrivateFile.read(path, limitBytes: limitBytes, isBelieved: isBelieved)
        guard let bytes = read else { return nil }
        let text = bytes.prefix { $0 > 0x20 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    public func matches(_ candidate: String) -> Bool {
        ConstantTime.areEqual(Array(text.utf8), Array(candidate.utf8))
    }
}
