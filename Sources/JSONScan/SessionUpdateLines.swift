/// Checks of stored lines that another program has written: a peer, or another bridge's hub. They become messages to clients,
/// or parts of messages, so no other message must be among them.
package enum SessionUpdateLines {
    /// Returns the number of lines; nil if one of them is not a `session/update`, or does not end with LF.
    ///
    /// - Parameter session: the id of the session that all lines must name; nil if any session will do.
    package static func count(_ bytes: [UInt8], of session: String? = nil) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        guard bytes.last == 0x0A else { return nil }
        let lines = bytes.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.allSatisfy { isOne($0, of: session) } ? lines.count : nil
    }

    /// Returns whether the bytes are one `session/update`, without LF.
    package static func isOne(_ line: ArraySlice<UInt8>, of session: String? = nil) -> Bool {
        line.withUnsafeBytes { bytes in
            let text = bytes.assumingMemoryBound(to: UInt8.self).span
            guard let envelope = try? scanEnvelope(bytes), envelope.isSessionUpdate(in: text) else { return false }
            return session == nil || envelope.string(in: text, at: envelope.sessionId) == session
        }
    }
}
