import JSONScan
import SessionRecords

/// The content of a session's stored updates, with which the lines that an agent repeats are compared. Pure.
struct StoredHistory {
    /// The texts of one kind of message, in their order.
    struct Texts {
        private(set) var bytes: [UInt8] = []
        /// The offsets at which a message begins: after another update, or after a message of another kind.
        private(set) var starts: [Int] = []

        mutating func append(_ text: [UInt8], isStart: Bool) {
            if isStart || starts.isEmpty { starts.append(bytes.count) }
            bytes += text
        }

        /// True if `text` is at this offset.
        func holds(_ text: [UInt8], at offset: Int) -> Bool {
            bytes.count - offset >= text.count && bytes[offset..<offset + text.count].elementsEqual(text)
        }

        /// True if a message ends at this offset.
        func isEnd(_ offset: Int) -> Bool {
            if offset == bytes.count { return true }
            let index = firstStart(after: offset - 1)
            return index < starts.count && starts[index] == offset
        }

        /// The index of the first message that begins after this offset.
        func firstStart(after offset: Int) -> Int { starts.partitioningIndex { $0 > offset } }
    }

    private(set) var texts: [RepeatableUpdate.Speaker: Texts] = [:]
    /// The hashes of the states of each kind, in their order.
    private(set) var states: [String: [Int]] = [:]
    /// The hashes of all other updates without a text.
    private var others: Set<Int> = []
    /// The latest values of each tool call, as hashes by member name.
    private var calls: [String: [String: Int]] = [:]
    /// The speaker of the newest update, if it was a text.
    private var lastSpeaker: RepeatableUpdate.Speaker?
    private var byteCount = 0
    private var hasUpdates = false
    /// True if a part of the history was left out, because it is over the limit.
    private(set) var isIncomplete = false

    /// 32 MiB of texts and hashes, as much as may wait to be stored. Of a longer history, the rest is not compared.
    static let limitBytes = 32 << 20
    /// The estimated size of a hash in a set or a dictionary.
    private static let hashBytes = 32

    mutating func add(_ items: [TimelineItem]) {
        for case .update(_, _, _, let line) in items {
            hasUpdates = true
            if let update = RepeatableUpdate(line.span) { add(update) }
        }
    }

    /// True if the log has no update.
    var isEmpty: Bool { !hasUpdates }

    private mutating func add(_ update: RepeatableUpdate) {
        guard byteCount < Self.limitBytes else { return isIncomplete = true }
        switch update {
        case .text(let speaker, let text):
            byteCount += text.count
            texts[speaker, default: Texts()].append(text, isStart: lastSpeaker != speaker)
            lastSpeaker = speaker
        case .toolCall(let id, let members, let hash):
            byteCount += (members.count + 1) * Self.hashBytes
            others.insert(hash)
            calls[id, default: [:]].merge(members) { $1 }
            lastSpeaker = nil
        case .other(let hash):
            byteCount += Self.hashBytes
            others.insert(hash)
            lastSpeaker = nil
        case .state(let kind, let hash):
            byteCount += Self.hashBytes
            states[kind, default: []].append(hash)
        case .echo: break
        }
    }

    /// True if the same update is stored, or if the tool call already has all of these values.
    func holds(call id: String, _ members: [String: Int], _ hash: Int) -> Bool {
        if others.contains(hash) { return true }
        guard let stored = calls[id] else { return false }
        return members.allSatisfy { stored[$0.key] == $0.value }
    }

    func holds(_ hash: Int) -> Bool { others.contains(hash) }
}

extension Array {
    /// The first index whose element matches. All elements after it must match, too.
    func partitioningIndex(where matches: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if matches(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
