import SessionRecords

@testable import SessionSearch

/// Items of timelines for tests.
enum Items {
    static let ts: Int64 = 1_763_697_600_000

    static func chunk(_ n: Int64, _ text: String, kind: String = "agent_message_chunk") -> TimelineItem {
        update(n, #"{"sessionUpdate":"\#(kind)","content":{"type":"text","text":"\#(text)"}}"#)
    }

    static func update(_ n: Int64, _ update: String) -> TimelineItem {
        let line =
            #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":\#(update)}}"#
        return .update(n: n, seq: n, ts: ts + n, line: Array(line.utf8))
    }

    static func prompt(_ n: Int64, _ text: String, ts: Int64? = nil) -> TimelineItem {
        let body = #"{"sessionId":"s1","prompt":[{"type":"text","text":"\#(text)"}]}"#
        return .entry(n: n, seq: n - 1, ts: ts ?? Self.ts + n, kind: "prompt", body: Array(body.utf8))
    }
}

extension SearchedText {
    /// The text of an item without others before it.
    init?(_ item: TimelineItem) {
        var lines = SearchedLines()
        guard let found = lines.text(of: item) else { return nil }
        self = found
    }
}
