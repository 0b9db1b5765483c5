import JSONScan

/// The kinds of update that arrive in chunks, each of which continues the previous one. The first three belong to ACP
/// version 1 and 2, the others to version 2.
///
/// Not listed: `session_message_chunk`, because a message between two sessions must arrive as it was sent.
package enum ChunkKind: UInt8, Sendable, CaseIterable {
    case agentMessage, agentThought, userMessage, terminalOutput, toolCallContent, compactionSummary

    /// The name of the kind in ACP's `sessionUpdate`.
    package var name: StaticString {
        switch self {
        case .agentMessage: "agent_message_chunk"
        case .agentThought: "agent_thought_chunk"
        case .userMessage: "user_message_chunk"
        case .terminalOutput: "terminal_output_chunk"
        case .toolCallContent: "tool_call_content_chunk"
        case .compactionSummary: "compaction_summary_chunk"
        }
    }

    /// - Parameter range: The range of the string in `line`, including quotes. Escapes are decoded.
    init?(at range: Range<Int>, in line: Span<UInt8>) {
        guard let kind = Self.allCases.first(where: { line.holdsString($0.name, at: range) }) else { return nil }
        self = kind
    }

    /// The place of the id of the message, terminal, call or compaction that the chunk continues. Only a message can
    /// have no id.
    func idPlace(in line: Span<UInt8>, _ envelope: Envelope) -> MemberPlace {
        let update = envelope.update ?? 0..<0
        return switch self {
        case .agentMessage, .agentThought, .userMessage: envelope.messageId.map { .at($0) } ?? .absent
        case .terminalOutput: memberPlace("terminalId", ofObjectAt: update, in: line)
        case .toolCallContent: memberPlace("toolCallId", ofObjectAt: update, in: line)
        case .compactionSummary: memberPlace("compactionId", ofObjectAt: update, in: line)
        }
    }

    var mayLackId: Bool { self == .agentMessage || self == .agentThought || self == .userMessage }
}

/// The properties that updates of one run share: their session, their kind, and the message or other entity that they
/// continue. Ids are unique for one kind of entity only.
package struct RunKey: Equatable, Sendable {
    package let kind: ChunkKind
    /// The JSON text of `messageId`, `terminalId`, `toolCallId` or `compactionId`, or empty when there is none.
    package let id: [UInt8]
    /// The JSON text of `params.sessionId`. The updates of a session can come between those of its subagents.
    package let sessionId: [UInt8]

    package init(kind: ChunkKind, id: [UInt8] = [], sessionId: [UInt8] = []) {
        self.kind = kind
        self.id = id
        self.sessionId = sessionId
    }
}

extension Span<UInt8> {
    /// Whether the value at `range` is a string that decodes to `word`. `word` needs no escapes.
    fileprivate func holdsString(_ word: StaticString, at range: Range<Int>) -> Bool {
        if range.count == word.utf8CodeUnitCount + 2 { return holds(word, at: range.lowerBound + 1) }
        // Each byte of a word can be written as an escape of six bytes.
        guard range.count > word.utf8CodeUnitCount, range.count <= 6 * word.utf8CodeUnitCount + 2,
            let text = try? JSONValue(validating: extracting(range)).stringValue
        else { return false }
        return text.utf8.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    private func holds(_ word: StaticString, at start: Int) -> Bool {
        for index in 0..<word.utf8CodeUnitCount {
            // The pointer of a `StaticString` literal is valid for its whole length and never expires.
            guard self[start + index] == word.utf8Start[index] else { return false }
        }
        return true
    }

    func bytes(in range: Range<Int>) -> [UInt8] { extracting(range).withUnsafeBufferPointer { Array($0) } }
}
