import ACPRouting
import JSONScan
import SessionRecords
import Tinyvex

/// Converts a session's timeline to the updates that an agent would send if it repeated the history: the stored lines,
/// with the prompts as `user_message_chunk` in their places. Pure.
///
/// An agent that repeats prompts as updates of its own writes them directly after the prompt; such a prompt is not
/// added.
package struct ConversationHistory {
    private let sessionId: String
    /// False for an agent of version 2, which always sends prompts as updates. A history of version 2 has no notices.
    private let addsPrompts: Bool
    /// The prompts after the newest update.
    private var prompts: [[UInt8]] = []
    /// The number of the newest update so far.
    package private(set) var lastSeq: Int64 = 0

    private static let userKinds = [UpdateKind.userMessageChunk, UpdateKind.userMessage]
    private static let liveKinds = [UpdateKind.notice, UpdateKind.replayComplete]

    package init(sessionId: String, addsPrompts: Bool) {
        self.sessionId = sessionId
        self.addsPrompts = addsPrompts
    }

    /// Returns the lines for the next items, without line feeds.
    package mutating func lines(for items: [TimelineItem]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for item in items {
            switch item {
            case .update(_, let seq, _, let line):
                lastSeq = seq
                if !prompts.isEmpty { lines += takePrompts(before: line) }
                if addsPrompts || !Self.isNeverRepeated(line) { lines.append(line) }
            case .entry(_, let seq, _, let kind, let body):
                lastSeq = max(lastSeq, seq)
                if addsPrompts, kind == TimelineEntryKind.prompt.rawValue { prompts.append(body) }
            }
        }
        return lines
    }

    /// Returns the lines after the last item.
    package mutating func rest() -> [[UInt8]] {
        defer { prompts = [] }
        return prompts.flatMap { Self.chunks(ofPrompt: $0, in: sessionId) }
    }

    private mutating func takePrompts(before line: [UInt8]) -> [[UInt8]] {
        if Self.isUserMessage(line) { prompts.removeLast() }
        return rest()
    }

    /// True for a notice, which an agent does not repeat, and for the end of an earlier repetition.
    private static func isNeverRepeated(_ line: [UInt8]) -> Bool {
        isOne(of: liveKinds, line)
    }

    private static func isUserMessage(_ line: [UInt8]) -> Bool {
        isOne(of: userKinds, line)
    }

    private static func isOne(of kinds: [[UInt8]], _ line: [UInt8]) -> Bool {
        (try? scanEnvelope(line.span)).map { UpdateKind.isOne(of: kinds, line.span, $0) } ?? false
    }

    /// Returns the lines of a prompt, one for each content block. A prompt has none if its contents were too long to be stored.
    package static func chunks(ofPrompt params: [UInt8], in sessionId: String) -> [[UInt8]] {
        let blocks = (try? JSONValue(validating: params))?["prompt"]?.elements ?? []
        return blocks.map { block in
            JSONWriter.object { writer in
                writer.member("jsonrpc", "2.0")
                writer.member("method", "session/update")
                writer.memberObject("params") { writer in
                    writer.member("sessionId", sessionId)
                    writer.memberObject("update") { writer in
                        writer.member("sessionUpdate", "user_message_chunk")
                        writer.member("content", raw: block.rawText)
                    }
                }
            }
        }
    }
}
