import JSONRPC
import JSONScan

/// What an editor and its agent have said to each other, as far as an observer needs it. Pure: it is shown each line
/// of either side and tells what that line means for the sessions.
///
/// Each side numbers its own requests, so the two are kept apart. Nothing here changes what passes.
struct Exchange {
    enum Event: Equatable {
        case sessionOpened(id: String, cwd: String?)
        /// The agent is about to repeat a session's history, or (not `replays`) to go on without.
        case sessionContinued(id: String, cwd: String?, replays: Bool)
        case continuationEnded(id: String, succeeded: Bool)
        case sessionClosed(id: String)
        /// `params` as the editor wrote them.
        case promptSent(id: String, params: [UInt8])
        /// The agent's whole answer: `{"stopReason":"end_turn"}`, or `{"error":{…}}`.
        case turnEnded(id: String, outcome: [UInt8])
        case permissionAsked(id: String, request: [UInt8])
        case permissionAnswered(id: String, answer: [UInt8])
    }

    /// More open requests than any editor has; past it new ones pass unnoticed.
    static let openRequestsLimit = 4096

    private enum EditorRequest {
        case new(cwd: String?)
        case continuing(id: String)
        case prompt(id: String)
        case close(id: String)
        case other
    }

    private var fromEditor: [RequestID: EditorRequest] = [:]
    /// Permission requests by their id, with their session.
    private var permissions: [RequestID: String] = [:]

    /// Nothing the editor asked is still unanswered.
    var isIdle: Bool { fromEditor.isEmpty }

    /// Sessions whose history the agent is repeating.
    private(set) var replaying: Set<String> = []

    // MARK: The editor's lines

    mutating func editorWrote(_ line: Span<UInt8>) -> [Event] {
        guard let envelope = try? scanEnvelope(line), envelope.shape == .object, !envelope.isAmbiguous else {
            return []
        }
        if let method = envelope.string(in: line, at: envelope.method) {
            guard let id = Self.id(envelope, line) else { return [] }
            return asked(id, method, envelope, line)
        }
        guard let id = Self.id(envelope, line), let session = permissions.removeValue(forKey: id) else { return [] }
        let answer = JSONWriter.object { writer in
            writer.member("requestId", raw: id.rawText)
            if let range = envelope.result { writer.member("result", raw: Self.bytes(line, range)) }
            if let range = envelope.error { writer.member("error", raw: Self.bytes(line, range)) }
        }
        return [.permissionAnswered(id: session, answer: answer)]
    }

    private mutating func asked(
        _ id: RequestID, _ method: String, _ envelope: Envelope, _ line: Span<UInt8>
    ) -> [Event] {
        guard fromEditor.count < Self.openRequestsLimit else { return [] }
        if case .continuing(let session)? = fromEditor.removeValue(forKey: id) { replaying.remove(session) }
        let session = envelope.string(in: line, at: envelope.sessionId)
        switch (method, session) {
        case ("session/new", _):
            fromEditor[id] = .new(cwd: Self.cwd(envelope, line))
        case ("session/load", let session?):
            fromEditor[id] = .continuing(id: session)
            replaying.insert(session)
            return [.sessionContinued(id: session, cwd: Self.cwd(envelope, line), replays: true)]
        case ("session/resume", let session?):
            fromEditor[id] = .continuing(id: session)
            return [.sessionContinued(id: session, cwd: Self.cwd(envelope, line), replays: false)]
        case ("session/fork", _):
            fromEditor[id] = .new(cwd: Self.cwd(envelope, line))
        case ("session/close", let session?):
            fromEditor[id] = .close(id: session)
        case ("session/prompt", let session?):
            fromEditor[id] = .prompt(id: session)
            let params = envelope.params.map { Self.bytes(line, $0) } ?? Array("{}".utf8)
            return [.promptSent(id: session, params: params)]
        default:
            fromEditor[id] = .other
        }
        return []
    }

    // MARK: The agent's lines

    /// A line that is no `session/update`, with its envelope.
    mutating func agentWrote(_ line: Span<UInt8>, _ envelope: Envelope) -> [Event] {
        guard envelope.shape == .object, !envelope.isAmbiguous, let id = Self.id(envelope, line) else { return [] }
        guard envelope.method == nil else { return agentAsked(id, envelope, line) }
        guard let request = fromEditor.removeValue(forKey: id) else { return [] }
        return answered(request, envelope, line)
    }

    private mutating func agentAsked(_ id: RequestID, _ envelope: Envelope, _ line: Span<UInt8>) -> [Event] {
        guard envelope.string(in: line, at: envelope.method) == "session/request_permission",
            let session = envelope.string(in: line, at: envelope.sessionId), let params = envelope.params,
            permissions.count < Self.openRequestsLimit
        else { return [] }
        permissions[id] = session
        let request = JSONWriter.object { writer in
            writer.member("requestId", raw: id.rawText)
            writer.member("params", raw: Self.bytes(line, params))
        }
        return [.permissionAsked(id: session, request: request)]
    }

    private mutating func answered(
        _ request: EditorRequest, _ envelope: Envelope, _ line: Span<UInt8>
    ) -> [Event] {
        let succeeded = envelope.result != nil
        switch request {
        case .new(let cwd):
            guard let result = envelope.result, let value = try? JSONValue(validating: Self.bytes(line, result)),
                let id = value["sessionId"]?.stringValue
            else { return [] }
            return [.sessionOpened(id: id, cwd: cwd)]
        case .continuing(let id):
            replaying.remove(id)
            return [.continuationEnded(id: id, succeeded: succeeded)]
        case .prompt(let id):
            return [.turnEnded(id: id, outcome: Self.outcome(envelope, line))]
        case .close(let id):
            return succeeded ? [.sessionClosed(id: id)] : []
        case .other:
            return []
        }
    }

    // MARK: Parts of a line

    private static func outcome(_ envelope: Envelope, _ line: Span<UInt8>) -> [UInt8] {
        if let result = envelope.result { return bytes(line, result) }
        return JSONWriter.object { writer in
            if let error = envelope.error { writer.member("error", raw: bytes(line, error)) }
        }
    }

    private static func id(_ envelope: Envelope, _ line: Span<UInt8>) -> RequestID? {
        envelope.id.flatMap { RequestID(in: line, at: $0) }
    }

    private static func cwd(_ envelope: Envelope, _ line: Span<UInt8>) -> String? {
        guard let params = envelope.params, let value = try? JSONValue(validating: bytes(line, params)) else {
            return nil
        }
        return value["cwd"]?.stringValue
    }

    private static func bytes(_ line: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        line.extracting(range).withUnsafeBufferPointer { Array($0) }
    }
}
