import ACPMethods
import JSONRPC
import JSONScan

extension RequestRouter {
    /// Handles a line from the editor. The line has already been forwarded or withheld.
    package mutating func editorWrote(_ line: Span<UInt8>, at now: Int64 = 0) -> [Event] {
        guard let envelope = try? scanEnvelope(line) else { return [] }
        guard envelope.shape == .array else { return editorWrote(line, envelope, at: now) }
        return (MessageArray.messages(in: line) ?? []).flatMap { message in
            (try? scanEnvelope(message.span)).map { editorWrote(message.span, $0, at: now) } ?? []
        }
    }

    private mutating func editorWrote(_ line: Span<UInt8>, _ envelope: Envelope, at now: Int64) -> [Event] {
        guard envelope.shape == .object, !envelope.isAmbiguous, let id = Self.id(envelope, line) else { return [] }
        if let method = envelope.string(in: line, at: envelope.method) {
            guard open.count < Self.openRequestsLimit else { return [] }
            let session = Self.session(envelope, line)
            return note(
                id, method, session: session, params: params(of: method, envelope, line), asker: .editor, at: now)
        }
        if pending.consumeStaleAnswer(id) { return [] }
        return editorAnswered(id, Reply(envelope, line))
    }

    /// Records a request of the editor that the bridge has already answered. The agent receives the request too, and its
    /// answer is withheld from the editor.
    package mutating func editorRepeated(_ line: Span<UInt8>, at now: Int64 = 0) -> [Event] {
        guard let envelope = try? scanEnvelope(line), envelope.shape == .object, !envelope.isAmbiguous,
            let id = Self.id(envelope, line), let method = envelope.string(in: line, at: envelope.method)
        else { return [] }
        return note(
            id, method, session: Self.session(envelope, line), params: params(of: method, envelope, line),
            asker: .nobody, at: now)
    }

    /// Returns the params of the methods that need them. Other params are not copied, because an editor can write files
    /// of any size.
    private func params(of method: String, _ envelope: Envelope, _ line: Span<UInt8>) -> JSONValue? {
        switch ACPMethod(named: method) {
        case .initialize, .sessionNew, .sessionLoad, .sessionResume, .sessionFork, .sessionPrompt, .sessionSetMode:
            Self.value(line, envelope.params)
        default: nil
        }
    }

    /// The id and the session of a `session/load` or `session/resume`. Nil for any other message.
    package static func opening(_ line: Span<UInt8>, _ envelope: Envelope) -> (id: RequestID, session: String)? {
        guard let id = id(envelope, line), let method = envelope.string(in: line, at: envelope.method) else {
            return nil
        }
        switch ACPMethod(named: method) {
        case .sessionLoad, .sessionResume: return session(envelope, line).map { (id, $0) }
        default: return nil
        }
    }

    /// True if a message from the editor must not reach the agent: another client has already answered the request, or the
    /// message only rejects the `$/cancel_request` that reported this.
    package func withholdsFromAgent(_ message: Span<UInt8>, _ envelope: Envelope) -> Bool {
        guard envelope.method == nil, let id = Self.id(envelope, message) else { return false }
        return pending.isStaleAnswer(id) || rejectsNotification(id, envelope)
    }

    /// True for an error without an id, by which some editors answer a `$/cancel_request` that they do not know.
    private func rejectsNotification(_ id: RequestID, _ envelope: Envelope) -> Bool {
        id == .null && envelope.error != nil && pending.expectsStaleAnswers && pending.first(under: id) == nil
    }

    /// True if a message from the agent must not reach the editor. The message answers another client's request, or refers
    /// to one.
    package func withholdsFromEditor(_ message: Span<UInt8>, _ envelope: Envelope) -> Bool {
        if envelope.method != nil { return concernedClient(by: envelope, message) != nil }
        guard let id = Self.id(envelope, message), let request = open[id] else { return false }
        return request.asker != .editor
    }

    /// Handles the editor's disconnection. The answers to its requests will be dropped; the agent's requests wait for
    /// the next client.
    package mutating func editorGone() {
        hasEditor = false
        pending.forgetStaleAnswers()
        open.dropAnswers { $0 == .editor }
    }
}
