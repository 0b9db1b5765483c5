/// Whether one session has the log to itself. Pure.
///
/// Large appends and rare checkpoints are the quicker way for one that floods, small and frequent ones the fairer where
/// others wait behind them.
public struct LogUse {
    /// So many appends in a row without another session's, and the log is one session's own: with the smaller appends
    /// a tenth of a second of a flood.
    static let rowOfOwnUse = 32

    private var latest: Int64?
    private var row = LogUse.rowOfOwnUse

    public init() {}

    public var isShared: Bool { row < Self.rowOfOwnUse }

    /// - Parameter sid: the session that appends.
    public mutating func appended(by sid: Int64) {
        if let latest, latest != sid { row = 0 } else { row = min(row + 1, Self.rowOfOwnUse) }
        latest = sid
    }
}
