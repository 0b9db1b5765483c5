import JSONRPC
import JSONScan

extension Exchange {
    /// Handles a line from the editor. The line has already been forwarded or withheld.
    package mutating func editorWrote(_ line: Span<UInt8>, at now: Int64 = 0) -> [Event] {
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

    /// Returns the params of the methods that need them. Other params are not copied, because an editor can write files
    /// of any size.
    private func params(of method: String, _ envelope: Envelope, _ line: Span<UInt8>) -> JSONValue? {
        switch method {
        case "session/new", "session/load", "session/resume", "session/fork", "session/prompt",
            "session/set_mode":
            Self.value(line, envelope.params)
        default: nil
        }
    }

    /// True if a line from the editor must not reach the agent, because another client has already answered the
    /// request.
    package func withholdsFromAgent(_ line: Span<UInt8>) -> Bool {
        guard let envelope = try? scanEnvelope(line), envelope.shape == .object, envelope.method == nil,
            !envelope.isAmbiguous, let id = Self.id(envelope, line)
        else { return false }
        return staleAnswers[id] != nil
    }

    /// True if a line from the agent must not reach the editor. The line answers another client's request, or refers to
    /// one.
    package func withholdsFromEditor(_ line: Span<UInt8>) -> Bool {
        guard let envelope = try? scanEnvelope(line), envelope.shape == .object, !envelope.isAmbiguous else {
            return false
        }
        if envelope.method != nil { return guestConcerned(by: envelope, line) != nil }
        guard let id = Self.id(envelope, line), let request = open[id] else { return false }
        return request.asker != .editor
    }

    /// Handles the editor's disconnection. The answers to its requests will be dropped; the agent's requests wait for
    /// the next client.
    package mutating func editorGone() {
        hasEditor = false
        staleAnswers = [:]
        for (id, request) in open where request.asker == .editor {
            open[id] = OpenRequest(asker: .nobody, kind: request.kind)
        }
    }
}
