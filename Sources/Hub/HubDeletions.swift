/// Sessions that users have deleted at the bridge, and that must also be deleted at the hub. The list is stored in a
/// file, because the hub can be away for longer than the bridge runs.
package struct HubDeletions: Sendable, Equatable {
    /// 10,000 deletions while the hub is away. The file then has up to 200 KB.
    package static let limit = 10_000
    /// 20 bytes for each number.
    package static let limitBytes = limit * 20
    /// Deletions in one transaction.
    private static let partCount = 100

    /// In the order of their deletion, without repetitions.
    package private(set) var sids: [Int64] = []
    private var known: Set<Int64> = []

    /// - Parameter text: the stored form. Lines that are not numbers are ignored.
    package init(text: [UInt8] = []) {
        for line in text.split(separator: 0x0A) {
            if let sid = Int64(String(decoding: line, as: UTF8.self)) { _ = add(sid) }
        }
    }

    /// One number for each line.
    package var text: [UInt8] { Array(sids.map { "\($0)\n" }.joined().utf8) }

    /// The deletions for the next transaction.
    package var nextPart: [Int64] { Array(sids.prefix(Self.partCount)) }

    /// Returns false if the list is full.
    package mutating func add(_ sid: Int64) -> Bool {
        guard !known.contains(sid) else { return true }
        guard sids.count < Self.limit else { return false }
        known.insert(sid)
        sids.append(sid)
        return true
    }

    package mutating func remove(_ done: [Int64]) {
        known.subtract(done)
        sids.removeAll { !known.contains($0) }
    }
}
