/// Bounds on the texts that an agent or an editor gives for a session. Each row of a list repeats them, so without a bound
/// one session could make every list too large for its readers.
public enum FieldLimit {
    /// 1 KiB: agents use UUIDs. A session with a longer id is not published, since a cut id would name another session.
    public static let sessionIdBytes = 1 << 10
    /// Unicode scalars of a title. The rest is cut.
    public static let titleCharacters = 1_000
    /// Unicode scalars of the first prompt. It is enough to find a session by; the whole prompt is on its timeline.
    public static let promptCharacters = 1_000
    /// Unicode scalars of an agent's name. The rest is cut.
    public static let agentCharacters = 256
    /// 4 KiB, the kernel's PATH_MAX. A longer folder is left out, since a cut path would name another folder.
    public static let folderBytes = 4 << 10
}

extension String {
    /// The first scalars, at most `limit`. Unlike `prefix`, this bounds the bytes too: one `Character` can have any number
    /// of scalars.
    public func prefix(scalars limit: Int) -> String {
        // A scalar takes four bytes at most, so most texts need not be walked.
        guard utf8.count > limit else { return self }
        return String(unicodeScalars.prefix(limit))
    }

    /// Nil if it has more UTF-8 bytes.
    public func within(bytes limit: Int) -> String? { utf8.count <= limit ? self : nil }
}
