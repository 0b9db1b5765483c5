import JSONScan

/// The updates that `session/load` replays. The chunks of one message are joined; other updates are kept as sent.
struct History {
    /// 16 MiB per session. Above the limit, the oldest updates are dropped.
    static let limitBytes = 16 << 20
    /// 1 MiB per message. Text above the limit is not stored, so that a very long message stays cheap.
    static let messageLimitBytes = 1 << 20

    private(set) var updates: [[UInt8]] = []
    private var byteCount = 0
    private var open: (kind: String, messageID: String, text: [UInt8])?

    init(updates: [[UInt8]] = []) {
        for update in updates { keep(update) }
    }

    /// Adds an update. Returns the updates that became final, for the session's record.
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

    /// Ends the current message, so that it becomes final.
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
