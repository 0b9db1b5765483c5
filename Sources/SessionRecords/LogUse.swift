/// Determines whether one session has the log to itself. Pure.
///
/// Large appends and rare checkpoints are faster for a session that floods the log. Small appends and frequent
/// checkpoints are fairer if other sessions wait.
package struct LogUse {
    /// After this many appends in a row by one session, that session has the log to itself. With the smaller appends,
    /// this is a tenth of a second of a flood.
    static let rowOfOwnUse = 32

    private var latest: Int64?
    private var row = LogUse.rowOfOwnUse

    package init() {}

    package var isShared: Bool { row < Self.rowOfOwnUse }

    /// - Parameter sid: The session that appends.
    package mutating func appended(by sid: Int64) {
        if let latest, latest != sid { row = 0 } else { row = min(row + 1, Self.rowOfOwnUse) }
        latest = sid
    }
}
