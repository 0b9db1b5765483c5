import JSONRPC
import JSONScan

/// The updates that a client gets when it loads the session. The chunks of one message or terminal are joined; other
/// updates are kept as sent.
///
/// An update of a child session is stored as the params of its `session/update`: `{"sessionId":…,"update":{…}}`.
struct History {
    /// 16 MiB per session. Above the limit, the oldest updates are dropped.
    static let limitBytes = 16 << 20
    /// 1 MiB per message. Text above the limit is not stored, so that a very long message stays cheap.
    static let messageLimitBytes = 1 << 20

    private struct Piece {
        /// The child session; nil for the session itself.
        let childID: String?
        let kind: String
        let messageID: String
        var bytes: [UInt8] = []

        func continues(_ childID: String?, _ kind: String, _ messageID: String) -> Bool {
            self.messageID == messageID && self.kind == kind && self.childID == childID
        }
    }

    private(set) var updates: [[UInt8]] = []
    private let version: ProtocolVersion
    private var byteCount = 0
    private var open: Piece?
    /// Messages with a stored piece. Other updates can come between two pieces of a message, if several scripts
    /// run at the same time.
    private var begun: Set<String> = []

    init(updates: [[UInt8]] = [], version: ProtocolVersion = .one) {
        self.version = version
        for update in updates { keep(update) }
    }

    /// Adds an update. Returns the updates that became final, for the session's record.
    mutating func append(_ update: [UInt8], childID: String? = nil) -> [[UInt8]] {
        let finished = endMessage()
        let stored = Self.stored(update, childID)
        keep(stored)
        return finished + [stored]
    }

    mutating func append(_ text: String, kind: String, messageID: String, childID: String? = nil) -> [[UInt8]] {
        append(text.utf8, kind: kind, id: messageID, childID)
    }

    mutating func append(output: [UInt8], terminalID: String, childID: String? = nil) -> [[UInt8]] {
        append(output, kind: Self.outputKind, id: terminalID, childID)
    }

    private mutating func append(
        _ bytes: some Collection<UInt8>, kind: String, id: String, _ childID: String?
    ) -> [[UInt8]] {
        var finished: [[UInt8]] = []
        if let open, !open.continues(childID, kind, id) { finished = endMessage() }
        if open == nil { open = Piece(childID: childID, kind: kind, messageID: id) }
        if let length = open?.bytes.count, length < Self.messageLimitBytes { open?.bytes += bytes }
        return finished
    }

    /// Ends the current message, so that it becomes final.
    mutating func endMessage() -> [[UInt8]] {
        guard let piece = open else { return [] }
        open = nil
        let update = Self.stored(joined(piece), piece.childID)
        keep(update)
        return [update]
    }

    /// All messages have ended, so their ids do not come again.
    mutating func endAllMessages() -> [[UInt8]] {
        begun = []
        return endMessage()
    }

    private static let outputKind = "terminal_output_chunk"

    private mutating func joined(_ piece: Piece) -> [UInt8] {
        if piece.kind == Self.outputKind { return TerminalUpdate.output(piece.messageID, piece.bytes) }
        let text = String(decoding: piece.bytes, as: UTF8.self)
        // Version 2 replays a message as a whole. Only a later piece of a message is a chunk.
        guard version == .two, begun.insert("\(piece.childID ?? "") \(piece.kind) \(piece.messageID)").inserted else {
            return SessionUpdate.text(piece.kind, messageID: piece.messageID, text)
        }
        return SessionUpdate.object(String(piece.kind.dropLast("_chunk".count))) { update in
            update.member("messageId", piece.messageID)
            update.memberArray("content") { $0.element(raw: SessionUpdate.textBlock(text)) }
        }
    }

    private mutating func keep(_ update: [UInt8]) {
        updates.append(update)
        byteCount += update.count
        while byteCount > Self.limitBytes, updates.count > 1 { byteCount -= updates.removeFirst().count }
    }
}

extension History {
    private static let childHead = Array(#"{"sessionId":"#.utf8)

    private static func stored(_ update: [UInt8], _ childID: String?) -> [UInt8] {
        guard let childID else { return update }
        return JSONWriter.object {
            $0.member("sessionId", childID)
            $0.member("update", raw: update)
        }
    }

    /// The line that sends a stored update again.
    static func line(sessionID: String, stored: [UInt8]) -> [UInt8] {
        guard stored.starts(with: childHead) else { return SessionUpdate.line(sessionID: sessionID, update: stored) }
        return JSONWriter.object {
            $0.member("jsonrpc", "2.0")
            $0.member("method", "session/update")
            $0.member("params", raw: stored)
        } + [0x0a]
    }
}
