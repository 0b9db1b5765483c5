import JSONScan

/// The kinds of update that the router must read now. All other updates pass it unread.
package struct UpdateInterest: OptionSet, Equatable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `subagent_update`, in both versions of ACP.
    static let children = UpdateInterest(rawValue: 1)
    /// `state_update`.
    static let states = UpdateInterest(rawValue: 2)
    /// Updates that can end background work.
    static let ends = UpdateInterest(rawValue: 4)
    /// Reports of user messages, while a prompt is open.
    static let messages = UpdateInterest(rawValue: 8)
    /// All updates, while the agent has not begun the turn of a prompt.
    static let everything = UpdateInterest(rawValue: 16)

    /// Not a kind: the agent repeats a session's history, so that an update can be one that the log has.
    package static let replays = UpdateInterest(rawValue: 32)

    /// True if the router must read an update of this kind. The length of the kind excludes most updates.
    ///
    /// - Parameter kind: The kind with its quotes, as the agent wrote it.
    package func includes(_ kind: Span<UInt8>) -> Bool {
        if contains(.everything) { return true }
        // The lengths of the names: reading an array's length here would cost each update more.
        switch kind.count {
        case 14:
            return (contains(.states) && kind.isEqual(to: UpdateKind.state))
                || (contains(.messages) && kind.isEqual(to: UpdateKind.userMessage))
        case 17:
            return kind.isEqual(to: UpdateKind.subagent) || (contains(.ends) && kind.isEqual(to: UpdateKind.terminal))
        case 18: return contains(.ends) && kind.isEqual(to: UpdateKind.toolCall)
        case 20: return contains(.messages) && kind.isEqual(to: UpdateKind.userMessageChunk)
        default: return false
        }
    }
}
