/// An opaque resume token: the name of one stretch of one session's history. Readers return it to prove how far they
/// have read.
///
/// On the wire: `"9f03c2aa-17-2"`, that is `<log>-<sid>-<epoch>`. An update number alone is not enough: another reader
/// can have seen updates under the same numbers that a power cut then took back. A journal and a number together
/// identify the update.
package struct Journal: Hashable, Sendable {
    /// Chosen at random when the file is created. Printed as eight lowercase hexadecimal digits.
    package let logId: UInt32
    /// The number of the session incarnation.
    package let sid: Int64
    /// 1 when the incarnation is created. Every later claim adds one.
    package let epoch: Int64

    package init(logId: UInt32, sid: Int64, epoch: Int64) {
        self.logId = logId
        self.sid = sid
        self.epoch = epoch
    }

    /// The journal without its epoch, `9f03c2aa-17`, which names the incarnation.
    package var incarnation: String { "\(LogName.text(logId))-\(sid)" }

    /// Returns whether both journals name the same session incarnation. Their epochs can differ.
    package func isSameIncarnation(as other: Journal) -> Bool { logId == other.logId && sid == other.sid }

    /// Returns whether both texts are journals of one session incarnation.
    package static func nameSameIncarnation(_ one: String, _ other: String) -> Bool {
        guard let one = Journal(one), let other = Journal(other) else { return false }
        return one.isSameIncarnation(as: other)
    }
}

extension Journal: LosslessStringConvertible {
    /// Parses the wire form. Returns `nil` for any text that ``description`` would not print.
    package init?(_ text: String) {
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

    package var description: String { "\(incarnation)-\(epoch)" }
}
