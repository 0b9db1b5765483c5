/// The name of one stretch of one session's history, told to readers so that they can prove where they stand.
///
/// On the wire: `"9f03c2aa-17-2"`, that is `<log>-<sid>-<epoch>`. Numbers alone do not tell a reader apart from one who
/// saw updates that a power cut took back; a journal and a number together do.
public struct Journal: Hashable, Sendable {
    /// Drawn at random when the file is created; printed as eight lowercase hexadecimal digits.
    public let logId: UInt32
    /// The session life.
    public let sid: Int64
    /// 1 when the life is created, one more at every later claim.
    public let epoch: Int64

    public init(logId: UInt32, sid: Int64, epoch: Int64) {
        self.logId = logId
        self.sid = sid
        self.epoch = epoch
    }

    /// Both name the same life of a session, be it at different epochs.
    public func isSameLife(as other: Journal) -> Bool { logId == other.logId && sid == other.sid }
}

extension Journal: LosslessStringConvertible {
    /// Reads the wire form; `nil` for anything that ``description`` would not print.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3,
            let logId = UInt32(String(Substring(parts[0])), radix: 16),
            let sid = Int64(Substring(parts[1])), sid > 0,
            let epoch = Int64(Substring(parts[2])), epoch > 0
        else { return nil }
        self.init(logId: logId, sid: sid, epoch: epoch)
        // Upper case, signs and leading zeros would give one journal several spellings.
        guard description == text else { return nil }
    }

    public var description: String {
        let digits = String(logId, radix: 16)
        return "\(String(repeating: "0", count: 8 - digits.count))\(digits)-\(sid)-\(epoch)"
    }
}
