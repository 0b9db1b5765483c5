import JSONRPC
import JSONScan

extension Exchange {
    /// A line of the editor's, which has passed or (`isStale`) been left out.
    mutating func editorWrote(_ line: Span<UInt8>, at now: Int64 = 0) -> [Event] {
        guard let envelope = try? scanEnvelope(line), envelope.shape == .object, !envelope.isAmbiguous,
            let id = Self.id(envelope, line)
        else { return [] }
        if let method = envelope.string(in: line, at: envelope.method) {
            guard open.count < Self.openRequestsLimit else { return [] }
            let session = Self.session(envelope, line)
            return note(
                id, method, session: session, params: params(of: method, envelope, line), asker: .editor, at: now)
        }
        if let count = staleAnswers[id] {
            staleAnswers[id] = count > 1 ? count - 1 : nil
            return []
        }
        return editorAnswered(id, Reply(envelope, line))
    }

    /// Only what is looked into is copied: an editor may write files of any size.
    private func params(of method: String, _ envelope: Envelope, _ line: Span<UInt8>) -> JSONValue? {
        switch method {
        case "session/new", "session/load", "session/resume", "session/fork", "session/prompt",
            "session/set_mode":
            Self.value(line, envelope.params)
        default: nil
        }
    }

    /// Whether a line of the editor's is not for the agent: it answers what another has answered already.
    func withholdsFromAgent(_ line: Span<UInt8>) -> Bool {
        guard let envelope = try? scanEnvelope(line), envelope.shape == .object, envelope.method == nil,
            !envelope.isAmbiguous, let id = Self.id(envelope, line)
        else { return false }
        return staleAnswers[id] != nil
    }

    /// Whether a line of the agent's is not for the editor: it answers another, or is about another's request.
    func withholdsFromEditor(_ line: Span<UInt8>) -> Bool {
        guard let envelope = try? scanEnvelope(line), envelope.shape == .object, !envelope.isAmbiguous else {
            return false
        }
        if envelope.method != nil { return guestConcerned(by: envelope, line) != nil }
        guard let id = Self.id(envelope, line), let request = open[id] else { return false }
        return request.asker != .editor
    }

    /// The editor has gone. What it asked is nobody's, what it was asked waits for the next one.
    mutating func editorGone() {
        hasEditor = false
        staleAnswers = [:]
        for (id, request) in open where request.asker == .editor {
            open[id] = OpenRequest(asker: .nobody, kind: request.kind)
        }
    }
}
