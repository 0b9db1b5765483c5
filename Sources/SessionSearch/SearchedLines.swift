import JSONScan
import SessionRecords

/// Reads the texts of successive items. Most lines of an agent have the kind, session and message of the line before, so these
/// are compared and not read again. Pure.
struct SearchedLines {
    /// The properties of a line that decide how its text is read.
    struct Source {
        /// The kind of the update, as ACP names it.
        let name: String
        let kind: SearchedText.Kind
        /// The update has a part of a message.
        let isChunk: Bool
        /// See ``SearchedText/continuation``.
        let continuation: String?
    }

    /// The members of a line that decide its source, as they are written. A missing one is empty.
    private struct Written {
        let kind, session, message: [UInt8]

        init(_ line: Span<UInt8>, _ envelope: Envelope) {
            kind = Self.bytes(line, envelope.updateKind)
            session = Self.bytes(line, envelope.sessionId)
            message = Self.bytes(line, envelope.messageId)
        }

        private static func bytes(_ line: Span<UInt8>, _ range: Range<Int>?) -> [UInt8] {
            range.map { line.extracting($0).withUnsafeBufferPointer { Array($0) } } ?? []
        }

        func isSame(in line: Span<UInt8>, _ envelope: Envelope) -> Bool {
            Self.isEqual(message, line, envelope.messageId) && Self.isEqual(kind, line, envelope.updateKind)
                && Self.isEqual(session, line, envelope.sessionId)
        }

        private static func isEqual(_ bytes: [UInt8], _ line: Span<UInt8>, _ range: Range<Int>?) -> Bool {
            guard let range else { return bytes.isEmpty }
            return line.extracting(range).isEqual(to: bytes)
        }
    }

    private var scanner = EnvelopeScanner()
    /// Of the last line. The source is nil if the line has no text.
    private var last: (written: Written, source: Source?)?

    /// Returns nil if the item has no text to find.
    mutating func text(of item: TimelineItem) -> SearchedText? {
        switch item {
        case .update(_, _, _, let line): text(ofUpdate: line)
        case .entry(_, _, _, let kind, let body): SearchedText(entry: kind, body)
        }
    }

    private mutating func text(ofUpdate line: [UInt8]) -> SearchedText? {
        guard line.count <= SearchedText.lineLimitBytes, let envelope = try? scanner.scan(line.span),
            !envelope.isAmbiguous, let source = source(line.span, envelope)
        else { return nil }
        return SearchedText(line: line.span, envelope, source)
    }

    private mutating func source(_ line: Span<UInt8>, _ envelope: Envelope) -> Source? {
        if let last, last.written.isSame(in: line, envelope) { return last.source }
        let source = Source(line, envelope)
        last = (Written(line, envelope), source)
        return source
    }
}

extension SearchedLines.Source {
    /// Returns nil if this kind of update has no text.
    fileprivate init?(_ line: Span<UInt8>, _ envelope: Envelope) {
        guard let name = envelope.string(in: line, at: envelope.updateKind), let kind = Self.kind(of: name) else {
            return nil
        }
        self.name = name
        self.kind = kind
        isChunk = name.hasSuffix("_chunk")
        let session = envelope.string(in: line, at: envelope.sessionId) ?? ""
        let message = envelope.string(in: line, at: envelope.messageId) ?? ""
        continuation = isChunk ? "\(name) \(session) \(message)" : nil
    }

    private static func kind(of name: String) -> SearchedText.Kind? {
        switch name {
        case "agent_message_chunk", "session_message_chunk", "agent_message", "session_message": .message
        case "agent_thought_chunk", "agent_thought": .thought
        case "user_message_chunk", "user_message": .userMessage
        case "tool_call", "tool_call_update": .toolCall
        case "plan", "plan_update": .plan
        default: nil
        }
    }
}
