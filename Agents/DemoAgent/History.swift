import JSONScan

/// A session's conversation as the updates that `session/load` replays: chunks of one message joined, the rest as sent.
struct History {
    /// 16 MiB a session. Over it, the oldest updates are forgotten.
    static let limitBytes = 16 << 20
    /// 1 MiB a message; what goes beyond is not kept, which keeps a flood of chunks cheap.
    static let messageLimitBytes = 1 << 20

    private(set) var updates: [[UInt8]] = []
    private var byteCount = 0
    private var open: (kind: String, messageID: String, text: [UInt8])?

    init(updates: [[UInt8]] = []) {
        for update in updates { keep(update) }
    }

    /// Takes in an update; gives back what became final by it, for the session's record.
    mutating func append(_ update: [UInt8]) -> [[UInt8]] {
        let finished = endMessage()
        keep(update)
        return finished + [update]
    }

    mutating func append(_ text: String, kind: String, messageID: String) -> [[UInt8]] {
        var finished: [[UInt8]] = []
        if let open, open.messageID != messageID { finished = endMessage() }
        if open == nil { open = (kind, messageID, []) }
        if let length = open?.text.count, length < Self.messageLimitBytes { open?.text += text.utf8 }
        return finished
    }

    /// What is being said counts as said.
    mutating func endMessage() -> [[UInt8]] {
        guard let message = open else { return [] }
        open = nil
        let text = String(decoding: message.text, as: UTF8.self)
        let update = SessionUpdate.text(message.kind, messageID: message.messageID, text)
        keep(update)
        return [update]
    }

    private mutating func keep(_ update: [UInt8]) {
        updates.append(update)
        byteCount += update.count
        while byteCount > Self.limitBytes, updates.count > 1 { byteCount -= updates.removeFirst().count }
    }
}
